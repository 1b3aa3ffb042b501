// explorer_picture.mjs ADDRESS PNG [dark|phone|compare]: the explorer as a reader sees it.
import { open_browser } from "./browser.mjs";
import { open_explorer, recomputes, wait_for } from "./serving.mjs";

const [address, out, kind] = process.argv.slice(2);
const browser = await open_browser();
const size = kind === "phone" ? { width: 390, height: 844 } : { width: 1440, height: 1240 };
const { page } = await open_explorer(browser, address, size, kind === "dark" ? "dark" : "light");
await wait_for(page, () => /by the certificate/.test(document.querySelector(".figures").textContent));
if (kind === "compare") {
  await page.locator(".places label", { hasText: /^B$/ }).click();
  await page.waitForSelector("#compare");
  await recomputes(page, () => page.selectOption("#strategy", "margin"));
  await page.getByRole("button", { name: "Show what differs on the map" }).click();
}
await page.getByRole("button", { name: "Start with the first pick" }).click();
await page.waitForSelector(".why");
const left = await page.locator(".neighbors button").first().textContent();
await page.fill("#item-number", left);
await page.locator(".find button").click();
await wait_for(page, (item) => document.querySelector(".card h3")?.textContent === `Item ${item}`, left);
await page.evaluate(() => { scrollTo(0, 0); document.activeElement.blur(); });
await page.waitForTimeout(500);
await page.screenshot({ path: out, fullPage: kind === "phone" || kind === "compare" });
await browser.close();
