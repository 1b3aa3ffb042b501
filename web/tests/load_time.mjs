// load_time.mjs PAGE: milliseconds from opening the page until it is complete and its map drawn, and of one frame of panning.
import { open_browser, open_page, sizes } from "./browser.mjs";

const browser = await open_browser();
for (const [name, size] of Object.entries(sizes)) {
  const ready = [];
  const frames = [];
  for (let round = 0; round < 3; ++round) {
    const { page, close } = await open_page(browser, process.argv[2], size);
    ready.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))));
    await page.focus("canvas");
    frames.push(await page.evaluate(() => new Promise((done) => {
      const canvas = document.querySelector("canvas");
      const start = performance.now();
      let left = 20;
      const step = () => {
        if (left-- === 0) return done((performance.now() - start) / 20);
        canvas.dispatchEvent(new KeyboardEvent("keydown", { key: left % 2 ? "ArrowLeft" : "ArrowRight" }));
        requestAnimationFrame(() => requestAnimationFrame(step));
      };
      step();
    })));
    await close();
  }
  const middle = (values) => values.sort((a, b) => a - b)[1];
  console.log(`  ${name}: ready and drawn in ${Math.round(middle(ready))} ms, a step of panning ${Math.round(middle(frames))} ms (medians of 3)`);
}
await browser.close();
