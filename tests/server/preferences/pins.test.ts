import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { pinRoutes } from "../../../src/contract/pins.ts";
import { mostPins } from "../../../src/contract/preferences.ts";
import type { Pin, SavedView } from "../../../src/contract/preferences.ts";
import type { Received } from "../../../src/contract/route.ts";
import { WithdrawalQuery } from "../../../src/contract/withdrawals.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { pinHandlers, preferenceHandlers } from "../../../src/server/preferences/handlers.ts";
import { testDatabase } from "../../support/database.ts";
import { makeMerchant } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { makeProvider } from "../../support/game-provider.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
const plain: Pin = { threshold: null };
const nothing = { params: undefined, query: undefined, body: undefined };

const make = async (at: Office, person: Person, shared: boolean, search: Record<string, string> = {}) => {
  const form = { screen: "withdrawals", name: `View ${randomUUID()}`, shared, digit: null, default: false };
  return (
    await preferenceHandlers.createView(at.call(person), body({ ...form, state: { search, columns: {}, density: "normal" as const } }))
  ).data;
};
const pin = async (at: Office, person: Person, { uuid }: SavedView, whose: "me" | "tenant", given: Pin | null) =>
  (await pinHandlers.pinView(at.call(person), { ...body({ for: whose, pin: given }), params: { uuid } })).data;
const pinned = async (at: Office, person: Person) =>
  (await pinHandlers.listPinnedViews(at.call(person), nothing)).data.map(({ uuid }) => uuid);

describe("who has a view in the counters", () => {
  test("a user's own pin is theirs alone; the tenant's is everybody's and stands first", async () => {
    const at = await makeOffice(db);
    const [own, shared] = [await make(at, at.ann, false), await make(at, at.ann, true)];
    await pin(at, at.ann, own, "me", plain);
    await pin(at, at.ann, shared, "tenant", { threshold: { of: "count", over: 50 } });
    expect(await pinned(at, at.ann)).toEqual([shared.uuid, own.uuid]);
    expect(await pinned(at, at.ben)).toEqual([shared.uuid]);
    const [seen] = (await pinHandlers.listPinnedViews(at.call(at.ben), nothing)).data;
    expect(seen).toMatchObject({ pin: null, tenant_pin: { threshold: { of: "count", over: 50 } } });

    await pin(at, at.ann, shared, "tenant", null);
    expect(await pinned(at, at.ben)).toEqual([]);
    await pin(at, at.ann, own, "me", null);
    expect(await pinned(at, at.ann)).toEqual([]);
  });

  test("one of a screen that its reader may not see stands in nobody's way: it is not shown and takes none of the eight places", async () => {
    const at = await makeOffice(db);
    const before = await make(at, at.ben, false);
    await pin(at, at.ben, before, "me", plain);
    for (const _ of Array.from({ length: 8 })) await pin(at, at.ann, await make(at, at.ann, true), "tenant", plain);
    const games = { permissions: ["gps.provider.games.view"] } as const;
    expect((await pinHandlers.listPinnedViews(at.call(at.ben, games), nothing)).data).toEqual([]);
    const views = await preferenceHandlers.listViews(at.call(at.ben, games), { ...nothing, query: {} });
    expect(views.data.map(({ uuid }) => uuid)).toEqual([before.uuid]);
    const form = { screen: "provider-games", name: "Slots", shared: false, digit: null, default: false };
    const state = { search: {}, columns: {}, density: "normal" as const };
    const { data: own } = await preferenceHandlers.createView(at.call(at.ben, games), body({ ...form, state }));
    await pinHandlers.pinView(at.call(at.ben, games), { ...body({ for: "me", pin: plain }), params: { uuid: own.uuid } });
    expect((await pinHandlers.listPinnedViews(at.call(at.ben, games), nothing)).data.map(({ uuid }) => uuid)).toEqual([own.uuid]);
  });

  test("another threshold leaves it where it stands", async () => {
    const at = await makeOffice(db);
    const views = [await make(at, at.ann, false), await make(at, at.ann, false)] as const;
    for (const view of views) await pin(at, at.ann, view, "me", plain);
    await pin(at, at.ann, views[0], "me", { threshold: { of: "age", over: 15 } });
    expect(await pinned(at, at.ann)).toEqual(views.map(({ uuid }) => uuid));
  });

  test("only its maker pins a shared view for the tenant, and a private one nobody", async () => {
    const at = await makeOffice(db);
    const [own, shared] = [await make(at, at.ann, false), await make(at, at.ann, true)];
    await expect(pin(at, at.ben, shared, "tenant", plain)).rejects.toMatchObject({ code: "not-found" });
    await expect(pin(at, at.ben, own, "me", plain)).rejects.toMatchObject({ code: "not-found" });
    await expect(pin(at, at.ann, own, "tenant", plain)).rejects.toMatchObject({ code: "pin.not-shared" });
    await pin(at, at.ben, shared, "me", plain);
    expect(await pinned(at, at.ben)).toEqual([shared.uuid]);
  });

  test("one that is no longer shared leaves everybody's counters, and stays in its maker's own", async () => {
    const at = await makeOffice(db);
    const shared = await make(at, at.ann, true);
    await pin(at, at.ann, shared, "tenant", plain);
    await pin(at, at.ben, shared, "me", plain);
    await pin(at, at.ann, shared, "me", plain);
    const { name, digit, default: first, state, version } = shared;
    const form = { name, digit, default: first, state, version, shared: false };
    await preferenceHandlers.updateView(at.call(at.ann), { ...body(form), params: { uuid: shared.uuid } });
    expect(await pinned(at, at.ben)).toEqual([]);
    expect(await pinned(at, at.ann)).toEqual([shared.uuid]);
  });

  test("eight at most, the tenant's and one's own together, also of two pinned at once", async () => {
    const at = await makeOffice(db);
    const shared = await make(at, at.ben, true);
    await pin(at, at.ben, shared, "tenant", plain);
    for (let n = 2; n < mostPins; n++) await pin(at, at.ann, await make(at, at.ann, false), "me", plain);
    const two = [await make(at, at.ann, false), await make(at, at.ann, false)];
    const tried = await Promise.allSettled(two.map((view) => pin(at, at.ann, view, "me", plain)));
    expect(tried.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(tried.find((one) => one.status === "rejected")?.reason).toMatchObject({ code: "pin.full", detail: { most: mostPins } });
    expect(await pinned(at, at.ann)).toHaveLength(mostPins);
    // what stands there already may be changed
    await pin(at, at.ann, shared, "me", { threshold: { of: "count", over: 1 } });
  });

  test("the tenant's take the place of one's own last ones, which come back with the room", async () => {
    const at = await makeOffice(db);
    const own: SavedView[] = [];
    for (let n = 0; n < mostPins; n++) own.push(await pin(at, at.ann, await make(at, at.ann, false), "me", plain));
    const shared = await make(at, at.ben, true);
    await pin(at, at.ben, shared, "tenant", plain);
    expect(await pinned(at, at.ann)).toEqual([shared, ...own.slice(0, -1)].map(({ uuid }) => uuid));
    await pin(at, at.ben, shared, "tenant", null);
    expect(await pinned(at, at.ann)).toEqual(own.map(({ uuid }) => uuid));
  });

  test("a tenant has eight at most, also of two that are pinned by two people at once", async () => {
    const at = await makeOffice(db);
    for (let n = 1; n < mostPins; n++) await pin(at, at.ann, await make(at, at.ann, true), "tenant", plain);
    const [anns, bens] = [await make(at, at.ann, true), await make(at, at.ben, true)];
    const tried = await Promise.allSettled([pin(at, at.ann, anns, "tenant", plain), pin(at, at.ben, bens, "tenant", plain)]);
    expect(tried.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("the tenant's pins are audited, one's own are not", async () => {
    const at = await makeOffice(db);
    const shared = await make(at, at.ann, true);
    const entries = async () =>
      (
        await db.owner.query<{ before: unknown; after: unknown }>(
          "select before, after from audit_entries where entity_id = $1 and act = 'view.update' order by id",
          [shared.uuid],
        )
      ).rows;
    await pin(at, at.ann, shared, "me", plain);
    expect(await entries()).toEqual([]);
    await pin(at, at.ann, shared, "tenant", { threshold: { of: "count", over: 9 } });
    expect(await entries()).toEqual([{ before: { pin: null }, after: { pin: { threshold: { of: "count", over: 9 } } } }]);
  });
});

describe("the figures of lists", () => {
  let at: Office;
  type Asked = Received<typeof pinRoutes.readPinFigures>["body"]["lists"];
  const figures = async (person: Person, lists: Asked, more: Parameters<Office["call"]>[1] = {}) =>
    (await pinHandlers.readPinFigures(at.call(person, more), body({ lists }))).data;

  beforeAll(async () => {
    at = await makeOffice(db);
    const merchant = await makeMerchant(db, at.tenant, { wallet: "100000" });
    for (const amount of ["10.00", "20.00", "300.00"]) await at.withdraw(merchant, { amount });
  });

  test("are those of the list's own call: count, sum and the oldest row", async () => {
    const query = { view: "all", sort: "created_at", "filter[amount_from]": "15.00" };
    const own = await withdrawalHandlers.listWithdrawals(at.call(at.ann), {
      ...nothing,
      query: WithdrawalQuery.parse({ ...query, with: "count,sums" }),
    });
    const [read] = await figures(at.ann, [{ screen: "withdrawals", query }]);
    expect(own.meta).toMatchObject({ count: 2, sums: { amount: "320.00" } });
    expect(read).toMatchObject({ known: true, count: 2, sums: { amount: "320.00" }, oldest_at: own.data[0]?.created_at });
  });

  test("of a list beneath a record are of that record's rows, kept apart from another's", async () => {
    const [one, other] = [await makeMerchant(db, at.tenant), await makeMerchant(db, at.tenant)];
    for (const name of ["Evolution", "Pragmatic"]) await makeProvider(db, at.tenant, one, { name });
    await makeProvider(db, at.tenant, other, { name: "Evolution" });
    const of = (merchantUuid: string) => ({
      screen: "merchant-providers" as const,
      query: { sort: "created_at" },
      params: { merchantUuid },
    });
    expect(await figures(at.ann, [of(one.id), of(other.id), of(randomUUID())])).toMatchObject([
      { known: true, count: 2, sums: {} },
      { known: true, count: 1 },
      { known: false, code: "not-found" },
    ]);
    expect(await figures(at.ann, [{ screen: "merchant-providers", query: {} }])).toMatchObject([{ known: false, code: "request.invalid" }]);
  });

  test("of merchants come to what their wallets hold, and their oldest", async () => {
    const here = await makeOffice(db);
    for (const wallet of ["100", "250"]) await makeMerchant(db, here.tenant, { wallet });
    const { rows } = await db.owner.query<{ at: Date }>("select min(created_at) as at from merchants where tenant_id = $1", [
      here.tenant.id,
    ]);
    const lists = [{ screen: "merchants" as const, query: { sort: "created_at" } }];
    const { data } = await pinHandlers.readPinFigures(here.call(here.ann), body({ lists }));
    expect(data).toMatchObject([{ count: 2, sums: { wallet: "350.00" }, oldest_at: rows[0]?.at.toISOString() }]);
  });

  test("of rows that are the caller's own are each caller's", async () => {
    const { rows } = await db.owner.query<{ id: string; version: number }>(
      "select id, version from transactions where tenant_id = $1 order by id limit 1",
      [at.tenant.id],
    );
    await withdrawalHandlers.claimWithdrawals(at.call(at.ann), body({ rows: rows.map(({ id, version }) => ({ uuid: id, version })) }));
    const ofUser = "filter[claimed_by]";
    const own: Record<string, string>[] = [
      { view: "mine" },
      { view: "all", [ofUser]: "me" },
      { view: "all", [ofUser]: `${rows[0]?.id},me` },
    ];
    const mine = own.map((query) => ({ screen: "withdrawals" as const, query }));
    const [anns, bens] = await Promise.all([figures(at.ann, mine), figures(at.ben, mine)]);
    expect(anns).toMatchObject([{ count: 1 }, { count: 1 }, { count: 1 }]);
    expect(bens).toMatchObject([{ count: 0 }, { count: 0 }, { count: 0 }]);
  });

  test("a list that cannot be asked says why, and the others are answered", async () => {
    const few = { permissions: ["pas.transaction.withdrawals.view"] };
    const all = { screen: "withdrawals", query: { view: "all" } } as const;
    const asked: Asked = [{ screen: "audit-log", query: {} }, all, { screen: "withdrawals", query: { "filter[nothing]": "1" } }];
    expect(await figures(at.ann, asked, few)).toMatchObject([
      { known: false, code: "permission.missing" },
      { known: true, count: 3 },
      { known: false, code: "request.invalid" },
    ]);
    expect(await figures(at.ann, [all], { currency: "" })).toMatchObject([{ known: false, code: "currency.invalid" }]);
  });
});
