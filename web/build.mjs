// build.mjs [FOLDER]: the pages, each one file with everything in it: scripts and styles are put inside the HTML, so it
// needs no network. Each is built by itself, so that no script is shared between files.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Moves the built script and style into the page. */
function everything_inside() {
  return {
    name: "everything-inside",
    enforce: "post",
    generateBundle(_options, bundle) {
      const pages = Object.values(bundle).filter((file) => file.fileName.endsWith(".html"));
      const others = Object.values(bundle).filter((file) => !file.fileName.endsWith(".html"));
      for (const page of pages) {
        let html = String(page.source);
        for (const file of others) {
          const name = file.fileName.replace(/[.\\]/g, "\\$&");
          const script = new RegExp(`\\s*<script[^>]*src="[^"]*${name}"[^>]*></script>`);
          const style = new RegExp(`\\s*<link[^>]*href="[^"]*${name}"[^>]*>`);
          if (file.type === "chunk" && script.test(html)) {
            const code = file.code.trim().replace(/<\/script/g, "<\\/script");
            html = html.replace(script, "").replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
          } else if (style.test(html)) {
            html = html.replace(style, () => `\n<style>${String(file.source).trim()}</style>`);
          }
        }
        page.source = html;
      }
      for (const file of others) delete bundle[file.fileName];
    },
  };
}

for (const page of ["report.html", "explorer.html"])
  await build({
    configFile: false,
    root: here("."),
    base: "./",
    logLevel: "warn",
    plugins: [everything_inside()],
    build: {
      outDir: process.argv[2] ?? here("dist"),
      emptyOutDir: false,
      target: "es2022",
      modulePreload: false,
      cssCodeSplit: false,
      assetsInlineLimit: 1 << 24,
      reportCompressedSize: false,
      rollupOptions: { input: here(page) },
    },
  });
