import { expect, test } from "vitest";
import { createFormats } from "../../src/console/api/formats.ts";
import { testHall } from "../support/hall.ts";
import { inMinutes, makeDowntime } from "../support/downtimes.ts";
import { makeGame, makeProvider } from "../support/game-provider.ts";
import { makeMasterAccount } from "../support/master-accounts.ts";
import { atRest } from "./at-rest.ts";
import { faultsInBothThemes } from "./faults.ts";
import { rewrite, tabTo } from "./fields.ts";
import { atHour, makeFloor, sitDown } from "./floor.ts";
import { keepToasts } from "./kept-toasts.ts";

const hall = testHall();
const rights = [
  "gps.provider.master-accounts.view",
  "gps.provider.merchant-providers.view",
  "gps.provider.games.view",
  ...["view", "create", "update", "delete"].map((act) => `gps.provider.downtime.${act}`),
  // for the counters
  "pas.transaction.deposits.view",
];

/** A floor with one provider, a merchant's set-up there, and a game of it. */
async function providers() {
  const at = await makeFloor(hall, 0);
  const zone = await atHour(hall, at.office, 12);
  const account = await makeMasterAccount(hall.db, at.office.tenant, { code: "NAGA-1", name: "Naga Slots" });
  const provider = await makeProvider(hall.db, at.office.tenant, at.merchant, { name: "Naga Play", master_account_id: account });
  const game = await makeGame(hall.db, at.office.tenant, provider, { code: "golden-1", name: "Golden Naga" });
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", rights) });
  await keepToasts(hands.page);
  return { at, account, provider, game, hands, page: hands.page, zone };
}

test("by keys only: a provider's downtime is planned, seen over time, moved, begins by itself, shows wherever it stands, and is ended", async () => {
  const { at, account, provider, hands, page, zone } = await providers();
  await hands.pressAll("g", "n");
  await page.getByRole("grid", { name: "Downtime schedule" }).waitFor();
  await atRest(page);
  await hands.watch();

  await hands.press("c");
  const sheet = page.locator(".sheet");
  await tabTo(sheet.getByRole("combobox", { name: /^Entity name/ }));
  await page.keyboard.type("naga slo");
  await page.locator("[role=option]", { hasText: "Naga Slots" }).waitFor();
  await hands.press("Enter");
  await rewrite(sheet.getByLabel("Reason"), "Build 4.12");
  const formats = createFormats(zone);
  await rewrite(sheet.getByLabel("Start time"), formats.time(inMinutes(60)));
  await rewrite(sheet.getByLabel("End time"), formats.time(inMinutes(30)));
  await hands.press("Enter", { mod: true });
  await sheet.getByText("Must be after the start").waitFor();
  expect(await faultsInBothThemes(page)).toEqual([]);
  await rewrite(sheet.getByLabel("End time"), formats.time(inMinutes(120)));
  await hands.press("Enter", { mod: true });
  await sheet.waitFor({ state: "detached" });
  await page.locator(".grid .rows .row .st", { hasText: "Planned" }).waitFor();

  // the same on the timeline: its block has the focus, and is moved by keys
  const block = page.locator("[data-block]", { hasText: "Build 4.12" });
  await block.waitFor();
  await hands.press("t");
  await expect.poll(() => block.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await faultsInBothThemes(page)).toEqual([]);
  const times = async () =>
    (await hall.db.owner.query("select starts_at, ends_at from downtimes where tenant_id = $1", [at.office.tenant.id])).rows[0];
  const before = await times();
  for (let n = 0; n < 2; n++) await page.keyboard.press("Shift+ArrowRight");
  const later = (instant: Date, minutes: number) => new Date(instant.getTime() + minutes * 60_000);
  await expect.poll(times).toEqual({ starts_at: before.starts_at, ends_at: later(before.ends_at, 30) });
  await hands.press("z");
  await expect.poll(times).toEqual(before);
  await page.keyboard.press("Shift+ArrowDown");
  await expect.poll(times).toEqual({ starts_at: later(before.starts_at, 15), ends_at: later(before.ends_at, 15) });
  await hands.press("o");
  await page.getByRole("table").getByRole("rowheader", { name: "Naga Slots" }).waitFor();
  await hands.press("o");

  // its time comes
  await hall.db.owner.query(
    "update downtimes set starts_at = starts_at - interval '2 hours', ends_at = ends_at - interval '15 minutes', tell_at = now() where tenant_id = $1",
    [at.office.tenant.id],
  );
  await page.locator(".grid .rows .row .st", { hasText: "Now" }).waitFor();
  await expect
    .poll(() => page.evaluate(() => window.toasted?.map(({ title }) => title)))
    .toContainEqual(expect.stringMatching(/^Naga Slots is down until/));
  await page.getByRole("button", { name: "Downtime now: 1" }).waitFor();

  // wherever it stands
  const says = async (path: string, row: string) => {
    await page.goto(`${hall.url()}${path}`);
    await page.locator(".grid .rows .row", { hasText: row }).locator(".st", { hasText: "Maintenance" }).waitFor();
    await page.locator(".detail .st", { hasText: "Maintenance" }).waitFor();
  };
  await says(`/game-provider/master-account?record=${account}`, "Naga Slots");
  await says(`/game-provider/merchants/${at.merchant.id}/providers`, "Naga Play");
  await says(`/game-provider/merchant-providers/${provider}/games`, "Golden Naga");

  await page.goBack();
  await page.goto(`${hall.url()}/game-provider/downtime-schedule`);
  await page.locator(".grid .rows .row .st", { hasText: "Now" }).waitFor();
  await atRest(page);
  await hands.press("a");
  await page.locator(".sheet").getByText("End the downtime of Naga Slots now?").waitFor();
  await hands.press("Enter", { mod: true });
  await page.locator(".grid .rows .row .st", { hasText: "Ended" }).waitFor();
  await expect
    .poll(() => page.evaluate(() => window.toasted?.map(({ title }) => title)))
    .toContainEqual("The downtime of Naga Slots is over");
});

test("what overlaps is refused with what was typed kept, and is one with it where that is wanted", async () => {
  const { at, game, hands, page, zone } = await providers();
  // whole minutes, as they are typed
  const [begins, between, until, ends] = [60, 90, 120, 180].map((minutes) => `${inMinutes(minutes).slice(0, 16)}:00.000Z`);
  const window = { starts_at: begins, ends_at: until };
  await makeDowntime(hall.db, at.office.tenant, at.operator, { provider_game_id: game }, window);
  await hands.pressAll("g", "n");
  await page.locator(".grid .rows .row", { hasText: "Golden Naga" }).waitFor();
  await atRest(page);
  await hands.press("c");
  const sheet = page.locator(".sheet");
  await tabTo(sheet.getByRole("combobox", { name: /^Entity name/ }));
  await page.keyboard.type("golden-1");
  await page.locator("[role=option]", { hasText: "Golden Naga" }).waitFor();
  await hands.press("Enter");
  await rewrite(sheet.getByLabel("Reason"), "Paytable");
  const formats = createFormats(zone);
  await rewrite(sheet.getByLabel("Start time"), formats.time(between ?? ""));
  await rewrite(sheet.getByLabel("End time"), formats.time(ends ?? ""));
  await hands.press("Enter", { mod: true });
  await sheet.getByText(/^Overlaps with another downtime: /).waitFor();
  expect(await sheet.getByLabel("Reason").inputValue()).toBe("Paytable");
  await tabTo(sheet.getByLabel("Merge with what it overlaps"));
  await page.keyboard.press("Space");
  await hands.press("Enter", { mod: true });
  await sheet.waitFor({ state: "detached" });
  await page.locator(".views", { hasText: "1 row" }).waitFor();
  const { rows } = await hall.db.owner.query(
    "select reason, round(extract(epoch from ends_at - starts_at) / 60)::integer as minutes from downtimes where tenant_id = $1",
    [at.office.tenant.id],
  );
  expect(rows).toEqual([{ reason: "Paytable", minutes: 120 }]);
});

test("the detail shows the window that keys on the timeline act on, as soon as it has the focus", async () => {
  const { at, account, game, hands, page } = await providers();
  const { office, operator } = at;
  await makeDowntime(hall.db, office.tenant, operator, { provider_game_id: game }, { starts_at: inMinutes(-90), ends_at: inMinutes(-30) });
  await makeDowntime(hall.db, office.tenant, operator, { master_account_id: account });
  await hands.pressAll("g", "n");
  await page.locator(".detail .decide", { hasText: "Golden Naga" }).waitFor();
  await page.locator("[data-block]").nth(1).waitFor();
  await atRest(page);
  await hands.press("t");
  await page.locator(".detail .decide", { hasText: "Naga Slots" }).waitFor();
  expect(await hands.target()).toBe("NAGA-1");
});

test("a window that is moved keeps the cursor and the focus, and one that may not be moved says why and stays", async () => {
  const { at, account, game, hands, page } = await providers();
  const { office, operator } = at;
  const made = async (of: Parameters<typeof makeDowntime>[3], reason: string, from: number, to: number) =>
    makeDowntime(hall.db, office.tenant, operator, of, { reason, starts_at: inMinutes(from), ends_at: inMinutes(to) });
  await made({ master_account_id: account }, "Lasts now", -30, 30);
  const later = await made({ provider_game_id: game }, "Is moved", 60, 90);
  await made({ provider_game_id: game }, "In the way", 108, 130);
  await hands.pressAll("g", "n");
  await page.locator("[data-block]").nth(2).waitFor();
  await atRest(page);
  await hands.press("t");
  await hands.press("ArrowDown");
  const held = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  await expect.poll(held).toContain("Is moved");
  const start = async (): Promise<number> => {
    const { rows } = await hall.db.owner.query<{ starts_at: Date }>("select starts_at from downtimes where id = $1", [later]);
    return rows[0]?.starts_at.getTime() ?? 0;
  };
  const before = await start();
  await page.keyboard.press("Shift+ArrowDown");
  await expect.poll(start).toBe(before + 15 * 60_000);
  await atRest(page);
  expect(await held()).toContain("Is moved");
  await page.keyboard.press("Shift+ArrowDown");
  await page
    .getByText(/Overlaps with another downtime/)
    .first()
    .waitFor();
  expect(await start()).toBe(before + 15 * 60_000);
  expect(await held()).toContain("Is moved");
});
