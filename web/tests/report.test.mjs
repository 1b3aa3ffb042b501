import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { class_names, corner_in_print, make_experiment_report, make_labelled_report, make_random_report, make_report, make_weighted_report, open_browser, open_page, place, sizes } from "./browser.mjs";

let browser;
let report;
before(async () => {
  report = make_report();
  browser = await open_browser();
});
after(() => browser?.close());

/** What the map shows; waits for the frame that draws it. */
const picture = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  done(document.querySelector("canvas").toDataURL());
}))));

/** Something is done, and the map must look different. */
async function changes_map(page, what, act) {
  const earlier = await picture(page);
  await act();
  assert.notEqual(await picture(page), earlier, what);
}

for (const [name, size] of Object.entries(sizes)) {
  const on_page = (title, body, scheme) => test(`${name}: ${title}`, async () => {
    const { page, troubles, close } = await open_page(browser, report, size, scheme);
    await body(page);
    assert.deepEqual(troubles, []);
    await close();
  });

  on_page("says in three sentences what was asked, what came out and how good it is", async (page) => {
    const text = await page.textContent(".summary");
    assert.match(text, /Asked for 200 items out of 2,000 in 12 classes, by submod-bal, with a cap on every class and every decision boundary\./);
    assert.match(text, /It chose 200: 12 of 12 classes/);
    const { ratio } = JSON.parse(readFileSync(join(dirname(report), "summary.json"), "utf8")).certificate;
    const told = (from, words) => Number(words.exec(from)[1]) / 100;
    // Bounds stay bounds after rounding, and near.
    const above = told(text, /No other choice within the caps can be better by more than ([0-9.]+)%/) - (1 / ratio - 1);
    assert.ok(above >= 0 && above < 0.0011, `${above}`);
    const below = ratio - told(await page.textContent("#certificate"), /at least ([0-9.]+)% as good as the best possible one/);
    assert.ok(below >= -1e-12 && below < 0.00011, `${below}`);
    const { objective, certificate } = JSON.parse(readFileSync(join(dirname(report), "summary.json"), "utf8"));
    const [, total, bound] = /reach an objective of ([\d.,]+)\. .* reaches more than ([\d.,]+)\./.exec(await page.textContent("#certificate")).map((number) => Number(number.replaceAll(",", "")));
    assert.ok(total <= objective.total && total > 0.999 * objective.total, `${total} of ${objective.total}`);
    assert.ok(bound >= certificate.upper_bound && bound < 1.001 * certificate.upper_bound, `${bound} of ${certificate.upper_bound}`);
    assert.equal(await page.textContent("h1"), "chosen");
    assert.match(await page.title(), /chosen/);
  });

  on_page("never scrolls sideways, and fits on paper", async (page) => {
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(await wide() <= 0);
    await page.emulateMedia({ media: "print" });
    assert.ok(await wide() <= 0);
    assert.equal(await page.isVisible(".zoom"), false);
    assert.equal(await page.isVisible("canvas"), true);
  });

  on_page("map: layouts, colours, singling out, pool, zoom", async (page) => {
    await changes_map(page, "PCA", () => page.locator("label", { hasText: /^PCA$/ }).click());
    await changes_map(page, "neighbours", () => page.locator("label", { hasText: /^Neighbours$/ }).click());
    for (const colour of ["class", "boundary", "order", "uncertainty"])
      await changes_map(page, colour, async () => {
        await page.selectOption("#map-colour", colour);
        assert.equal(await page.isDisabled("#map-single"), colour === "order" || colour === "uncertainty");
      });
    await page.selectOption("#map-colour", "class");
    assert.match(await page.textContent(".legend"), /picked/);
    await changes_map(page, "single class", () => page.selectOption("#map-single", "3"));
    assert.match(await page.textContent("#map .legend"), /ship.*everything else/);
    await changes_map(page, "all classes", () => page.selectOption("#map-single", ""));
    await changes_map(page, "without the pool", () => page.uncheck("#map-pool"));
    await page.check("#map-pool");
    for (const button of ["Zoom in", "Zoom out", "Zoom in", "Show everything"])
      await changes_map(page, button, () => page.getByRole("button", { name: button }).click());
  });

  on_page("map: keys move, zoom and walk through the picks", async (page) => {
    await page.focus("canvas");
    for (const key of ["ArrowLeft", "ArrowUp", "+", "ArrowRight", "ArrowDown", "-", "0"])
      await changes_map(page, key, () => page.keyboard.press(key));
    await page.keyboard.press("n");
    assert.match(await page.textContent(".card"), /1 of 200/);
    await page.keyboard.press("n");
    assert.match(await page.textContent(".card"), /2 of 200/);
    await page.keyboard.press("p");
    assert.match(await page.textContent(".card"), /1 of 200/);
    await page.keyboard.press("Escape");
    assert.match(await page.textContent(".card"), /No pick is chosen/);
  });

  on_page("map: a card on a pick, from the map, the buttons and the list", async (page) => {
    await page.getByRole("button", { name: "Start with the first pick" }).click();
    assert.match(await page.textContent(".card"), /photo-\d+\.png.*1 of 200.*Stands for\d+ items?/s);
    assert.equal(await page.isDisabled(".card >> text=Previous"), true);
    await page.locator(".card button", { hasText: "Next" }).click();
    assert.match(await page.textContent(".card"), /2 of 200/);
    await page.locator(".card button", { hasText: "Previous" }).click();
    assert.match(await page.textContent(".card"), /1 of 200/);
    await page.locator(".card button", { hasText: "Close" }).click();
    assert.match(await page.textContent(".card"), /No pick is chosen/);
    await page.getByRole("button", { name: "Start with the first pick" }).press("Enter");
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    assert.match(await focused(), /photo-\d+\.png/);
    for (const button of ["Next", "Next", "Previous"]) {
      await page.locator(".card button", { hasText: button }).press("Enter");
      assert.equal(await focused(), button);
    }
    await page.locator(".card button", { hasText: "Close" }).press("Enter");
    assert.equal(await focused(), "Start with the first pick");
    const link = page.locator(".all-picks tbody button").nth(4);
    const chosen = await link.textContent();
    await link.click();
    assert.equal(await page.textContent(".card h3"), chosen);
    // The first pick lies where the map says it does: a click there finds it again.
    await page.locator(".card button", { hasText: "Close" }).click();
    const canvas = page.locator("canvas");
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    let found = "";
    for (let at = 0; at < 60 && !/of 200/.test(found); ++at) {
      const [x, y] = [box.width * (0.15 + 0.7 * ((at * 0.618) % 1)), box.height * (0.15 + 0.7 * ((at * 0.414) % 1))];
      await canvas.click({ position: { x, y } });
      found = await page.textContent(".card-place");
    }
    assert.match(found, /of 200/);
  });

  on_page("map: dragging moves it, and so does the wheel once it has the focus", async (page) => {
    const canvas = page.locator("canvas");
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    await changes_map(page, "drag", async () => {
      await page.mouse.move(box.x + 100, box.y + 100);
      await page.mouse.down();
      await page.mouse.move(box.x + 160, box.y + 130, { steps: 4 });
      await page.mouse.up();
    });
    await page.focus("canvas");
    if (size.width > 600) await changes_map(page, "wheel", () => page.mouse.wheel(0, -200));
  });

  on_page("classes and boundaries: numbers behind the bars", async (page) => {
    for (const id of ["classes", "boundaries"]) {
      const area = page.locator(`#${id} .area`).first();
      await area.scrollIntoViewIfNeeded();
      if (size.width > 600) {
        await area.hover({ position: { x: 5, y: 40 } });
        assert.match(await page.textContent(".tooltip"), /pool \d.*picks \d.*cap \d/s);
      }
      await area.click({ position: { x: 5, y: 40 } });
      assert.equal(await page.inputValue("#map-colour"), id === "classes" ? "class" : "boundary");
      assert.notEqual(await page.inputValue("#map-single"), "");
      await page.locator(`#${id} summary`).click();
      await page.waitForSelector(`#${id} table tbody tr`);
      const rows = await page.locator(`#${id} table tbody tr`).count();
      assert.ok(id === "classes" ? rows === 12 : rows > 5);
    }
    for (const label of class_names.slice(0, 3)) assert.match(await page.textContent("#classes table"), new RegExp(label));
    assert.match(await page.textContent("#boundaries"), /\d+ of \d+ boundaries have a pick/);
  });

  on_page("gain: parts or the whole", async (page) => {
    const chart = () => page.locator("#gain svg.chart").innerHTML();
    const parts = await chart();
    await page.locator("#gain label", { hasText: "Whole gain" }).click();
    assert.notEqual(await chart(), parts);
    assert.match(await page.textContent("#gain .legend"), /diversity/);
    await page.locator("#gain label", { hasText: "What differs" }).click();
    assert.equal(await chart(), parts);
    await page.locator("#gain summary").click();
    await page.waitForSelector("#gain tbody tr");
    assert.equal(await page.locator("#gain tbody tr").count(), 200);
  });

  on_page("picks: sorted, searched, a page at a time", async (page) => {
    const ranks = () => page.locator(".all-picks tbody th").allTextContents();
    assert.deepEqual((await ranks()).slice(0, 3), ["1", "2", "3"]);
    await page.getByRole("button", { name: "Next page" }).click();
    assert.equal((await ranks())[0], "26");
    await page.getByRole("button", { name: "Previous page" }).click();
    await page.locator(".sort", { hasText: "Uncertainty" }).click();
    const values = (await page.locator(".all-picks tbody td:nth-child(5)").allTextContents()).map(Number);
    assert.deepEqual(values, [...values].sort((a, b) => b - a));
    assert.equal(await page.locator("th[aria-sort=descending]").count(), 1);
    await page.fill("#pick-search", "no such thing");
    assert.match(await page.textContent(".pages"), /No pick has that/);
    await page.fill("#pick-search", "frog");
    assert.ok((await page.locator(".all-picks tbody tr").allTextContents()).every((row) => row.includes("frog")));
    assert.equal(await page.locator("#picks .two table").count(), 2);
  });

  on_page("light and dark by the reader's choice", async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await changes_map(page, "dark", () => page.locator("label", { hasText: /^Dark$/ }).click());
    assert.notEqual(await ground(), light);
    await page.locator("label", { hasText: /^Light$/ }).click();
    assert.equal(await ground(), light);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.equal(await ground(), light);
    await page.locator("label", { hasText: /^Auto$/ }).click();
    assert.notEqual(await ground(), light);
  });

  on_page("details: options, inputs and times", async (page) => {
    assert.match(await page.textContent("#details"), /embeddings.*2000 x 16 f32/s);
    for (const summary of await page.locator("#details summary").all()) await summary.click();
    assert.match(await page.textContent("#details"), /--strategysubmod-bal/);
  });

  on_page("reads well without eyes or mouse", async (page) => {
    const faults = await page.evaluate(() => {
      const out = [];
      for (const control of document.querySelectorAll("input, select, button, canvas, [role=region], svg[role=img]")) {
        const named = control.getAttribute("aria-label") || control.textContent.trim() || (control.labels && control.labels.length > 0);
        if (!named) out.push(control.outerHTML.slice(0, 80));
      }
      const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
      for (const id of ids) if (ids.filter((other) => other === id).length > 1) out.push(`id ${id} twice`);
      for (const link of document.querySelectorAll("nav a")) if (!document.querySelector(link.getAttribute("href"))) out.push(link.href);
      let level = 0;
      for (const heading of document.querySelectorAll("h1, h2, h3")) {
        const now = Number(heading.tagName[1]);
        if (now > level + 1) out.push(`${heading.tagName} after h${level}`);
        level = now;
      }
      for (const table of document.querySelectorAll("table")) if (!table.caption || !table.querySelector("th[scope]")) out.push("a table without caption or headers");
      return out;
    });
    assert.deepEqual(faults, []);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    assert.match(await page.evaluate(() => document.querySelector("canvas").getAttribute("aria-label")), /2,000 items with 200 picks/);
  });
}

test("an experiment: accuracy by strategy, and the verdict", async () => {
  const file = make_experiment_report();
  for (const size of Object.values(sizes)) {
    const { page, troubles, close } = await open_page(browser, file, size);
    assert.equal(await page.locator("#experiment .mark").count(), 6 + 2);
    assert.equal(await page.locator("#experiment .error").count(), 6);
    assert.match(await page.textContent(".verdict"), /submod-bal/);
    await page.locator("#experiment summary").click();
    await page.waitForSelector("#experiment tbody tr");
    assert.equal(await page.locator("#experiment tbody tr").count(), 6);
    assert.deepEqual(troubles, []);
    await close();
  }
});

test("a certificate that is all constant part says so", async () => {
  // Penalties outweigh the uncertainty: all that is certain is what every set has.
  const { page, troubles, close } = await open_page(browser, make_weighted_report("0.01,1,0", "500"), sizes.desktop);
  assert.match(await page.textContent("#certificate"), /flatters every choice alike, nothing is certain\./);
  assert.deepEqual(troubles, []);
  await close();
});

test("an objective that is 0 for every set vouches for nothing", async () => {
  const { page, troubles, close } = await open_page(browser, make_weighted_report("0,0,0", "100"), sizes.desktop);
  assert.match(await page.textContent("#certificate"), /cannot tell a good choice from a bad one/);
  assert.equal(await page.locator("#certificate .meter").count(), 0);
  assert.doesNotMatch(await page.textContent("header"), /best possible|better by more/);
  assert.deepEqual(troubles, []);
  await close();
});

test("an objective without the diversity term has no constant part of it", async () => {
  // What the other terms leave of the gain is then their rounding, and in these choices that is above 0.
  for (const seed of ["6", "16"]) {
    const { page, troubles, close } = await open_page(browser, make_random_report(seed, "--lambda", "0.7,0,1"), sizes.desktop);
    assert.equal(await page.locator("#gain .controls").count(), 0);
    assert.doesNotMatch(await page.textContent("#gain"), /Every pick also adds/);
    assert.deepEqual(troubles, []);
    await close();
  }
});

test("a choice that reaches nothing of what is possible is not said to be near it", async () => {
  // All that counts is one item, which chance did not pick.
  writeFileSync(join(place, "scores.csv"), Array.from({ length: 2000 }, (_, at) => `${at === 7 ? 1 : 0}\n`).join(""));
  const { page, troubles, close } = await open_page(browser, make_random_report("1", "--term", "scores=1", "--scores", join(place, "scores.csv")), sizes.desktop);
  assert.match(await page.textContent("#certificate"), /at least 0\.00% as good/);
  assert.doesNotMatch(await page.textContent(".summary"), /better by more/);
  assert.deepEqual(troubles, []);
  await close();
});

test("a theme that the browser does not keep stays after printing", async () => {
  const { page, close } = await open_page(browser, report, sizes.desktop);
  await page.evaluate(() => { Storage.prototype.setItem = Storage.prototype.getItem = () => { throw new Error("denied"); }; });
  await page.locator("label", { hasText: /^Dark$/ }).click();
  const theme = await page.evaluate(() => {
    for (const event of ["beforeprint", "afterprint"]) dispatchEvent(new Event(event));
    return document.documentElement.dataset.theme;
  });
  assert.equal(theme, "dark");
  await close();
});

test("the map is printed light, whatever the theme", async () => {
  const { page, close } = await open_page(browser, report, sizes.desktop, "dark");
  await picture(page);
  assert.ok(Math.min(...await corner_in_print(page)) > 200);
  await close();
});

test("labelled items are said to be labelled, one or several", async () => {
  for (const [items, words] of [[[3], /going on from 1 labelled item, by/], [[3, 4, 5], /going on from 3 labelled items, by/]]) {
    const { page, close } = await open_page(browser, make_labelled_report(items), sizes.desktop);
    assert.match(await page.textContent(".summary"), words);
    assert.match(await page.textContent("#map .legend"), /labelled before/);
    assert.match(await page.textContent("#classes .legend"), /labelled before/);
    await close();
  }
});

test("contrast of text is enough in light and dark", async () => {
  for (const scheme of ["light", "dark"]) {
    const { page, close } = await open_page(browser, report, sizes.desktop, scheme);
    const ratios = await page.evaluate(() => {
      const luminance = (text) => {
        const [r, g, b] = text.match(/[\d.]+/g).map((part) => Number(part) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = luminance(getComputedStyle(document.body).backgroundColor);
      return [".summary", ".lead", ".hint", "nav a", "thead th", ".legend", "summary"].map((selector) => {
        const text = luminance(getComputedStyle(document.querySelector(selector)).color);
        return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      });
    });
    for (const ratio of ratios) assert.ok(ratio >= 4.5, `${scheme}: ${ratios}`);
    await close();
  }
});
