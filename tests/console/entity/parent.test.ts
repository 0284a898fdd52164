import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { tenantMerchantRoutes } from "../../../src/contract/merchants.ts";
import { vendorRoutes } from "../../../src/contract/vendors.ts";
import type { Api } from "../../../src/console/api/api.ts";
import type { Place } from "../../../src/console/api/place.ts";
import { PlaceContext } from "../../../src/console/api/place.ts";
import { ApiContext } from "../../../src/console/api/use-api.ts";
import { Breadcrumbs } from "../../../src/console/entity/breadcrumbs.tsx";
import { defineEntity } from "../../../src/console/entity/entity.ts";
import type { Entity } from "../../../src/console/entity/entity.ts";
import { EntityWork } from "../../../src/console/entity/entity-work.ts";
import { ancestorsOf, parentBy } from "../../../src/console/entity/parent.ts";
import type { Kit } from "../../../src/console/kit/kit.ts";
import { KitContext } from "../../../src/console/kit/use-kit.ts";
import { merchants } from "../../../src/console/screens/merchants/merchants-entity.ts";
import { vendors } from "../../../src/console/screens/vendors/vendors-entity.ts";
import { inLanguage } from "../in-language.ts";
import { notingServices } from "../kit/fakes.ts";
import { aMerchant, aMerchantDetail } from "./records.ts";

beforeAll(() => inLanguage("en"));

const merchant = parentBy({
  screen: "game-merchants",
  param: "merchantUuid",
  read: tenantMerchantRoutes.readMerchant,
  titleOf: ({ row }) => row.name,
});
const provider = parentBy({
  screen: "merchant-providers",
  param: "merchantProviderUuid",
  read: vendorRoutes.readVendor,
  titleOf: ({ row }) => row.company,
  parent: merchant,
});
/** Two levels down: /game-provider/merchants/{merchantUuid}/providers/{merchantProviderUuid}. */
const nested: Entity = { ...vendors, screen: "merchant-provider", parent: provider };
const params = { merchantUuid: "m1", merchantProviderUuid: "p1" };

/** What the operator reads above that list while these reads have come, have failed, or are on their way. */
function breadcrumbs(reads: Readonly<Record<string, object | "fails">>, areas = ["merchant-providers"]): string {
  const queries = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
  for (const { parent, params: sent } of ancestorsOf(nested, params)) {
    const key = ["t", null, parent.read.path, { params: sent }];
    const read = reads[parent.screen];
    if (read === "fails") queries.getQueryCache().build(queries, { queryKey: key }, { ...failed });
    else if (read !== undefined) queries.setQueryData(key, read);
  }
  const permissions = Object.fromEntries(areas.map((area) => [`gps.provider.${area}`, ["view"]]));
  const at = { tenant: { id: "t" }, currency: null, context: { permissions } };
  const api = {
    session: { store: { getState: () => ({ at }), getInitialState: () => ({ at }), subscribe: () => () => undefined } },
  } as unknown as Api; // what breadcrumbs read of it: nothing is called while a page is drawn
  const place = { params } as unknown as Place; // as above
  const kit = { keys: {}, services: notingServices().services } as unknown as Kit; // as above
  const around: readonly ((child: ReactNode) => ReactNode)[] = [
    (child) => createElement(QueryClientProvider, { client: queries }, child),
    (child) => createElement(ApiContext, { value: api }, child),
    (child) => createElement(PlaceContext, { value: place }, child),
    (child) => createElement(KitContext, { value: kit }, child),
  ];
  return renderToStaticMarkup(around.reduce<ReactNode>((child, wrap) => wrap(child), createElement(Breadcrumbs, { entity: nested })));
}
const failed = {
  data: undefined,
  dataUpdateCount: 0,
  dataUpdatedAt: 0,
  error: new Error("no"),
  errorUpdateCount: 1,
  errorUpdatedAt: Date.now(),
  fetchFailureCount: 1,
  fetchFailureReason: null,
  fetchMeta: null,
  isInvalidated: false,
  status: "error",
  fetchStatus: "idle",
} as const;

const plain = (html: string): string => html.replaceAll("</li>", " / ").replaceAll(/<[^>]+>/g, "");
const links = (html: string): readonly string[] => [...html.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);

test("a nested list shows the way down to it: each list above and the record opened there, the list itself last", () => {
  const html = breadcrumbs({
    "game-merchants": aMerchantDetail(aMerchant({ name: "Harbour Play" })),
    "merchant-providers": { row: { company: "Mekong" } },
  });
  expect(plain(html)).toBe("Game-provider merchants / Harbour Play / Merchant providers / Mekong / Merchant provider / ");
  expect(links(html)).toEqual([
    "/game-provider/merchants",
    "/game-provider/merchants?record=m1",
    "/game-provider/merchants/m1/providers",
    "/game-provider/merchants/m1/providers?record=p1",
  ]);
  expect(html).toMatch(/^<nav [^>]*aria-label="Path to this list"><ol>/);
  expect(html.match(/aria-current="page"/g)).toHaveLength(1);
});

test("a list above that the user may not see is left out, because its record cannot be read", () => {
  const html = breadcrumbs({ "game-merchants": aMerchantDetail(aMerchant({ name: "Harbour Play" })) }, []);
  expect(plain(html)).toBe("Merchant provider / ");
});

test("a record above that is on its way is said to be, and one that did not come can be asked for again", () => {
  const html = breadcrumbs({ "game-merchants": "fails" });
  expect(html).toMatch(/role="alert">Could not be loaded\. <button[^>]*>Try again/);
  expect(html).toMatch(/role="status" aria-label="The record is loading\."/);
  expect(links(html)).toEqual(["/game-provider/merchants", "/game-provider/merchants/m1/providers"]);
});

/** A list at work, and what it asked of the console. */
function at(entity: Entity) {
  const { services, deeds } = notingServices();
  const api = { call: () => new Promise(() => undefined) } as unknown as Api; // no answer is read
  return {
    desk: new EntityWork({ entity, api, services, queries: new QueryClient(), tenant: "t", currency: "MYR", params }).listDesk,
    deeds,
  };
}

test("up leads to the record above in its own list; a list of its own has nothing above", () => {
  const { desk, deeds } = at(nested);
  desk.up?.();
  expect(deeds).toEqual([["go", "merchant-providers", { params, search: { record: "p1" } }]]);
  expect(at(merchants).desk.up).toBeNull();
});

test("a screen whose path does not name the record it is said to belong to is refused", () => {
  const { routes, columns, columnMap, sections } = vendors;
  const rest = { subject: "vendor", routes: { list: routes.list, read: routes.read }, columns, columnMap, sections } as const;
  const nameless = { ...rest, order: "company", titleOf: () => "", codeOf: () => "", parent: merchant };
  const define = (screen: "merchant-providers" | "vendors") =>
    defineEntity({ ...nameless, screen } as unknown as Parameters<typeof defineEntity>[0]); // a vendor's, whatever they are
  expect(() => define("vendors")).toThrow("the path of vendors names no merchantUuid");
  expect(define("merchant-providers").form.fields).toEqual([]);
});
