// The real server on made-up data, and its page in a browser with every error noted.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { class_names, pith, place, run } from "./browser.mjs";

/** A run on made-up data, with names of classes. */
export function make_run(items = 2000, budget = "200") {
  run("synth", "--items", String(items), "--dim", "16", "--classes", "12", "--long-tail", "20", "--spread", "1.4", "--out", join(place, "toy"));
  writeFileSync(join(place, "names.txt"), class_names.join("\n") + "\n");
  run("select", "--embeddings", join(place, "toy/embeddings.npy"), "--probs", join(place, "toy/probs.npy"), "--budget", budget, "--out", join(place, "chosen"));
  return join(place, "chosen");
}

/** Starts pith serve and waits for its address. */
export function serve(folder, ...more) {
  const child = spawn(pith, ["serve", folder, "--port", "0", "--quiet", ...more], { stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((done, failed) => {
    let told = "";
    let wrong = "";
    child.stderr.on("data", (bytes) => { wrong += bytes; });
    child.stdout.on("data", (bytes) => {
      told += bytes;
      if (told.includes("\n")) done({ address: told.trim(), child, stop: () => new Promise((end) => { child.on("exit", (code) => end(code)); child.kill("SIGINT"); }) });
    });
    child.on("exit", (code) => failed(new Error(`pith serve ended with ${code}: ${wrong}`)));
  });
}

/** The page, ready, and what went wrong in it so far. `before`: done with the page while it is empty; one that holds back
 * the first choice has to wait for it itself. */
export async function open_explorer(browser, address, size, scheme = "light", before = null) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, hasTouch: size.width < 600, isMobile: size.width < 600, acceptDownloads: true });
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (message) => {
    // Software rendering tells of its slowness when pixels are read back, which only tests do; and a browser notes every
    // answer that says that a newer question took its place.
    if ((message.type() === "error" || message.type() === "warning") && !/GPU stall|swiftshader|software|status of 409/i.test(message.text())) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("request", (request) => { if (!request.url().startsWith(new URL(address).origin) && !/^(data|blob):/.test(request.url())) troubles.push(`request to ${request.url()}`); });
  await before?.(page);
  await page.goto(address);
  await page.waitForSelector(before === null ? "html[data-ready=yes]" : "html[data-ready]", { timeout: 120000 });
  return { page, troubles, close: () => context.close() };
}

/** Waits until a function of the page gives something true. Playwright's own way needs eval, which the page's policy forbids. */
export async function wait_for(page, told, argument, patience = 30000) {
  const end = Date.now() + patience;
  while (!(await page.evaluate(told, argument))) {
    if (Date.now() > end) throw new Error(`never true: ${told}`);
    await page.waitForTimeout(20);
  }
}

/** Something is done; waits until the choice it leads to has come. */
export async function recomputes(page, act) {
  const before = await page.textContent(".command");
  await act();
  await wait_for(page, (earlier) => document.querySelector(".command").textContent !== earlier && !document.querySelector(".status").classList.contains("busy"), before);
}

/** Requests to `path` that `held` picks by what they ask wait until the function given back is called. */
export async function hold_back(page, path, held) {
  let release;
  const released = new Promise((done) => { release = done; });
  await page.route(`**${path}`, async (route) => {
    if (!held(route.request().postDataJSON())) return route.fallback();
    await released;
    await route.continue();
  });
  return release;
}
