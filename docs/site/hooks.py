"""What the site has that the folder docs/ has not: README and its siblings as pages, and the files that pages link to.

Links are written for people who read the repository; here they are turned to where the same file stands in the site."""

import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")


def linked_files():
    """Files outside docs/ that a page links to, and that are shown as they are."""
    found = set()
    for page in [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/adr").glob("*.md"), *(ROOT / name for name in PAGES)]:
        for match in LINK.finditer(page.read_text()):
            target = page.parent.joinpath(match[2]).resolve()
            if target.is_file() and target.is_relative_to(ROOT) and not target.is_relative_to(ROOT / "docs"):
                found.add(str(target.relative_to(ROOT)))
    return sorted(found - set(PAGES))


def on_files(files, config):
    for path in [*PAGES, *linked_files()]:
        files.append(File(path, str(ROOT), config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, page, config, files):
    source = ROOT / page.file.src_path if page.file.src_path in PAGES else ROOT / "docs" / page.file.src_path
    here = pathlib.PurePosixPath(page.file.src_path).parent

    def turn(match):
        if "://" in match[2]:
            return match[0]
        target = source.parent.joinpath(match[2]).resolve()
        if not target.exists() or not target.is_relative_to(ROOT):
            return match[0]
        if target.is_dir():
            listing = {"adr": "adr/0001-exact-and-order-free.md"}.get(target.name)
            return f"{match[1]}{'../' * len(here.parts)}{listing}{match[4]}" if listing else f"`{target.relative_to(ROOT)}`"
        base = ROOT / "docs" if target.is_relative_to(ROOT / "docs") else ROOT
        return f"{match[1]}{'../' * len(here.parts)}{target.relative_to(base)}{match[3] or ''}{match[4]}"

    # A folder has no page: its link becomes its name.
    def folder(match):
        if "://" not in match[2] and source.parent.joinpath(match[2]).resolve().is_dir() and "adr" not in match[2]:
            return f"`{source.parent.joinpath(match[2]).resolve().relative_to(ROOT)}`"
        return match[0]

    markdown = re.sub(r"\[([^\]]*)\]\(([^)\s#]+)\)", folder, markdown)
    markdown = LINK.sub(turn, markdown)
    # GitHub's tables want \| within code, this generator's do not.
    return re.sub(r"`[^`\n]*`", lambda code: code[0].replace("\\|", "|"), markdown)
