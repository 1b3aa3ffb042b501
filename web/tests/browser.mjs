// A browser and reports to look at: made by the real command, opened from disk, with every request and error noted.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const pith = process.env.PITH_COMMAND ?? fileURLToPath(new URL("../../build/release/bin/pith", import.meta.url));
export const place = mkdtempSync(join(tmpdir(), "pith-web-"));
process.on("exit", () => rmSync(place, { recursive: true, force: true }));
export const run = (...words) => execFileSync(pith, words, { encoding: "utf8" });

export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
export const class_names = ["cat", "dog", "horse", "ship", "frog", "bird", "deer", "truck", "plane", "lynx", "mole", "newt"];

/** A run on made-up data, with names of classes and of items, and its report. */
export function make_report() {
  run("synth", "--items", "2000", "--dim", "16", "--classes", "12", "--long-tail", "20", "--spread", "1.4", "--out", join(place, "toy"));
  writeFileSync(join(place, "names.txt"), class_names.join("\n") + "\n");
  writeFileSync(join(place, "ids.txt"), Array.from({ length: 2000 }, (_, at) => `photo-${at}.png`).join("\n") + "\n");
  run("select", "--embeddings", join(place, "toy/embeddings.npy"), "--probs", join(place, "toy/probs.npy"), "--ids", join(place, "ids.txt"),
    "--budget", "200", "--out", join(place, "chosen"));
  run("report", join(place, "chosen"), "--class-names", join(place, "names.txt"));
  return join(place, "chosen/report.html");
}

/** Another choice of the same items. */
function make_other_report(name, ...words) {
  const out = join(place, name);
  run("select", "--embeddings", join(place, "toy/embeddings.npy"), "--probs", join(place, "toy/probs.npy"), ...words, "--out", out);
  run("report", out);
  return join(out, "report.html");
}

/** Without caps. */
export const make_weighted_report = (lambda, budget) =>
  make_other_report(`weights-${lambda}`, "--balance", "none", "--lambda", lambda, "--budget", budget);

/** Where some are labelled already. */
export function make_labelled_report(items) {
  writeFileSync(join(place, "labelled.txt"), items.join("\n") + "\n");
  return make_other_report(`labelled-${items.length}`, "--labelled", join(place, "labelled.txt"), "--budget", "100");
}

/** By chance. */
export const make_random_report = (seed, ...words) =>
  make_other_report(`random-${seed}`, "--strategy", "random", "--seed", seed, "--budget", "200", ...words);

/** What is at the corner of the map once the page has been told that it is printed, but before another frame. */
export const corner_in_print = (page) => page.evaluate(() => {
  dispatchEvent(new Event("beforeprint"));
  const canvas = document.querySelector("canvas");
  const copy = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  copy.drawImage(canvas, canvas.width - 2, canvas.height - 2, 1, 1, 0, 0, 1, 1);
  return Array.from(copy.getImageData(0, 0, 1, 1).data.slice(0, 3));
});

/** A report on an experiment of two strategies. */
export function make_experiment_report() {
  mkdirSync(join(place, "results"));
  const lines = [];
  for (const trial of [0, 1, 2])
    for (const [variant, gain] of [["random", 0], ["submod-bal", 0.06]])
      for (const [budget, items] of [["10%", 200], ["30%", 600], ["50%", 1000]])
        lines.push(JSON.stringify({ trial, budget, variant, options: "", items, accuracy: 0.6 + gain + items / 5000 + trial / 200, loss: 1, training_loss: 1,
          steps: 1, select_seconds: 1, train_seconds: 1, classes_covered: 4, boundaries_covered: 3, mean_uncertainty: 0.5 }));
  writeFileSync(join(place, "results/results.jsonl"), lines.join("\n") + "\n");
  run("report", join(place, "results"));
  return join(place, "results/report.html");
}

export async function open_browser() {
  return chromium.launch({ executablePath: process.env.PITH_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/** The page, ready, and what went wrong in it so far. */
export async function open_page(browser, file, size, scheme = "light") {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, hasTouch: size.width < 600, isMobile: size.width < 600 });
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (message) => { if (message.type() === "error" || message.type() === "warning") troubles.push(message.text()); });
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) troubles.push(`request to ${request.url()}`); });
  await page.goto(`file://${file}`);
  await page.waitForSelector("html[data-ready]");
  return { page, troubles, close: () => context.close() };
}
