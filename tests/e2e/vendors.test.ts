import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeCategory, makeItem, makeVendor } from "../support/vendors.ts";
import { rewrite, tabTo } from "./fields.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();
const rights = ["vendors", "categories", "items"].flatMap((noun) =>
  ["view", "create", "update", "delete"].map((act) => `vs.vendor.${noun}.${act}`),
);

const field = (hands: Operator, label: string) => hands.page.locator(".sheet").getByLabel(label);
const type = (hands: Operator, text: string) => hands.page.keyboard.type(text);

/** By the palette: only the vendors have a key of their own. */
async function go(hands: Operator, screen: string): Promise<void> {
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]").waitFor();
  await type(hands, screen);
  await hands.page.locator("[cmdk-item][aria-selected=true]", { hasText: screen }).waitFor();
  await hands.press("Enter");
  await hands.page.getByRole("grid", { name: screen }).waitFor();
}

test("a category with attributes, an item that follows them, and the category's deletion refused with the count: by keys alone", async () => {
  const at = await makeFloor(hall, 0);
  await makeVendor(hall.db, at.office.tenant, "Mekong Supply");
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", rights) });
  await hands.watch();

  await go(hands, "Vendor categories");
  await hands.press("c");
  await rewrite(field(hands, "Name"), "Printers");
  await tabTo(hands.page.locator(".sheet .rows-control .btn"));
  await hands.press("Enter");
  await type(hands, "Weight");
  await tabTo(field(hands, "Type, row 1"));
  await type(hands, "number");
  await tabTo(hands.page.locator(".sheet .rows-control > .btn"));
  await hands.press("Enter");
  await type(hands, "Colour");
  await tabTo(field(hands, "Type, row 2"));
  await type(hands, "options");
  await tabTo(field(hands, "Options, row 2"));
  await type(hands, "red, blue,");
  await tabTo(field(hands, "Required, row 2"));
  await hands.page.keyboard.press("Space");
  await hands.press("Enter", { mod: true });
  await hands.said(/Created: Printers/);

  await go(hands, "Vendor items");
  await hands.press("c");
  await rewrite(field(hands, "Name"), "LP-20");
  for (const [label, name] of [
    ["Vendor", "Mekong Supply"],
    ["Category", "Printers"],
  ] as const) {
    await tabTo(hands.page.locator(".sheet").getByRole("combobox", { name: new RegExp(`^${label}`) }));
    await type(hands, name.slice(0, 4).toLowerCase());
    await hands.page.locator(".sheet [role=option][aria-selected=true]", { hasText: name }).waitFor();
    await hands.press("Enter");
  }
  // the fields of its category come, each of its type
  await rewrite(field(hands, "Weight"), "heavy");
  await hands.press("Enter", { mod: true });
  await hands.page.locator(".sheet .err", { hasText: "Must be a number such as 12.5" }).waitFor();
  await expect.poll(() => field(hands, "Weight").evaluate((element) => element === document.activeElement)).toBe(true);
  await rewrite(field(hands, "Weight"), "12.5");
  await tabTo(hands.page.locator(".sheet").getByRole("combobox", { name: /^Colour/ }));
  await type(hands, "blue");
  await hands.press("Enter", { mod: true });
  await hands.said(/Created: LP-20/);
  const { rows } = await hall.db.owner.query("select name, attributes from vendor_items where tenant_id = $1", [at.office.tenant.id]);
  expect(rows).toEqual([{ name: "LP-20", attributes: { Weight: "12.5", Colour: "blue" } }]);

  await go(hands, "Vendor categories");
  await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  await hands.press("k", { mod: true });
  await type(hands, "delete");
  await hands.page.locator("[cmdk-item][aria-selected=true]", { hasText: "Delete" }).waitFor();
  await hands.press("Enter");
  await hands.page.locator(".sheet", { hasText: "Delete Printers?" }).waitFor();
  await hands.press("Enter", { mod: true });
  await hands.page.getByText("Printers cannot be deleted because it still has 1 item.").waitFor();
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});

test("an item names its vendor and its category by links: keys open one in its place, the other beside; a category's attributes are a table", async () => {
  const at = await makeFloor(hall, 0);
  const { tenant } = at.office;
  const weight = { name: "Weight", type: "number", options: "", required: true } as const;
  const category = await makeCategory(hall.db, tenant, [weight], "Printers");
  await makeCategory(hall.db, tenant, [], "Aa without attributes");
  await makeItem(hall.db, tenant, { name: "LP-20", vendor: await makeVendor(hall.db, tenant, "Mekong Supply"), category });
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", rights) });
  const detail = hands.page.locator(".detail-pane");
  await hands.watch();

  await go(hands, "Vendor items");
  await tabTo(detail.getByRole("link", { name: "Printers" }));
  await hands.press("Enter");
  await hands.page.getByRole("grid", { name: "Vendor categories" }).waitFor();
  await expect.poll(() => hands.target()).toBe("Printers");
  const table = detail.getByRole("table", { name: "Attributes" });
  await table.waitFor();
  expect(await table.getByRole("columnheader").allInnerTexts()).toEqual(["Name", "Type", "Options", "Required"]);
  expect(await table.getByRole("cell").allInnerTexts()).toEqual(["Weight", "number", "–", "yes"]);

  await go(hands, "Vendor items");
  await tabTo(detail.getByRole("link", { name: "Mekong Supply" }));
  await hands.press("Enter", { mod: true });
  await hands.page.getByRole("grid", { name: "Vendors" }).waitFor();
  await hands.page.getByRole("grid", { name: "Vendor items" }).waitFor();
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});
