// picture.mjs PAGE PNG: the top of a report with its map, as a reader sees it.
import { open_browser, open_page } from "./browser.mjs";

const [file, out] = process.argv.slice(2);
const browser = await open_browser();
const { page } = await open_page(browser, file, { width: 1180, height: 1360 });
await page.getByRole("button", { name: "Start with the first pick" }).click();
await page.evaluate(() => { scrollTo(0, 0); document.activeElement.blur(); });
await page.waitForTimeout(300);
await page.screenshot({ path: out });
await browser.close();
