import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answering } from "../support/answering.ts";
import { startAnswering } from "../support/answering.ts";
import { setSettings } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { makeProvider } from "../support/game-provider.ts";
import { makeMasterAccount } from "../support/master-accounts.ts";
import { atRest } from "./at-rest.ts";
import { faultsInBothThemes } from "./faults.ts";
import { rewrite, tabTo } from "./fields.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall({ environment: { DEVELOPMENT: "true" } });
const rights = [
  "gps.provider.master-accounts.view",
  ...["merchant-providers", "games"].flatMap((area) =>
    ["view", "create", "update", "change-status"].map((act) => `gps.provider.${area}.${act}`),
  ),
];
let pictures: Answering;
beforeAll(async () => {
  const picture = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#8844cc" } })
    .png()
    .toBuffer();
  pictures = await startAnswering();
  pictures.answer = (_, response) => void response.writeHead(200, { "content-type": "image/png" }).end(picture);
});
afterAll(() => pictures.stop());

test("the page of one set-up, opened by its bare address, is left by Back", async () => {
  const at = await makeFloor(hall, 0);
  const provider = await makeProvider(hall.db, at.office.tenant, at.merchant);
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", rights) });
  const { page } = hands;
  await hands.pressAll("g", "i");
  await page.locator(".grid .rows .row", { hasText: at.merchant.name }).waitFor();
  await atRest(page);
  const before = new URL(page.url()).pathname;
  const path = `/game-provider/merchants/${at.merchant.id}/providers/${provider}`;
  await page.goto(new URL(path, page.url()).href);
  await page.waitForURL((url) => url.searchParams.get("record") === provider);
  await atRest(page);
  await page.goBack();
  await expect.poll(() => new URL(page.url()).pathname).toBe(before);
});

test("a merchant is set up at a provider, and its games are pasted with their pictures: by keys alone", async () => {
  const at = await makeFloor(hall, 0);
  await setSettings(hall.db, at.office.tenant, { loopback_callbacks: true });
  await makeMasterAccount(hall.db, at.office.tenant, { code: "LOTUS-1", name: "Lotus Slots" });
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", rights) });
  const { page } = hands;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await hands.pressAll("g", "i");
  await page.locator(".grid .rows .row", { hasText: at.merchant.name }).waitFor();
  await atRest(page);
  await hands.watch();

  // the merchant's set-ups: there is none yet
  await hands.press("a");
  await page.getByRole("grid", { name: "Merchant providers" }).waitFor();
  await atRest(page);
  await hands.press("c");
  const sheet = page.locator(".sheet");
  await rewrite(sheet.getByLabel(/^Provider/), "Lotus Gaming");
  await tabTo(sheet.getByLabel(/^Production/));
  await page.keyboard.press("Space");
  await tabTo(sheet.getByLabel(/^Platform/));
  await page.keyboard.type("App");
  await rewrite(sheet.getByLabel(/^PT/), "8.5");
  await tabTo(sheet.getByRole("combobox", { name: /^Master account/ }));
  await page.keyboard.type("lotus");
  await page.locator("[role=option]", { hasText: "Lotus Slots" }).waitFor();
  await hands.press("Enter");
  await rewrite(sheet.getByLabel(/^Whitelist IPs/), "203.0.113.7, 203.0.113.0/24");
  await rewrite(sheet.getByLabel(/^API credential/), '{"operator": "HP", "key": ');
  await hands.press("Enter", { mod: true });
  await sheet
    .getByText(/^Not JSON|JSON/)
    .first()
    .waitFor();
  await rewrite(sheet.getByLabel(/^API credential/), '{"operator": "HP", "key": "sesame"}');
  expect(await faultsInBothThemes(page)).toEqual([]);
  await hands.press("Enter", { mod: true });
  await sheet.waitFor({ state: "detached" });
  await page.locator(".grid .rows .row", { hasText: "Lotus Gaming" }).locator(".st", { hasText: "Production" }).waitFor();

  // its games, by lines from a spreadsheet: one is wrong, and is named before anything is written
  await atRest(page);
  await hands.press("a");
  await page.getByRole("grid", { name: "Games" }).waitFor();
  await atRest(page);
  await page.keyboard.press("Shift+c");
  await sheet.waitFor();
  const lines = [
    `dragon-1\tDragon Gate\tslot\t${pictures.url}/dragon.png`,
    `koi-1\tFortune Koi\tfishing\t${pictures.url}/koi.png`,
    "bad line\tNo code\tslot\t",
  ].join("\n");
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines);
  await page.keyboard.press("Control+v");
  await sheet.getByText("Must have no blanks").waitFor();
  expect((await hall.db.owner.query("select from provider_games where tenant_id = $1", [at.office.tenant.id])).rowCount).toBe(0);
  expect(await faultsInBothThemes(page)).toEqual([]);
  await hands.press("Enter", { mod: true });
  await sheet.getByText("Done: 4 of 4").waitFor();
  await hands.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await page.locator(".grid .rows .row", { hasText: "Fortune Koi" }).locator("img").first().waitFor();
  const { rows } = await hall.db.owner.query(
    "select code, image is not null as pictured from provider_games where tenant_id = $1 order by code",
    [at.office.tenant.id],
  );
  expect(rows).toEqual([
    { code: "dragon-1", pictured: true },
    { code: "koi-1", pictured: true },
  ]);
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});
