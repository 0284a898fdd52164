import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Api } from "../../../src/console/api/api.ts";
import { paletteSources } from "../../../src/console/frame/palette-sources.ts";
import { paletteSearch } from "../../../src/console/frame/palette-search.ts";
import { userRoutes } from "../../../src/contract/users.ts";
import type { Route } from "../../../src/contract/route.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An api for who holds these rights, whose server has two groups. */
function anApi(permissions: Record<string, readonly string[]>) {
  const asked: string[] = [];
  const at = { context: { permissions, available_tenants: [] }, config: {}, currency: { country: { timezone: { gmt: "+08:00" } } } };
  const group = (n: number, name: string) => ({ uuid: `g${n}`, name, code: null, owner: false, permissions: [] });
  const api = {
    session: { store: { getState: () => ({ at }) } },
    time: { now: () => Date.parse("2026-11-20T06:00:00.000Z") },
    async call(route: Route) {
      asked.push(route.path);
      return { data: [group(1, "Cashiers"), group(2, "Supervisors")] };
    },
  } as unknown as Api; // what they ask of it
  return { api, asked };
}

test("a time that cannot be read is shown as it was typed, so that it can be put right", () => {
  const { writeMoment } = paletteSources(anApi({}).api, new Set(), () => "en");
  expect([writeMoment?.("tomorow 14:00"), writeMoment?.(""), writeMoment?.("2026-11-20T06:30:00.000Z")]).toEqual([
    "tomorow 14:00",
    "",
    "2026-11-20 02:30 PM",
  ]);
});

test("a record beneath another is opened again where it was, and one that is not known to be anywhere is not offered", () => {
  const right = { "gps.provider.merchant-providers": ["view"] };
  const { recall } = paletteSources(anApi(right).api, new Set(["merchant-providers"]), () => "en");
  const used = { id: "p1", screen: "merchant-providers", name: "Lotus", tenant: "t", currency: "MYR", at: 0, weight: 1 };
  expect(recall?.({ ...used, params: { merchantUuid: "m1" } })).toMatchObject({
    screen: "merchant-providers",
    params: { merchantUuid: "m1" },
  });
  expect(recall?.(used)).toBeNull();
});

test.each([
  [{ "cas.user.users": ["view"] }, ["Cashiers"], [userRoutes.listGroupRights.path]],
  [{}, [], []],
])("groups are found for who may see users, without the right to the groups' own list: %j", async (rights, names, paths) => {
  const { api, asked } = anApi(rights);
  const found = await paletteSearch(api, new Set(["user-groups"])).findLinked("user-groups", "CASH", new AbortController().signal);
  expect([found.map(({ name }) => name), asked]).toEqual([names, paths]);
});
