import type { Page } from "playwright";
import { expect, test } from "vitest";
import english from "../../locales/en.json" with { type: "json" };
import { faults } from "./faults.ts";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

async function palette(hands: Operator, words: string): Promise<void> {
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]:focus").waitFor();
  await hands.page.keyboard.type(words);
}

async function run(hands: Operator, words: string): Promise<void> {
  await palette(hands, words);
  await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: words }).waitFor();
  await hands.press("Enter");
}

async function seek(hands: Operator, command: string): Promise<void> {
  await run(hands, "Change keys");
  await hands.page.locator("input[type=search]:focus").waitFor();
  await hands.page.keyboard.type(command);
}

async function openEditor(hands: Operator, command: string): Promise<void> {
  await seek(hands, command);
  await hands.page.keyboard.press("ArrowDown");
  await hands.page.locator(".key-list:focus").waitFor();
}

const caps = (page: Page) => page.locator(".key-row.on kbd").allInnerTexts();
const onButton = (page: Page) => page.locator(".acts .btn.go kbd").innerText();

async function atWork(rows = 3): Promise<{ hands: Operator; at: Awaited<ReturnType<typeof makeFloor>> }> {
  const at = await makeFloor(hall, rows);
  const hands = await sitDown(hall, at);
  await hands.pressAll("g", "w");
  await hands.page.locator("[role=grid] [role=row][aria-rowindex='2']").waitFor();
  return { hands, at };
}

async function approvals(tenant: string): Promise<number> {
  const { rows } = await hall.db.owner.query<{ count: string }>(
    "select count(*) from transaction_events where tenant_id = $1 and act = 'approve'",
    [tenant],
  );
  return Number(rows[0]?.count);
}

test("approve moved from a to p: button, palette, cheat sheet and status bar say p, p approves, a does not, and so after a reload", async () => {
  const { hands, at } = await atWork();
  const { page } = hands;
  await hands.watch();
  await hands.press("q");
  await hands.look();
  await openEditor(hands, "Approve the withdrawal");
  expect(await caps(page)).toEqual(["a"]);
  await hands.press("Enter");
  await page.locator(".key-recording").waitFor();
  await hands.press("y");
  // y begins "y y" and the other copies: the conflict is named, and nothing happens until it is settled
  await page.locator(".key-conflict", { hasText: "Copy" }).waitFor();
  expect(await caps(page)).toEqual(["a"]);
  await hands.press("3");
  await page.locator(".key-conflict").waitFor({ state: "detached" });
  expect(await caps(page)).toEqual(["a"]);

  await hands.press("Enter");
  await hands.pressAll("p", "Enter");
  await expect.poll(() => caps(page)).toEqual(["p"]);
  await hands.press("Escape");
  await page.locator(".sheet").waitFor({ state: "detached" });

  const seen = async () => {
    await expect.poll(() => onButton(page)).toBe("p");
    await expect.poll(() => page.locator(".stat .keys", { hasText: "approve" }).locator("kbd").first().innerText()).toBe("p");
    await palette(hands, "approve the withdrawal");
    await expect.poll(() => page.locator("[cmdk-item][data-selected=true] kbd").innerText()).toBe("p");
    await hands.press("Escape");
    await page.locator("[cmdk-root]").waitFor({ state: "detached" });
    await hands.press("?");
    await page.locator(".help dl > div", { hasText: /^p\s*Approve the withdrawal/ }).waitFor();
    await hands.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
  };
  await seen();
  const first = await hands.look();
  const approving: string[] = [];
  page.on("request", (request) => request.url().endsWith("/withdrawals/approve") && approving.push(request.url()));
  await hands.press("a");
  // what the next key asks for goes out after whatever that one did
  await Promise.all([page.waitForRequest(/v1\/withdrawals\?/), page.keyboard.press("Shift+R")]);
  expect(approving).toEqual([]);
  expect(await hands.target()).toBe(first);
  expect(await approvals(at.office.tenant.id)).toBe(0);
  await hands.press("p");
  await hands.look(first);
  expect(await approvals(at.office.tenant.id)).toBe(1);
  expect((await hands.watched()).pointers).toBe(0);

  await page.reload();
  await page.locator("[role=grid] [role=row][aria-rowindex='2']").waitFor();
  await hands.press("q");
  await hands.look();
  await seen();
  await hands.press("p");
  await expect.poll(() => approvals(at.office.tenant.id)).toBe(2);
});

test("a key another command has can be taken from it, put back one by one, and all at once only by Mod+Enter", async () => {
  const { hands } = await atWork();
  const { page } = hands;
  // the first Enter records for what was sought
  await seek(hands, "Approve the withdrawal");
  await hands.press("Enter");
  await hands.pressAll("t", "Enter");
  await page.locator(".key-conflict", { hasText: "Take" }).waitFor();
  await hands.press("1");
  await expect.poll(() => caps(page)).toEqual(["t"]);
  await page.keyboard.press("Backspace");
  await expect.poll(() => caps(page)).toEqual(["a"]);
  await page.keyboard.press("Delete");
  await page.locator(".key-row.on", { hasText: "no key" }).waitFor();
  await page.getByRole("button", { name: "Reset all…" }).click();
  await page.locator("[role=alertdialog]").waitFor();
  await hands.press("Enter");
  await hands.press("Enter", { mod: true });
  await page.locator("[role=alertdialog]").waitFor({ state: "detached" });
  await expect.poll(() => caps(page)).toEqual(["a"]);
});

test("keys go out to a file and come back; a file with a key of the browser is refused by name and changes nothing", async () => {
  const { hands } = await atWork();
  const { page } = hands;
  await openEditor(hands, "Approve the withdrawal");
  await hands.press("Enter");
  await hands.pressAll("p", "Enter");
  await expect.poll(() => caps(page)).toEqual(["p"]);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  expect(download.suggestedFilename()).toBe("countinghouse-keys.json");
  const load = (text: string) =>
    page.locator("input[type=file]").setInputFiles({ name: "keys.json", mimeType: "application/json", buffer: Buffer.from(text) });
  const file = (keys: object) => JSON.stringify({ countinghouse: "keys", version: 1, letters_off: false, keys });
  await load(file({ "withdrawal.approve": ["$mod+t"], "withdrawal.reject": ["x"] }));
  await page.locator(".key-trouble", { hasText: "Approve the withdrawal" }).waitFor();
  expect(await caps(page)).toEqual(["p"]);
  await load(file({ "withdrawal.approve": ["F8"], "gone.command": ["y"] }));
  await expect.poll(() => caps(page)).toEqual(["F8"]);
  expect(await page.locator(".key-trouble").count()).toBe(0);
});

test("the cheat sheet puts the record first, is searched by pressing a key and printed alone; single letters can be off, with F8 for approve", async () => {
  const { hands } = await atWork();
  const { page } = hands;
  await hands.press("?");
  await page.locator(".help").waitFor();
  // the record's keys first; a view's key by the name of its view
  expect(await page.locator(".help h3").allInnerTexts()).toEqual(["This record", "List", "This screen", "Everywhere"]);
  await page.locator(".help dl > div", { hasText: /^1\s*View: Work list$/ }).waitFor();
  await hands.press("k", { mod: true });
  await page.locator(".pressed").waitFor();
  await hands.press("g");
  await expect.poll(() => page.locator(".help dl > div").allInnerTexts()).toContainEqual(expect.stringContaining("Withdrawals"));
  expect(await page.locator(".help dl > div", { hasText: "Approve" }).count()).toBe(0);
  await hands.press("Escape");
  await page.locator(".help dl > div", { hasText: "Approve the withdrawal" }).waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".help").isVisible()).toBe(true);
  expect(await page.locator(".app, .find-bar, .sheet-foot").filter({ visible: true }).count()).toBe(0);
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "Change keys…" }).click();
  await page.getByLabel("F8 approves, F9 rejects").check();
  await page.getByLabel("Single letters off").check();
  expect(await faults(page, ".sheet")).toEqual([]);
  await hands.press("Escape");
  await page.locator(".sheet").waitFor({ state: "detached" });
  await expect.poll(() => onButton(page)).toBe("F8");
  await page.locator("[role=grid]:focus").waitFor();
  await hands.press("q");
  expect(await hands.mode()).toBe("LIST");
  // the user menu leads to the keys and to the profile
  const own = page.getByRole("button", { name: /user menu$/ });
  await own.click();
  await page.getByRole("dialog", { name: "user menu" }).getByRole("button", { name: "Change keys" }).click();
  await page.locator(".key-list .key-row").first().waitFor();
  await hands.press("Escape");
  await page.locator(".sheet").waitFor({ state: "detached" });
  await own.click();
  await page.getByRole("dialog", { name: "user menu" }).getByRole("button", { name: "Profile" }).click();
  await page.waitForURL((url) => url.pathname === "/profile");
});

test("three clicks on a keyed button name its key once; Esc takes the hint away", async () => {
  const { hands } = await atWork(5);
  const { page } = hands;
  const next = page.locator(".acts .btn", { hasText: "Next" });
  for (let n = 0; n < 3; n++) {
    expect(await page.locator(".coach").count()).toBe(0);
    // oxlint-disable-next-line no-await-in-loop -- one click after the other
    await next.click();
  }
  await page.locator(".coach kbd", { hasText: "n" }).waitFor();
  await hands.press("Escape");
  await page.locator(".coach").waitFor({ state: "detached" });
});

test("the practice queue is worked by the real keys, keeps its score, and sends nothing", async () => {
  const { hands, at } = await atWork();
  const { page } = hands;
  // the live channel's question of who it is is written too
  await page.locator(".stat .dot:not(.wait, .bad, .off)").waitFor();
  // what was used of the palette to come here is kept a moment later
  const kept = page.waitForResponse((response) => response.request().postData()?.includes("keys.practice") === true);
  await run(hands, "Practice queue");
  await page.locator(".practice .decide").waitFor();
  await kept;
  await hands.watch();
  // the page behind goes on reading; nothing is written
  const sent: string[] = [];
  page.on("request", (request) => request.method() !== "GET" && sent.push(`${request.method()} ${request.url()} ${request.postData()}`));

  const answers: Record<string, string> = {
    "Name match": english["reason.name-mismatch"],
    "Per transaction": english["reason.over-limit"],
    "Same payee in 24 h": english["reason.duplicate"],
  };
  const shown = () => page.locator(".practice .decide .id").innerText();
  expect(await faults(page)).toEqual([]);
  // looking about costs two keys, and decides nothing
  const start = await shown();
  await hands.press("j");
  await page.waitForFunction((known) => document.querySelector<HTMLElement>(".practice .decide .id")?.innerText !== known, start);
  await hands.press("k");
  await page.waitForFunction((known) => document.querySelector<HTMLElement>(".practice .decide .id")?.innerText === known, start);
  for (let guard = 0; guard < 30 && (await page.locator(".practice-result").count()) === 0; guard++) {
    const before = await shown();
    await page.waitForFunction(() => document.querySelector(".practice .btn.go")?.getAttribute("aria-disabled") !== "true");
    const failing = await page.locator(".practice .ck.is-fail > span").allInnerTexts();
    const reason = Object.entries(answers).find(([check]) => failing.some((line) => line.includes(check)))?.[1];
    if (reason !== undefined) {
      await hands.press("r");
      // on the digit the tenant has it on
      const digit = await page.locator(".sheet .option", { hasText: reason }).locator("kbd").innerText();
      await hands.pressAll(digit, "Enter");
    } else if ((await page.locator(".practice .ck", { hasText: "not known yet" }).count()) > 0) await hands.press("h");
    else {
      // from the tenant's amount on it is confirmed, as at work
      const amount = Number((await page.locator(".practice .decide .amt").innerText()).replaceAll(/[^\d.]/g, ""));
      await hands.press("a");
      if (amount >= 5_000) {
        await page.locator(".sheet-money").waitFor();
        await hands.press("Enter", { mod: true });
      }
    }
    await page.waitForFunction(
      (known) =>
        document.querySelector(".practice-result") !== null ||
        document.querySelector<HTMLElement>(".practice .decide .id")?.innerText !== known,
      before,
    );
  }
  const figures = await page.locator(".practice-figures dd").allInnerTexts();
  expect([figures[0], figures[2], figures[3]]).toEqual(["20 / 20", "2", "0"]);
  await page.locator(".practice-result", { hasText: "Your best so far" }).waitFor();
  // not even the result
  expect(sent).toEqual([]);
  expect((await hands.watched()).pointers).toBe(0);
  expect(await approvals(at.office.tenant.id)).toBe(0);
  await hands.press("Escape");
  await page.locator(".practice").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.closest("[role=grid]") !== null);
  expect(await page.locator("[inert]").count()).toBe(0);
});

test("while Chinese is being composed Enter runs nothing; what was composed is what is sought, and a key of the composition decides nothing", async () => {
  const { hands, at } = await atWork();
  const { page } = hands;
  await page.evaluate(() =>
    document.activeElement?.closest("[role=grid]") === null ? Promise.reject(new Error("not on the grid")) : undefined,
  );
  const cdp = await page.context().newCDPSession(page);
  // as a browser tells of a key that the input method took
  const composing = (code: string) =>
    cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Process", code, windowsVirtualKeyCode: 229 });
  await hands.press("q");
  await hands.look();
  await composing("KeyA");
  await hands.said(/Latin/);
  expect(await approvals(at.office.tenant.id)).toBe(0);

  await hands.press("k", { mod: true });
  await page.locator("[cmdk-input]").waitFor();
  await cdp.send("Input.imeSetComposition", { text: "tikuan", selectionStart: 6, selectionEnd: 6 });
  await expect.poll(() => page.locator("[cmdk-input]").inputValue()).toBe("tikuan");
  await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 });
  await cdp.send("Input.insertText", { text: "提款" });
  await expect.poll(() => page.locator("[cmdk-input]").inputValue()).toBe("提款");
  expect(await page.locator(".pal").count()).toBe(1);
  expect(await approvals(at.office.tenant.id)).toBe(0);
});
