import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import type { ScreenName } from "../../../src/contract/screens.ts";
import type { Api } from "../../../src/console/api/api.ts";
import { ApiContext } from "../../../src/console/api/use-api.ts";
import { DetailSection } from "../../../src/console/entity/detail-section.tsx";
import type { RecordDetail } from "../../../src/console/entity/entity.ts";
import type { Kit } from "../../../src/console/kit/kit.ts";
import { KitContext } from "../../../src/console/kit/use-kit.ts";
import { paymentAccounts } from "../../../src/console/screens/payment-accounts/payment-accounts-entity.ts";
import { paymentGroups } from "../../../src/console/screens/payment-groups/payment-groups-entity.ts";
import { inLanguage } from "../in-language.ts";
import { notingServices } from "../kit/fakes.ts";

beforeAll(() => inLanguage("en"));

const harbour = { uuid: "m1", code: "HB", name: "Harbour Play" };
const lotus = { uuid: "m2", code: "LT", name: "Lotus 88" };

/** The section of a payment group's merchants, for who holds these permissions where these screens are built. */
function merchantsOf(merchants: readonly object[], actions: Readonly<Record<string, readonly string[]>>, built: readonly ScreenName[]) {
  const at = { context: { permissions: actions }, currency: null };
  const store = { getState: () => ({ at }), getInitialState: () => ({ at }), subscribe: () => () => undefined };
  const api = { session: { store } } as unknown as Api; // all that a section reads of it
  const registry = { isRouted: (screen: ScreenName) => built.includes(screen) };
  const kit = { keys: {}, services: notingServices().services, registry } as unknown as Kit; // as above
  const section = paymentGroups.sections.find(({ name }) => name === "merchants");
  if (!section) throw new Error("payment groups have no section of merchants");
  const detail = { row: { uuid: "g1", version: 1 }, merchants } as unknown as RecordDetail; // what this section shows of a group
  const drawn = createElement(DetailSection, { entity: paymentGroups, section, detail });
  return renderToStaticMarkup(createElement(ApiContext, { value: api }, createElement(KitContext, { value: kit }, drawn)));
}

const mayAll = { "pas.merchant.merchants": ["view"] };
const cells = (html: string) => [...html.matchAll(/<t([hd])[^>]*>(.*?)<\/t\1>/g)].map(([, , cell = ""]) => cell.replaceAll(/<[^>]+>/g, ""));
const links = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);

test("a section's table has a line for each record under the names of its columns, and each record opens at its screen", () => {
  const html = merchantsOf([harbour, lotus], mayAll, ["merchants"]);
  expect(cells(html)).toEqual(["Code", "Name", "HB", "Harbour Play", "LT", "Lotus 88"]);
  expect(links(html)).toEqual(["/payment/merchants?record=m1", "/payment/merchants?record=m2"]);
});

test.each([
  ["percent", "rate"],
  ["fixed", "amount"],
])("the %s charges of a payment account are told as a %s, because a percent has other decimals than its currency", (charges_type, as) => {
  const section = paymentAccounts.sections.find(({ name }) => name === "charges");
  const detail = { row: { uuid: "a1", version: 1, charges_type, charges_value: "0.35" } } as unknown as RecordDetail; // what this section reads
  expect(section?.linesOf?.(detail)).toEqual([{ field: "charges_value", as }]);
});

test("a table without lines is a dash, not a head above nothing", () => {
  expect(merchantsOf([], mayAll, ["merchants"])).not.toContain("<table");
});

test.each([
  ["the operator may not see its screen", {}, ["merchants"]],
  ["its screen is not built", mayAll, []],
] satisfies [string, object, ScreenName[]][])("a record is named without a link where %s", (_, actions, built) => {
  const html = merchantsOf([harbour], actions, built);
  expect(cells(html)).toContain("Harbour Play");
  expect(links(html)).toEqual([]);
});
