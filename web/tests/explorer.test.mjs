import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { corner_in_print, open_browser, pith, place, run, sizes } from "./browser.mjs";
import { hold_back, make_run, open_explorer, recomputes, serve, wait_for } from "./serving.mjs";

let browser;
let server;
before(async () => {
  const folder = make_run();
  server = await serve(folder, "--class-names", join(place, "names.txt"));
  browser = await open_browser();
});
after(async () => {
  await browser?.close();
  assert.equal(await server?.stop(), 0);
});

const drawn = (page, canvas) => page.evaluate((canvas) => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector(canvas).toDataURL())))), canvas);
const picture = (page) => drawn(page, "canvas");
const marks = (page) => drawn(page, ".overlay");
async function changes_map(page, what, act) {
  const earlier = await picture(page);
  await act();
  assert.notEqual(await picture(page), earlier, what);
}
const indices = (bytes) => {
  const start = 10 + bytes.readUInt16LE(8);
  return Array.from(new BigInt64Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length)), Number);
};
async function look_at(page, item) {
  await page.fill("#item-number", item);
  await page.locator(".find button").click();
  await wait_for(page, (wanted) => document.querySelector(".card h3")?.textContent === `Item ${wanted}`, item);
}
/** What the shown choice exports, and what its command line gives. */
async function exported_and_reproduced(page, name) {
  await page.selectOption("#format", "indices.npy");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
  const exported = indices(readFileSync(await download.path()));
  const line = (await page.textContent(".command")).replace(/^pith /, `'${pith}' `).replace(/--out \S+$/, `--out '${join(place, name)}'`);
  execFileSync("sh", ["-c", line]);
  return [exported, indices(readFileSync(join(place, name, "indices.npy")))];
}

for (const [name, size] of Object.entries(sizes)) {
  /** `expected`: what the browser may note, where a test makes it. */
  const on_page = (title, body, expected = /^$/) => test(`${name}: ${title}`, async () => {
    const { page, troubles, close } = await open_explorer(browser, server.address, size);
    await body(page);
    assert.deepEqual(troubles.filter((text) => !expected.test(text)), []);
    await close();
  });

  on_page("begins with the run's own choice", async (page) => {
    assert.match(await page.textContent(".summary"), /Asked for 200 items out of 2,000 in 12 classes, by submod-bal/);
    const [exported, reproduced] = await exported_and_reproduced(page, `first-${name}`);
    assert.deepEqual(exported, indices(readFileSync(join(place, "chosen/indices.npy"))));
    assert.deepEqual(reproduced, exported);
    await wait_for(page, () => /at least, by the certificate/.test(document.querySelector(".figures").textContent));
    assert.match(await page.textContent("#certificate"), /at least [\d.]+% as good as the best possible/);
  });

  on_page("every control changes the choice, and the command makes it again", async (page) => {
    const numbers = [["#budget", "150"], ["#lambda-0", "0.2"], ["#lambda-1", "0.9"], ["#lambda-2", "0"], ["#gamma", "0.5"], ["#eta", "0.25"], ["#tau", "0.3"]];
    for (const [input, value] of numbers)
      await recomputes(page, async () => {
        await page.fill(input, value);
        await page.press(input, "Tab");
      });
    await recomputes(page, () => page.selectOption("#balance", "class"));
    await page.locator(".controls-panel summary").click();
    for (const [input, value] of [["#uncertainty", "entropy"], ["#shortfall", "stop"], ["#triple-scale", "mean"], ["#boundary-cap", "proportional"]])
      await recomputes(page, () => page.selectOption(input, value));
    for (const [input, value] of [["#class-slack", "1.5"], ["#boundary-slack", "3"], ["#area-quantile", "0.5"], ["#seed", "7"]])
      await recomputes(page, async () => {
        await page.fill(input, value);
        await page.press(input, "Tab");
      });
    const [exported, reproduced] = await exported_and_reproduced(page, `controls-${name}`);
    assert.equal(exported.length, 150);
    assert.deepEqual(reproduced, exported);
    await recomputes(page, () => page.check("#lambda-auto"));
    assert.equal(await page.isDisabled("#lambda-0"), false);
    assert.notEqual(await page.inputValue("#lambda-0"), "0.2");
    assert.doesNotMatch(await page.textContent(".command"), /--lambda/);
    await recomputes(page, () => page.check("#gamma-auto"));
    await recomputes(page, () => page.check("#class-slack-auto"));
    await recomputes(page, () => page.selectOption("#strategy", "k-center"));
    assert.match(await page.textContent(".summary"), /by k-center/);
    await recomputes(page, () => page.getByRole("button", { name: "As the run" }).click());
    assert.equal(await page.inputValue("#budget"), "200");
    assert.match(await page.textContent(".summary"), /by submod-bal/);
  });

  on_page("sliders: by the keyboard, a step of the option at a time", async (page) => {
    await page.focus("#gamma-slider");
    await recomputes(page, () => page.keyboard.press("ArrowLeft"));
    assert.equal(await page.inputValue("#gamma"), "0.95");
    assert.match(await page.textContent(".command"), /--gamma 0.95/);
    await page.focus("#budget-slider");
    await recomputes(page, () => page.keyboard.press("ArrowRight"));
    assert.equal(await page.inputValue("#budget"), "201");
  });

  on_page("says what is wrong, and goes on", async (page) => {
    const text = await page.textContent(".command");
    await page.fill("#gamma", "7");
    await page.press("#gamma", "Tab");
    await page.waitForSelector(".status.wrong");
    assert.match(await page.textContent(".status"), /--gamma/);
    assert.equal(await page.textContent(".command"), text);
    await page.fill("#gamma", "0.7");
    await recomputes(page, () => page.press("#gamma", "Tab"));
    assert.equal(await page.locator(".status.wrong").count(), 0);
  }, /status of 400/);

  on_page("an item: what it is, why it was chosen or not, and its neighbours", async (page) => {
    await page.getByRole("button", { name: "Start with the first pick" }).click();
    await page.waitForSelector(".why");
    assert.match(await page.textContent(".card"), /pick 1 of 200.*When it was taken, as pick 1, no other item/s);
    await page.locator(".neighbors button").first().click();
    await wait_for(page, () => !/pick 1 of 200/.test(document.querySelector(".state")?.textContent ?? ""));
    let seen = "";
    for (let item = 0; item < 40; ++item) {
      await look_at(page, String(item));
      seen += await page.textContent(".why");
    }
    assert.match(seen, /The cap of (class|boundary) .* was full after pick \d+ of 200/);
    assert.match(await page.textContent(".card"), /What it (would add now|added).*in all.*Caps.*Likeliest classes.*neighbour.*Triangles/s);
    await page.locator(".card button", { hasText: "Close" }).click();
    assert.match(await page.textContent(".card"), /No item is looked at/);
  });

  on_page("forces and excludes an item, and lets it go", async (page) => {
    await page.getByRole("button", { name: "Start with the first pick" }).click();
    await page.waitForSelector(".why");
    const first = await page.textContent(".card dl dd");
    await recomputes(page, () => page.locator(".card button", { hasText: "Exclude" }).click());
    await wait_for(page, () => /excluded/.test(document.querySelector(".state")?.textContent ?? ""));
    assert.match(await page.textContent(".lists"), /1 excluded/);
    const [exported, reproduced] = await exported_and_reproduced(page, `excluded-${name}`);
    assert.ok(!exported.includes(Number(first)));
    assert.deepEqual(reproduced, exported);
    await recomputes(page, () => page.locator(".card button", { hasText: "Force" }).click());
    await wait_for(page, () => /forced by you/.test(document.querySelector(".state")?.textContent ?? ""));
    const [forced, again] = await exported_and_reproduced(page, `forced-${name}`);
    assert.deepEqual(again, forced);
    assert.match(await page.textContent(".summary"), /going on from 1 forced item, by/);
    assert.match(await page.textContent(".card"), /What it adds to the others.*in all/s);
    for (const part of [".legend-place", "#classes", "#boundaries"]) assert.match(await page.textContent(part), /forced/);
    assert.doesNotMatch(await page.textContent("#page"), /labelled before|What it would add now|the last pick/i);
    await recomputes(page, () => page.locator(".lists button").click());
    assert.equal(await page.textContent(".lists"), "");
  });

  on_page("the focus stays on what was pressed in a card", async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    await page.getByRole("button", { name: "Start with the first pick" }).press("Enter");
    await page.waitForSelector(".why");
    assert.match(await focused(), /^Item \d+$/);
    for (const [button, state] of [["Exclude", "excluded"], ["Force", "forced by you"]]) {
      await page.locator(".card button", { hasText: button }).press("Enter");
      await wait_for(page, (wanted) => document.querySelector(".state")?.textContent === wanted, state);
      assert.equal(await focused(), button);
    }
    await page.locator(".card button", { hasText: "Close" }).press("Enter");
    assert.equal(await focused(), "Start with the first pick");
  });

  on_page("an item clicked on the map is told in sight", async (page) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const overlay = page.locator(".overlay");
    await overlay.scrollIntoViewIfNeeded();
    const box = await overlay.boundingBox();
    for (let at = 0; at < 60 && await page.locator(".card h3").count() === 0; ++at) {
      await page.mouse.click(box.x + box.width * (0.2 + 0.6 * ((at * 0.618) % 1)), box.y + box.height * (0.2 + 0.6 * ((at * 0.414) % 1)));
      await page.waitForTimeout(100);
    }
    const places = await page.evaluate(() => [".why", ".map-view", ".controls-panel"].map((part) => document.querySelector(part).getBoundingClientRect().toJSON()));
    const [why, map, controls] = places;
    const { width, height } = page.viewportSize();
    assert.ok(why.top >= 0 && why.bottom <= height && why.left >= 0 && why.right <= width, JSON.stringify(why));
    assert.ok(why.top >= map.bottom && (controls.top >= why.bottom || controls.right <= why.left), "below the map, not below the options");
  });

  on_page("map: colours, layouts, zoom, keys, dragging, clicking", async (page) => {
    for (const colour of ["uncertainty", "boundary", "order", "class"])
      if (await page.inputValue("#map-colour") !== colour) await changes_map(page, colour, () => page.selectOption("#map-colour", colour));
    await changes_map(page, "single", () => page.selectOption("#map-single", { index: 3 }));
    await changes_map(page, "all", () => page.selectOption("#map-single", ""));
    await changes_map(page, "pool", () => page.uncheck("#map-pool"));
    await changes_map(page, "pool again", () => page.check("#map-pool"));
    await changes_map(page, "pca", () => page.locator("label", { hasText: /^PCA$/ }).click());
    for (const button of ["Zoom in", "Zoom out", "Zoom in", "Show everything"]) await changes_map(page, button, () => page.getByRole("button", { name: button }).click());
    await page.focus(".overlay");
    for (const key of ["ArrowLeft", "ArrowUp", "+", "ArrowRight", "ArrowDown", "-", "0"]) await changes_map(page, key, () => page.keyboard.press(key));
    const overlay = page.locator(".overlay");
    await overlay.scrollIntoViewIfNeeded();
    const box = await overlay.boundingBox();
    await changes_map(page, "drag", async () => {
      await page.mouse.move(box.x + 100, box.y + 100);
      await page.mouse.down();
      await page.mouse.move(box.x + 160, box.y + 130, { steps: 4 });
      await page.mouse.up();
    });
    let found = "";
    for (let at = 0; at < 60 && !/Item \d+/.test(found); ++at) {
      await overlay.click({ position: { x: box.width * (0.2 + 0.6 * ((at * 0.618) % 1)), y: box.height * (0.2 + 0.6 * ((at * 0.414) % 1)) } });
      await page.waitForTimeout(50);
      found = (await page.locator(".card h3").allTextContents()).join();
    }
    assert.match(found, /Item \d+/);
  });

  on_page("lasso: shows, excludes and forces what is inside", async (page) => {
    await page.locator("label", { hasText: /^Lasso$/ }).click();
    const overlay = page.locator(".overlay");
    await overlay.scrollIntoViewIfNeeded();
    const box = await overlay.boundingBox();
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 0.2 * box.height);
    await page.mouse.down();
    for (const [x, y] of [[0.6, 0.2], [0.6, 0.6], [0.2, 0.6]]) await page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 5 });
    await page.mouse.up();
    await wait_for(page, () => /^[\d,]+ items?$/.test(document.querySelector(".card h3")?.textContent ?? ""));
    const held = Number((await page.textContent(".card h3")).replace(/\D/g, ""));
    assert.ok(held > 10 && held < 2000, `${held}`);
    await recomputes(page, () => page.locator(".card button", { hasText: "Exclude" }).click());
    assert.match(await page.textContent(".lists"), new RegExp(`${held.toLocaleString("en")} excluded`));
    await wait_for(page, () => / 0 of them chosen|^0 of them chosen/.test(document.querySelector(".card .hint").textContent));
    const [exported, reproduced] = await exported_and_reproduced(page, `lasso-${name}`);
    assert.deepEqual(reproduced, exported);
    // The same by keyboard alone: what is in view.
    await page.getByRole("button", { name: "Take what is in view" }).click();
    assert.match(await page.textContent(".card h3"), /^2,000 items$/);
  });

  on_page("A against B: what differs is marked and mapped", async (page) => {
    assert.equal(await page.locator("#compare").count(), 0);
    await page.locator(".places label", { hasText: /^B$/ }).click();
    await page.waitForSelector("#compare");
    assert.match(await page.textContent("#compare .lead"), /200 items are in both, 0 only in A and 0 only in B/);
    await recomputes(page, () => page.selectOption("#strategy", "margin"));
    assert.match(await page.textContent("#compare .lead"), /only in A and [1-9]\d* only in B/);
    assert.ok(await page.locator("#compare mark").count() > 3);
    assert.match(await page.textContent("#compare"), /submod-bal.*margin/s);
    await changes_map(page, "difference", () => page.getByRole("button", { name: "Show what differs on the map" }).click());
    await wait_for(page, () => {
      const { top, bottom } = document.querySelector(".overlay").getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    assert.match(await page.textContent(".legend-place"), /in both \(\d+\)only in A \(\d+\)only in B \(\d+\)/);
    await page.locator(".places label", { hasText: /^A$/ }).click();
    await wait_for(page, () => /by submod-bal/.test(document.querySelector(".summary").textContent));
    assert.equal(await page.inputValue("#strategy"), "submod-bal");
  });

  on_page("charts follow, and lead to the map", async (page) => {
    const bars = () => page.locator("#classes svg .bar-picks").getAttribute("d");
    const earlier = await bars();
    await page.fill("#budget", "60");
    await recomputes(page, () => page.press("#budget", "Tab"));
    assert.notEqual(await bars(), earlier);
    const area = page.locator("#classes .area").first();
    await area.scrollIntoViewIfNeeded();
    await area.click({ position: { x: 5, y: 40 } });
    assert.equal(await page.inputValue("#map-colour"), "class");
    assert.notEqual(await page.inputValue("#map-single"), "");
    assert.ok(await page.locator("#gain svg.chart path").count() > 2);
  });

  on_page("reads well without eyes or mouse, and never scrolls sideways", async (page) => {
    const faults = await page.evaluate(() => {
      const out = [];
      for (const control of document.querySelectorAll("input, select, button, canvas:not([aria-hidden]), [role=region], svg[role=img]")) {
        const named = control.getAttribute("aria-label") || control.textContent.trim() || (control.labels && control.labels.length > 0);
        if (!named) out.push(control.outerHTML.slice(0, 80));
      }
      const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
      for (const id of ids) if (ids.filter((other) => other === id).length > 1) out.push(`id ${id} twice`);
      if (document.documentElement.scrollWidth > document.documentElement.clientWidth) out.push("scrolls sideways");
      return out;
    });
    assert.deepEqual(faults, []);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  });
}

test("the last of many quick changes is the one that is shown", async () => {
  const { page, troubles, close } = await open_explorer(browser, server.address, sizes.desktop);
  await page.evaluate(() => {
    const budget = document.getElementById("budget");
    for (const value of [20, 40, 60, 80, 100, 120]) {
      budget.value = value;
      budget.dispatchEvent(new Event("change"));
    }
  });
  await wait_for(page, () => /^120 chosen/.test(document.querySelector(".status").textContent));
  assert.match(await page.textContent(".summary"), /It chose 120/);
  assert.deepEqual(troubles, []);
  await close();
});

test("B asked for before A has answered: A's answer waits to be shown", async () => {
  let answer_a;
  let answer_b;
  const { page, troubles, close } = await open_explorer(browser, server.address, sizes.desktop, "light", async (page) => {
    answer_a = await hold_back(page, "/api/select", (asked) => asked.place === "a");
    answer_b = await hold_back(page, "/api/select", (asked) => asked.place === "b");
  });
  await page.locator(".places label", { hasText: /^B$/ }).click();
  answer_a();
  await page.waitForSelector("html[data-ready=yes]");
  assert.match(await page.textContent(".status"), /^Choosing/);
  answer_b();
  await page.waitForSelector("#compare");
  assert.match(await page.textContent(".status"), /^200 chosen/);
  await page.locator(".places label", { hasText: /^A$/ }).click();
  await wait_for(page, () => /chosen in A/.test(document.querySelector(".figures").textContent));
  assert.deepEqual(troubles, []);
  await close();
});

test("the item asked for last is the one that is shown", async () => {
  const { page, troubles, close } = await open_explorer(browser, server.address, sizes.desktop);
  const answer_first = await hold_back(page, "/api/item", (asked) => asked.item === 1);
  for (const item of ["1", "2"]) {
    await page.fill("#item-number", item);
    await page.locator(".find button").click();
  }
  await wait_for(page, () => document.querySelector(".card h3")?.textContent === "Item 2");
  const late = page.waitForResponse((response) => response.url().endsWith("/api/item"));
  answer_first();
  await (await late).finished();
  await page.waitForTimeout(100);
  assert.equal(await page.textContent(".card h3"), "Item 2");
  assert.deepEqual(troubles, []);
  await close();
});

test("another window in the same place: nothing of its choice is passed off as the one that is shown", async () => {
  const first = await open_explorer(browser, server.address, sizes.desktop);
  const second = await open_explorer(browser, server.address, sizes.desktop);
  const { page } = first;
  const told = () => page.textContent(".status");
  const lost = /^Another window has chosen something else in A\. Choose again to take it back, or go on in B\./;
  const take_place = async (budget) => {
    await second.page.fill("#budget", budget);
    await recomputes(second.page, () => second.page.press("#budget", "Tab"));
  };
  await take_place("60");
  await page.getByRole("button", { name: "Save" }).click();
  await wait_for(page, () => document.querySelector(".status").textContent.startsWith("Another window"));
  assert.match(await told(), lost);
  assert.doesNotMatch(await page.textContent("#take-away"), /Saved/);
  await page.getByRole("button", { name: "Choose again" }).click();
  await wait_for(page, () => /^200 chosen/.test(document.querySelector(".status").textContent));
  const [exported, reproduced] = await exported_and_reproduced(page, "taken-back");
  assert.equal(exported.length, 200);
  assert.deepEqual(reproduced, exported);

  await take_place("70");
  await page.fill("#item-number", "3");
  await page.locator(".find button").click();
  await wait_for(page, () => document.querySelector(".status").textContent.startsWith("Another window"));
  assert.match(await told(), lost);
  assert.equal(await page.locator(".card h3").count(), 0);
  await page.getByRole("button", { name: "Choose again" }).click();
  await wait_for(page, () => document.querySelector(".card h3")?.textContent === "Item 3");
  assert.match(await told(), /^200 chosen/);
  for (const { troubles, close } of [first, second]) {
    assert.deepEqual(troubles, []);
    await close();
  }
});

test("a choice that cannot be made leaves the one that is shown its certificate", async () => {
  let overtake;
  let certificate_asked;
  const { page, troubles, close } = await open_explorer(browser, server.address, sizes.desktop, "light", async (page) => {
    const overtaken = new Promise((done) => { overtake = done; });
    let first = true;
    certificate_asked = page.waitForRequest("**/api/certificate");
    await page.route("**/api/certificate", async (route) => {
      if (!first) return route.fallback();
      first = false;
      await overtaken;
      await route.fulfill({ status: 409, json: { error: "a newer question took its place" } });
    });
  });
  await certificate_asked;
  await page.fill("#gamma", "7");
  await page.press("#gamma", "Tab");
  overtake();
  await page.waitForSelector(".status.wrong");
  await wait_for(page, () => /at least, by the certificate/.test(document.querySelector(".figures").textContent));
  assert.match(await page.textContent(".status"), /--gamma/);
  assert.deepEqual(troubles.filter((text) => !/status of 400/.test(text)), []);
  await close();
});

test("a number written while the lasso holds items takes its marks off the map", async () => {
  const { page, troubles, close } = await open_explorer(browser, server.address, sizes.desktop);
  await look_at(page, "5");
  const earlier = await marks(page);
  await page.getByRole("button", { name: "Take what is in view" }).click();
  assert.ok(await marks(page) !== earlier, "there are some");
  await look_at(page, "5");
  assert.ok(await marks(page) === earlier, "none are left");
  assert.deepEqual(troubles, []);
  await close();
});

test("where B cannot be chosen, A stays", async () => {
  const { page, troubles, close } = await open_explorer(browser, server.address, sizes.desktop);
  const failures = () => wait_for(page, () => document.querySelector(".status").classList.contains("wrong"));
  await page.locator(".controls-panel summary").click();
  await recomputes(page, () => page.selectOption("#shortfall", "error"));
  await page.fill("#budget", "1500");
  await page.press("#budget", "Tab");
  await failures();
  await page.selectOption("#map-colour", "class");
  const answer_b = await hold_back(page, "/api/select", (asked) => asked.place === "b");
  await page.locator(".places label", { hasText: /^B$/ }).click();
  // While B is under way the page still shows A, and what is done to it does no harm.
  await page.selectOption("#map-single", { index: 1 });
  await page.selectOption("#map-colour", "boundary");
  answer_b();
  await wait_for(page, () => document.querySelector(".status").textContent.startsWith("No choice B: "));
  assert.equal(await page.isChecked("#choice-choice-a"), true);
  assert.match(await page.textContent(".figures"), /chosen in A/);
  assert.equal(await page.locator("#compare").count(), 0);
  const [exported] = await exported_and_reproduced(page, "still-a");
  assert.equal(exported.length, 200);
  assert.deepEqual(troubles.filter((text) => !/status of 422/.test(text)), []);
  await close();
});

test("forced beside labelled ones: both are said", async () => {
  writeFileSync(join(place, "labelled.txt"), "3\n4\n");
  run("select", "--embeddings", join(place, "toy/embeddings.npy"), "--probs", join(place, "toy/probs.npy"), "--labelled", join(place, "labelled.txt"), "--budget", "100", "--out", join(place, "second"));
  const other = await serve(join(place, "second"));
  const { page, close } = await open_explorer(browser, other.address, sizes.desktop);
  assert.match(await page.textContent(".summary"), /going on from 2 labelled items, by/);
  assert.match(await page.textContent(".legend-place"), /labelled before/);
  await look_at(page, "3");
  for (const name of ["Force", "Exclude"]) assert.equal(await page.locator(".card button", { hasText: name }).isDisabled(), true, name);
  await page.locator(".card button", { hasText: "Close" }).click();
  await page.getByRole("button", { name: "Start with the first pick" }).click();
  await page.waitForSelector(".why");
  await recomputes(page, () => page.locator(".card button", { hasText: "Force" }).click());
  assert.match(await page.textContent(".summary"), /going on from 3 labelled or forced items, by/);
  assert.match(await page.textContent(".legend-place"), /labelled or forced/);
  await close();
  assert.equal(await other.stop(), 0);
});

test("the token stays in the address, for a reload", async () => {
  const open_to_all = await serve(join(place, "chosen"), "--host", "0.0.0.0");
  assert.match(open_to_all.address, /#token=/);
  const { page, troubles, close } = await open_explorer(browser, open_to_all.address, sizes.desktop);
  await page.focus(".skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.reload();
  await page.waitForSelector("html[data-ready=yes]");
  assert.deepEqual(troubles, []);
  await close();
  assert.equal(await open_to_all.stop(), 0);
});

test("the map is printed light, whatever the theme", async () => {
  const { page, close } = await open_explorer(browser, server.address, sizes.desktop, "dark");
  await picture(page);
  assert.ok(Math.min(...await corner_in_print(page)) > 200);
  await close();
});

test("dark, and contrast of text enough in both", async () => {
  for (const scheme of ["light", "dark"]) {
    const { page, close } = await open_explorer(browser, server.address, sizes.desktop, scheme);
    const ratios = await page.evaluate(() => {
      const luminance = (text) => {
        const [r, g, b] = text.match(/[\d.]+/g).map((part) => Number(part) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = luminance(getComputedStyle(document.body).backgroundColor);
      return [".summary", ".lead", ".hint", ".legend", "summary", ".status"].map((selector) => {
        const text = luminance(getComputedStyle(document.querySelector(selector)).color);
        return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      });
    });
    for (const ratio of ratios) assert.ok(ratio >= 4.5, `${scheme}: ${ratios}`);
    await close();
  }
});
