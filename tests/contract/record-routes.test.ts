import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineColumns, filterShapes, sortsOf } from "../../src/contract/record-columns.ts";
import { recordRoutes } from "../../src/contract/record-routes.ts";
import type { Route } from "../../src/contract/route.ts";

const columns = defineColumns({
  remark: { find: "part" },
  company: { filter: "part", most: 10, sort: true },
  code: { filter: "whole", most: 4 },
  kind: { filter: "choices", of: ["shop", "farm"] },
  balance: { filter: "amount", sum: true },
  created_at: { filter: "time", sort: true },
  category: { filter: "reference" },
  uuid: { filter: "rows" },
});
const Row = z.object({ uuid: z.string() });
const form = z.strictObject({ company: z.string() });
const statement = recordRoutes("/service/vendor/api/tenant/v1/lines", "vs.vendor.items", { one: "Line", many: "Lines", columns, row: Row });
const whole = recordRoutes("/service/vendor/api/tenant/v1/vendors", "vs.vendor.vendors", {
  one: "Vendor",
  many: "Vendors",
  columns,
  row: Row,
  detail: z.object({ row: Row }),
  create: form.extend({ code: z.string() }),
  update: form,
  remove: true,
});

describe("the routes of a record", () => {
  test("are named after its noun; without a shape there is no route", () => {
    expect(Object.keys(statement)).toEqual(["listLines"]);
    expect(Object.keys(whole)).toEqual(["listVendors", "readVendor", "createVendor", "updateVendor", "deleteVendor"]);
  });

  test("have the area's permissions and its path", () => {
    expect(Object.values<Route>(whole).map(({ method, path, permission }) => [method, path.replace(/.*v1/, ""), permission])).toEqual([
      ["GET", "/vendors", "vs.vendor.vendors.view"],
      ["GET", "/vendors/{uuid}", "vs.vendor.vendors.view"],
      ["POST", "/vendors", "vs.vendor.vendors.create"],
      ["PUT", "/vendors/{uuid}", "vs.vendor.vendors.update"],
      ["DELETE", "/vendors/{uuid}", "vs.vendor.vendors.delete"],
    ]);
  });

  test("require a currency, and step-up at each write, only where it says so", () => {
    const marks = (routes: Readonly<Record<string, Route>>) => Object.values(routes).map(({ currency, stepUp }) => [currency, stepUp]);
    expect(marks(statement)).toEqual([[undefined, undefined]]);
    const marked = recordRoutes("/lines", "vs.vendor.items", {
      one: "Line",
      many: "Lines",
      currency: true,
      stepUp: true,
      columns,
      row: Row,
      create: form,
    });
    expect(marks(marked)).toEqual([
      [true, undefined],
      [true, true],
    ]);
  });

  test("a change says which version it saw", () => {
    const { body } = whole.updateVendor;
    expect(body.safeParse({ company: "A", version: 1 }).success).toBe(true);
    for (const wrong of [{ company: "A" }, { company: "A", version: 1, code: "C" }]) expect(body.safeParse(wrong).success).toBe(false);
  });
});

describe("the columns of a list", () => {
  const filters = z.strictObject(filterShapes(columns));

  test("each filter is a field of its kind", () => {
    const asked = {
      "filter[company]": "a",
      "filter[code]": "b",
      "filter[kind]": "shop,farm",
      "filter[balance_from]": "1",
      "filter[balance_to]": "2.50",
      "filter[created_at_from]": "2026-11-21T06:32:00.000Z",
      "filter[created_at_to]": "2026-11-21T06:32:00.000Z",
      "filter[category]": "0198f0a0-0000-7000-8000-000000000001",
      "filter[uuid]": "0198f0a0-0000-7000-8000-000000000001,0198f0a0-0000-7000-8000-000000000002",
    };
    expect(Object.keys(filters.shape)).toEqual(Object.keys(asked));
    expect(filters.parse(asked)).toMatchObject({
      "filter[kind]": ["shop", "farm"],
      "filter[category]": { isNot: false, of: [asked["filter[category]"]] },
    });
    expect(filters.parse({ "filter[company]": "!a, b", "filter[code]": " " })).toMatchObject({
      "filter[company]": { isNot: true, of: ["a", "b"] },
    });
    expect(filters.parse({})).toEqual({});
  });

  test.each([
    { "filter[company]": "eleven chars" },
    { "filter[company]": "short,eleven chars" },
    { "filter[company]": "a,,b" },
    { "filter[kind]": "shop,bank" },
    { "filter[balance_from]": "much" },
    { "filter[created_at_to]": "yesterday" },
    { "filter[category]": "CAT-1" },
    { "filter[remark]": "what is only searched has no filter" },
  ])("%o is refused", (asked) => {
    expect(filters.safeParse(asked).success).toBe(false);
  });

  test("the default order is the first sortable column", () => {
    expect(sortsOf(columns)).toEqual(["company", "created_at"]);
    expect(() => sortsOf({ uuid: { filter: "rows" } })).toThrow("at least one column");
  });
});
