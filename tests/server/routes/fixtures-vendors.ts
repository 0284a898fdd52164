import { randomUUID } from "node:crypto";
import type { vendorCategoryRoutes } from "../../../src/contract/vendor-categories.ts";
import type { vendorItemRoutes } from "../../../src/contract/vendor-items.ts";
import type { vendorRoutes } from "../../../src/contract/vendors.ts";
import { makeCategory, makeItem, makeVendor } from "../../support/vendors.ts";
import type { Fixture, Site } from "./fixtures.ts";

const named = ({ mark }: Site) => `${mark} ${randomUUID()}`;
const vendor = (site: Site, name = named(site)) => makeVendor(site.office.db, site.office.tenant, name);
const category = (site: Site, name = named(site)) => makeCategory(site.office.db, site.office.tenant, [], name);
const item = async (site: Site, name = named(site)) =>
  makeItem(site.office.db, site.office.tenant, { name, vendor: await vendor(site), category: await category(site) });
const itemForm = async (site: Site) => ({
  name: named(site),
  vendor: await vendor(site),
  category: await category(site),
  attributes: {},
});
const attributes = [{ name: "Colour", type: "options", options: "red, blue", required: true }];

export const vendorFixtures: Readonly<
  Record<keyof typeof vendorRoutes | keyof typeof vendorCategoryRoutes | keyof typeof vendorItemRoutes, Fixture>
> = {
  listVendors: {
    foreign: "an empty list",
    make: async (site) => {
      const name = named(site);
      await vendor(site, name);
      return { query: { "filter[company]": name, with: "count,sums" } };
    },
  },
  readVendor: { foreign: "not found", make: async (site) => ({ params: { uuid: await vendor(site) } }) },
  createVendor: { foreign: "names no ids", make: async () => ({ body: { company: randomUUID(), remark: "calls on Mondays" } }) },
  updateVendor: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await vendor(site) }, body: { company: named(site), remark: "", version: 1 } }),
  },
  deleteVendor: { foreign: "not found", make: async (site) => ({ params: { uuid: await vendor(site) }, query: { version: "1" } }) },
  listVendorCategories: {
    foreign: "an empty list",
    make: async (site) => {
      const name = named(site).slice(0, 80);
      await category(site, name);
      return { query: { "filter[name]": name } };
    },
  },
  readVendorCategory: { foreign: "not found", make: async (site) => ({ params: { uuid: await category(site) } }) },
  createVendorCategory: { foreign: "names no ids", make: async () => ({ body: { name: randomUUID(), attributes } }) },
  updateVendorCategory: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await category(site) }, body: { name: named(site), attributes, version: 1 } }),
  },
  deleteVendorCategory: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await category(site) }, query: { version: "1" } }),
  },
  listVendorItems: {
    foreign: "an empty list",
    make: async (site) => {
      const name = named(site);
      await item(site, name);
      return { query: { "filter[name]": name } };
    },
  },
  readVendorItem: { foreign: "not found", make: async (site) => ({ params: { uuid: await item(site) } }) },
  createVendorItem: { foreign: "names no ids", make: async (site) => ({ body: await itemForm(site) }) },
  updateVendorItem: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await item(site) }, body: { ...(await itemForm(site)), version: 1 } }),
  },
  deleteVendorItem: { foreign: "not found", make: async (site) => ({ params: { uuid: await item(site) }, query: { version: "1" } }) },
};
