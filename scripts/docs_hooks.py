"""What the site has that the folder docs/ has not: README and its siblings as pages, and the files that pages link to.

Links are written for people who read the repository; here they are turned to where the same file stands in the site."""

import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[1]
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


def title_of(page):
    return re.search(r"^# +(.*)$", page.read_text(), re.MULTILINE)[1]


def for_the_site(markdown, source, here):
    """Links to where the same file stands in the site; a folder has no page, so its link becomes its name."""
    def turn(match):
        text, path, anchor = match[1], match[2], match[3] or ""
        target = source.parent.joinpath(path).resolve()
        if "://" in path or not target.exists() or not target.is_relative_to(ROOT):
            return match[0]
        if target.is_dir() and target.name != "adr":
            return f"`{target.relative_to(ROOT)}`"
        if target.is_dir():
            text, target = "decisions", min(target.glob("*.md"))
        elif text in (path, target.name) and not anchor and target.suffix == ".md" and target.name != "README.md":
            text = title_of(target)
        base = ROOT / "docs" if target.is_relative_to(ROOT / "docs") else ROOT
        return f"[{text}]({'../' * len(here.parts)}{target.relative_to(base)}{anchor})"

    return re.sub(r"\[([^\[\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)", turn, markdown)


def commands_for_the_site(markdown):
    """Lines are broken by the browser here, and lists of names within a cell are set apart."""
    markdown = re.sub(r"<br>  ([\w-]+) +", r"<br>`\1` ", markdown)
    return re.sub(r"<br>(?!`)", " ", markdown)


def on_page_markdown(markdown, page, config, files):
    path = page.file.src_path
    markdown = for_the_site(markdown, ROOT / path if path in PAGES else ROOT / "docs" / path, pathlib.PurePosixPath(path).parent)
    if path == "commands.md":
        markdown = commands_for_the_site(markdown)
    # GitHub's tables want \| within code, this generator's do not.
    return re.sub(r"`[^`\n]*`", lambda code: code[0].replace("\\|", "|"), markdown)


def on_page_content(html, page, config, files):
    """Options in plain text are not broken after their dashes."""
    parts = re.split(r"(<pre.*?</pre>|<code.*?</code>|<[^>]+>)", html, flags=re.DOTALL)
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(r"(?<![\w-])--[a-z][a-z-]*", r'<span class="option">\g<0></span>', parts[at])
    return "".join(parts)
