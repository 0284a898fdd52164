import { expect, test } from "vitest";
import type { Permission } from "../../src/contract/permissions.ts";
import { addressOf } from "../../src/contract/addresses.ts";
import { makeMerchant } from "../support/factories.ts";
import { makeGame, makeProvider } from "../support/game-provider.ts";
import { testHall } from "../support/hall.ts";
import { makeOffice } from "../support/payments.ts";
import { sitDown } from "./floor.ts";

const hall = testHall();
const rights: readonly Permission[] = [
  "gps.provider.games.view",
  "gps.provider.games.change-status",
  "gps.provider.merchant-providers.view",
];

/** Games "Game 001" … in the order of their names, at a width where five stand in a line. */
async function open(games: number) {
  const office = await makeOffice(hall.db, {});
  const provider = await makeProvider(hall.db, office.tenant, await makeMerchant(hall.db, office.tenant));
  const name = (at: number) => `Game ${String(at).padStart(3, "0")}`;
  for (let at = 1; at <= games; at++) await makeGame(hall.db, office.tenant, provider, { name: name(at), code: `g-${at}` });
  const path = addressOf("provider-games", { params: { merchantProviderUuid: provider } });
  const hands = await sitDown(hall, { operator: await hall.employ(office, "Siti", rights) }, "us", { path });
  const { page } = hands;
  const at = page.locator(".tile.at .name");
  const press = async (key: string, comesTo: string) => {
    await page.keyboard.press(key);
    await expect.poll(() => at.allInnerTexts()).toEqual([comesTo]);
    await page.locator(".tile.at").evaluate(async (tile) => {
      // the cursor's tile is always in view
      const { top, bottom } = tile.getBoundingClientRect();
      const view = tile.closest(".tiles")?.getBoundingClientRect();
      if (view === undefined || top < view.top - 1 || bottom > view.bottom + 1) throw new Error(`${top} … ${bottom} is out of view`);
    });
  };
  await page.keyboard.press("Shift+T");
  await expect.poll(() => at.allInnerTexts()).toEqual(["Game 001"]);
  const perLine = await page.locator(".tile-line").first().locator(".tile").count();
  return { office, page, press, name, perLine };
}
const statuses = async (tenant: string) =>
  (
    await hall.db.owner.query<{ name: string }>(
      "select name from provider_games where tenant_id = $1 and status = 'inactive' order by name",
      [tenant],
    )
  ).rows.map(({ name }) => name);

test("games as tiles by keys: the cursor goes by lines and tiles, marks are acted on, and the list comes back at the same game", async () => {
  const { office, page, press, name, perLine } = await open(60);
  expect(perLine).toBeGreaterThan(2);
  await press("ArrowRight", name(2));
  await press("ArrowDown", name(2 + perLine));
  await press("End", name(2 * perLine));
  await press("ArrowRight", name(2 * perLine + 1));
  await press("ArrowUp", name(perLine + 1));
  await press("Control+End", name(60));
  await press("Control+Home", name(1));
  // from the first tile no key leads to a header that nobody sees
  await press("ArrowUp", name(1));

  await page.keyboard.press("Space");
  await press("Shift+J", name(1 + perLine));
  const marked = page.locator(".tile.marked .name");
  await expect.poll(() => marked.count()).toBe(perLine + 1);
  await page.keyboard.press("r");
  const meant = Array.from({ length: perLine + 1 }, (_, at) => name(at + 1));
  await expect.poll(() => statuses(office.tenant.id)).toEqual(meant);
  await expect.poll(() => page.locator(".tile", { hasText: "Inactive" }).locator(".name").allInnerTexts()).toEqual(meant);

  await page.keyboard.press("Shift+T");
  await page.locator(".tiles").waitFor({ state: "detached" });
  await page.locator(".stat .aim").waitFor();
  await page.locator(".rows .row.marked, .rows .row[aria-selected=true]").first().waitFor();
  expect(new URL(page.url()).searchParams.get("shape")).toBeNull();
});

test("by the pointer a tile is chosen, marked and those between are marked; the screen reader reads the table beneath", async () => {
  const { page, name } = await open(30);
  const tile = (at: number) => page.locator(".tile", { hasText: name(at) });
  await tile(4).click();
  await expect.poll(() => page.locator(".tile.at .name").allInnerTexts()).toEqual([name(4)]);
  await page.locator(".detail-pane", { hasText: name(4) }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("grid");
  await tile(2).click({ modifiers: ["Control"] });
  await tile(6).click({ modifiers: ["Shift"] });
  await expect.poll(() => page.locator(".tile.marked .name").allInnerTexts()).toEqual([2, 3, 4, 5, 6].map(name));
  await page
    .getByRole("grid")
    .getByRole("row", { name: name(4) })
    .first()
    .waitFor({ state: "attached" });
});
