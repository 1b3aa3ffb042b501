// frame_time.mjs ADDRESS: milliseconds until the explorer shows its first choice, a frame of panning, and from letting go of
// a slider until the new choice is drawn.
import { open_browser, sizes } from "./browser.mjs";
import { open_explorer, recomputes } from "./serving.mjs";

const browser = await open_browser();
const { page } = await open_explorer(browser, process.argv[2], sizes.desktop);
const ready = await page.evaluate(() => performance.now());
const frames = await page.evaluate(() => new Promise((done) => {
  const overlay = document.querySelector(".overlay");
  const gl = document.querySelector("canvas").getContext("webgl2");
  const pixel = new Uint8Array(4);
  const times = [];
  let last = null;
  const step = () => {
    // Reading a pixel waits for the frame to be finished, not only asked for.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    const now = performance.now();
    if (last !== null) times.push(now - last);
    last = now;
    if (times.length === 60) return done(times.sort((a, b) => a - b));
    overlay.dispatchEvent(new KeyboardEvent("keydown", { key: times.length % 8 < 4 ? "ArrowLeft" : "ArrowRight" }));
    requestAnimationFrame(() => requestAnimationFrame(step));
  };
  step();
}));
const middle = frames[30] / 2;  // two animation frames a step
const started = Date.now();
await recomputes(page, async () => {
  await page.fill("#gamma", "0.35");
  await page.press("#gamma", "Tab");
});
console.log(`  browser, software rendering: first choice shown after ${Math.round(ready)} ms; a frame of panning ${middle.toFixed(1)} ms (slowest ${(frames[59] / 2).toFixed(1)}); ` +
  `from letting go to redrawn, command line included, ${Date.now() - started} ms`);
await browser.close();
