import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Attribute } from "../../../src/contract/vendor-attributes.ts";
import type { VendorCategoryForm } from "../../../src/contract/vendor-categories.ts";
import { vendorCategoryRoutes } from "../../../src/contract/vendor-categories.ts";
import type { VendorItemForm } from "../../../src/contract/vendor-items.ts";
import { vendorItemRoutes } from "../../../src/contract/vendor-items.ts";
import type { VendorForm } from "../../../src/contract/vendors.ts";
import { vendorCategoryHandlers as categories } from "../../../src/server/vendors/vendor-categories.ts";
import { vendorItemHandlers as items } from "../../../src/server/vendors/vendor-items.ts";
import { vendorHandlers as vendors } from "../../../src/server/vendors/vendors.ts";
import { testDatabase } from "../../support/database.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
beforeEach(async () => {
  office = await makeOffice(db);
});

const one = (uuid: string) => ({ params: { uuid }, query: undefined, body: undefined });
const at = (uuid: string, version: number) => ({ params: { uuid }, query: { version }, body: undefined });
const changed = <T extends object>(uuid: string, version: number, form: T) => ({
  params: { uuid },
  query: undefined,
  body: { ...form, version },
});

const attribute = (name: string, type: Attribute["type"], more: Partial<Attribute> = {}): Attribute => ({
  name,
  type,
  options: "",
  required: false,
  ...more,
});
const colour = attribute("Colour", "options", { options: "red, blue", required: true });
const makeVendor = async (form: Partial<VendorForm> = {}) =>
  (await vendors.createVendor(office.call(), body({ company: "Mekong Supply", remark: "", ...form }))).data;
const makeCategory = async (...attributes: Attribute[]) =>
  (await categories.createVendorCategory(office.call(), body({ name: "Printers", attributes }))).data;
const setCategory = async (uuid: string, version: number, attributes: Attribute[], form: Partial<VendorCategoryForm> = {}) =>
  (await categories.updateVendorCategory(office.call(), changed(uuid, version, { name: "Printers", attributes, ...form }))).data;

let form: VendorItemForm;
/** An item of a category with these attributes and these values. */
async function makeItem(attributes: Attribute[], values: Record<string, string>, more: Partial<VendorItemForm> = {}) {
  const [vendor, category] = [await makeVendor(), await makeCategory(...attributes)];
  form = { name: "LP-20", vendor: vendor.uuid, category: category.uuid, attributes: values, ...more };
  return { vendor, category, item: (await items.createVendorItem(office.call(), body(form))).data };
}
const refusedWith = (lines: object) => ({ code: "request.invalid", detail: lines });

describe("a vendor", () => {
  test("keeps its company and remark, and an empty remark is none", async () => {
    expect(await makeVendor({ remark: "calls on Mondays" })).toMatchObject({
      company: "Mekong Supply",
      remark: "calls on Mondays",
      items: 0,
    });
    expect((await makeVendor({ company: "Other" })).remark).toBeNull();
  });

  test("of a company there is already, written in whatever case, is refused at its field", async () => {
    await makeVendor();
    await expect(makeVendor({ company: "MEKONG supply" })).rejects.toMatchObject(refusedWith({ company: ["Already taken"] }));
  });

  test("that supplies items is not deleted, and the refusal counts them; without them it goes", async () => {
    const { vendor, item } = await makeItem([], {});
    const refused = { code: "record.in-use", detail: { name: "Mekong Supply", items: 1 } };
    await expect(vendors.deleteVendor(office.call(), at(vendor.uuid, 1))).rejects.toMatchObject(refused);
    await items.deleteVendorItem(office.call(), at(item.uuid, 1));
    await vendors.deleteVendor(office.call(), at(vendor.uuid, 1));
    await expect(vendors.readVendor(office.call(), one(vendor.uuid))).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("a category", () => {
  test("keeps its attributes in their order, options once each", async () => {
    const { attributes } = await makeCategory(
      attribute("Weight", "number"),
      attribute("Colour", "options", { options: " red ,blue,, red" }),
    );
    expect(attributes).toEqual([attribute("Weight", "number"), attribute("Colour", "options", { options: "red, blue" })]);
  });

  test.each([
    [
      "two attributes of one name",
      [attribute("Colour", "text"), attribute("COLOUR", "date")],
      ["attributes.1.name", "Must not be named twice"],
    ],
    [
      "options without any",
      [attribute("Colour", "options", { options: " , " })],
      ["attributes.0.options", "Must have at least one option"],
    ],
    [
      "options of a type that has none",
      [attribute("Weight", "number", { options: "left over" })],
      ["attributes.0.options", "Must be empty: only the type “options” has options"],
    ],
  ])("refuses %s", (_, attributes, [path, line]) => {
    const { error } = vendorCategoryRoutes.createVendorCategory.body.safeParse({ name: "Printers", attributes });
    expect(error?.issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([[path, line]]);
  });

  test("that items are of is not deleted, and the refusal counts them", async () => {
    const { category, item } = await makeItem([], {});
    const refused = { code: "record.in-use", detail: { name: "Printers", items: 1 } };
    await expect(categories.deleteVendorCategory(office.call(), at(category.uuid, 1))).rejects.toMatchObject(refused);
    await items.deleteVendorItem(office.call(), at(item.uuid, 1));
    await categories.deleteVendorCategory(office.call(), at(category.uuid, 1));
  });

  test("of a name there is already is refused at its field", async () => {
    await makeCategory();
    await expect(makeCategory()).rejects.toMatchObject(refusedWith({ name: ["Already taken"] }));
  });

  test("whose form is saved as it is changes nothing", async () => {
    const { uuid, version, attributes } = await makeCategory(colour);
    expect(await setCategory(uuid, version, attributes)).toMatchObject({ version });
  });
});

describe("an attribute that items have a value of", () => {
  const values = { Colour: "red" };

  test("is not removed", async () => {
    const { category } = await makeItem([colour], values);
    await expect(setCategory(category.uuid, 1, [])).rejects.toMatchObject(
      refusedWith({ attributes: ["Cannot be removed: Colour. Items with a value: 1"] }),
    );
  });

  test("does not change its type", async () => {
    const { category } = await makeItem([colour], values);
    await expect(setCategory(category.uuid, 1, [attribute("Size", "text"), attribute("Colour", "text")])).rejects.toMatchObject(
      refusedWith({ "attributes.1.type": ["Cannot be changed. Items with a value: 1"] }),
    );
  });

  test("keeps the options that are chosen; others come and go", async () => {
    const { category } = await makeItem([colour], values);
    await expect(setCategory(category.uuid, 1, [{ ...colour, options: "blue" }])).rejects.toMatchObject(
      refusedWith({ "attributes.0.options": ["Cannot be removed: red. Items with this choice: 1"] }),
    );
    expect(await setCategory(category.uuid, 1, [{ ...colour, options: "red, green" }])).toMatchObject({ version: 2 });
  });

  test("may be asked for or not, and moved; another may come", async () => {
    const { category } = await makeItem([colour], values);
    const next = [attribute("Weight", "number", { required: true }), { ...colour, required: false }];
    expect((await setCategory(category.uuid, 1, next)).attributes).toEqual(next);
  });

  test("is free again where no item has a value", async () => {
    const { category } = await makeItem([{ ...colour, required: false }], { Colour: "" });
    expect(await setCategory(category.uuid, 1, [])).toMatchObject({ attributes: [] });
  });
});

describe("an item", () => {
  const all = [
    attribute("Model", "text"),
    attribute("Weight", "number"),
    attribute("Made", "date"),
    attribute("Wireless", "boolean"),
    colour,
  ];
  const good = { Model: "LP-20", Weight: "-12.5", Made: "2026-02-28", Wireless: "false", Colour: "blue" };

  test("holds a value for each attribute, in the words of its type, and names its vendor and category", async () => {
    const { item, vendor, category } = await makeItem(all, good);
    expect(item).toMatchObject({
      attributes: good,
      vendor: { uuid: vendor.uuid, name: "Mekong Supply", code: null },
      category: { uuid: category.uuid, name: "Printers", code: null },
    });
    const { data } = await items.readVendorItem(office.call(), one(item.uuid));
    expect([data.row.of_category, data.history.map(({ act }) => act)]).toEqual([all, ["vendor-item.create"]]);
    // in its history they are names, not uuids
    expect(data.history[0]?.changes).toMatchObject({ vendor: { after: "Mekong Supply" }, category: { after: "Printers" } });
    expect(Object.keys(data.history[0]?.changes ?? {})).not.toContain("vendor_id");
  });

  test.each([
    ["Weight", "heavy", "Must be a number such as 12.5"],
    ["Weight", "1e5", "Must be a number such as 12.5"],
    ["Made", "2026-02-30", "Invalid ISO date"],
    ["Made", "28.2.2026", "Invalid ISO date"],
    ["Wireless", "yes", 'Invalid option: expected one of "true"|"false"'],
    ["Colour", "green", 'Invalid option: expected one of "red"|"blue"'],
    ["Colour", "", "Must be filled in"],
    ["Price", "5", "Not an attribute of this category"],
  ])("whose %s is %j is refused at that field", async (name, value, line) => {
    await expect(makeItem(all, { ...good, [name]: value })).rejects.toMatchObject(refusedWith({ [`attributes.${name}`]: [line] }));
  });

  test("may leave out what is not required", async () => {
    expect((await makeItem(all, { Colour: "red", Model: "" })).item.attributes).toEqual({ Colour: "red" });
  });

  test("is checked again by another category's attributes when it moves there", async () => {
    const { item } = await makeItem([colour], { Colour: "red" });
    const { data: other } = await categories.createVendorCategory(
      office.call(),
      body({ name: "Paper", attributes: [attribute("Weight", "number", { required: true })] }),
    );
    const move = (attributes: Record<string, string>) =>
      items.updateVendorItem(office.call(), changed(item.uuid, 1, { ...form, category: other.uuid, attributes }));
    await expect(move({ Colour: "red" })).rejects.toMatchObject(
      refusedWith({ "attributes.Weight": ["Must be filled in"], "attributes.Colour": ["Not an attribute of this category"] }),
    );
    expect((await move({ Weight: "80" })).data).toMatchObject({ category: { name: "Paper" }, attributes: { Weight: "80" } });
  });

  test("of a vendor or category there is not, or of another tenant's, is refused at the field", async () => {
    const { vendor, category } = await makeItem([], {});
    const foreign = await makeOffice(db);
    const lines = { vendor: ["Names a record that does not exist"], category: ["Names a record that does not exist"] };
    await expect(
      items.createVendorItem(foreign.call(), body({ ...form, vendor: vendor.uuid, category: category.uuid })),
    ).rejects.toMatchObject(refusedWith(lines));
  });

  test("of a name its vendor has already is refused; another vendor may have it", async () => {
    await makeItem([], {});
    await expect(items.createVendorItem(office.call(), body({ ...form, name: "lp-20" }))).rejects.toMatchObject(
      refusedWith({ name: ["Already taken by this vendor"] }),
    );
    const other = await makeVendor({ company: "Other" });
    expect((await items.createVendorItem(office.call(), body({ ...form, vendor: other.uuid }))).data.name).toBe("LP-20");
  });

  test("is found by parts of its own name, its vendor's and its category's", async () => {
    await makeItem([], {});
    const list = async (query: z.input<typeof vendorItemRoutes.listVendorItems.query>) =>
      (
        await items.listVendorItems(office.call(), {
          query: vendorItemRoutes.listVendorItems.query.parse(query),
          params: undefined,
          body: undefined,
        })
      ).data.length;
    expect([
      await list({ "filter[vendor]": "mekong", sort: "vendor" }),
      await list({ "filter[category]": "printers", sort: "-category" }),
      await list({ q: "p-2" }),
      await list({ "filter[vendor]": "other" }),
    ]).toEqual([1, 1, 1, 0]);
  });

  test("written while its category changes keeps to the attributes as they are then", async () => {
    const { category } = await makeItem([{ ...colour, required: false }], {});
    const made = items.createVendorItem(office.call(), body({ ...form, name: "LP-30", attributes: { Colour: "red" } }));
    const emptied = setCategory(category.uuid, 1, []);
    const [item, change] = await Promise.allSettled([made, emptied]);
    expect([item.status, change.status].toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});
