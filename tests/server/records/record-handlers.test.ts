import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defineColumns } from "../../../src/contract/record-columns.ts";
import type { StaffCall } from "../../../src/server/call.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { inOrder, linked, linkedTo, noSuchRecord } from "../../../src/server/records/links.ts";
import { recordHandlers } from "../../../src/server/records/record-handlers.ts";
import { asking } from "../../../src/values/asked.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

/** A kind of record of the tenant alone, without a status, which names others by links and keeps JSON: as no screen may, all at once. */
const db = testDatabase();
beforeAll(async () => {
  for (const column of ["created_at timestamptz not null default now()", "updated_at timestamptz not null default now()", "notes jsonb"])
    await db.owner.query(`alter table payment_groups add column if not exists ${column}`);
});

interface GroupRow {
  id: string;
  version: number;
  name: string;
  updated_at: Date;
  merchants: string[];
  owner: string | null;
  notes: readonly object[];
}
interface GroupForm {
  name: string;
  merchants: readonly string[];
  notes: readonly object[];
}

const link = { table: "payment_group_merchants", ours: "group_id", theirs: "merchant_id", to: "merchants" } as const;
const view = ({ id: uuid, version, name, merchants, notes, updated_at }: GroupRow) => ({
  uuid,
  version,
  name,
  merchants,
  notes,
  updated_at: updated_at.toISOString(),
});
const groups = recordHandlers({
  entity: "merchant",
  table: "payment_groups",
  columns: defineColumns({ name: { filter: "whole", most: 40, sort: true, find: "part" }, owner: { filter: "reference" } }),
  rows: ({ tenant }) => sql`select g.*, ${linkedTo(link, tenant, sql.ref("g.id"))} as merchants,
    (select l.merchant_id from payment_group_merchants l where l.tenant_id = g.tenant_id and l.group_id = g.id limit 1) as owner
    from payment_groups g where g.tenant_id = ${tenant}`,
  view,
  nameOf: ({ name }) => name,
  fixed: ({ currency }: { currency?: string }) => ({ currency: currency ?? office.tenant.currency }),
  fields: ({ name, merchants, notes }: GroupForm) => ({ name, merchants: inOrder(merchants), notes }),
  parts: { merchants: linked(link) },
  json: ["notes"],
  constraints: { payment_groups_name: { name: ["Already taken"] } },
});

let office: Office;
let [shop, hall]: Merchant[] = [];
/** Each act is another intent; no currency is asked for. */
const call = (): StaffCall => ({ ...office.call(), currency: "" });
beforeEach(async () => {
  office = await makeOffice(db);
  shop = await makeMerchant(db, office.tenant, {});
  hall = await makeMerchant(db, office.tenant, {});
});

const idOf = (one: Merchant | Account | undefined) => one?.id ?? "";
const form = (more: Partial<GroupForm> = {}): GroupForm => ({ name: "Main", merchants: [idOf(shop)], notes: [{ b: 1, a: 2 }], ...more });
const create = async (more: Partial<GroupForm> = {}) => (await groups.create(call(), { params: undefined, body: form(more) })).data;
const update = async (uuid: string, version: number, more: Partial<GroupForm> = {}) =>
  (await groups.update(call(), { params: { uuid }, body: { ...form(more), version } })).data;
const versionOf = async (one: Merchant | undefined) =>
  (await db.owner.query<{ version: number }>("select version from merchants where id = $1", [idOf(one)])).rows[0]?.version;
const list = async (query: object = {}) =>
  (await groups.list(call(), { params: undefined, query: { direction: "next", limit: 100, ...query } })).data.map(({ name }) => name);

describe("a record that belongs to the tenant only", () => {
  test("is made, read, changed and deleted without a currency or a status", async () => {
    const made = await create();
    expect(made).toMatchObject({ version: 1, name: "Main", merchants: [idOf(shop)], notes: [{ a: 2, b: 1 }] });
    expect(await update(made.uuid, 1, { name: "Second", notes: [] })).toMatchObject({ version: 2, name: "Second", notes: [] });
    const { data } = await groups.read(call(), { params: { uuid: made.uuid } });
    expect(data.history.map(({ act, changes }) => [act, Object.keys(changes).toSorted()])).toEqual([
      ["merchant.update", ["name", "notes"]],
      ["merchant.create", ["currency", "merchants", "name", "notes"]],
    ]);
    await groups.remove(call(), { params: { uuid: made.uuid }, query: { version: 2 } });
    expect(await list()).toEqual([]);
  });

  test("an act is recorded with its fields as they were before", async () => {
    const { uuid } = await create();
    const received = { params: { uuid }, body: { version: 1 } };
    await groups.perform(call(), received, "rename", () => ({
      columns: { name: "Second" },
      after: { name: "Second", wish: "of the bank" },
      kept: {},
    }));
    const { data } = await groups.read(call(), { params: { uuid } });
    expect(data.row).toMatchObject({ version: 2, name: "Second" });
    expect(data.history[0]).toMatchObject({
      act: "merchant.rename",
      changes: { name: { before: "Main", after: "Second" }, wish: { after: "of the bank" } },
    });
  });

  test("is found by the whole of a text, by what it names, and in the order of its first sorted column", async () => {
    await create({ name: "beta", merchants: [idOf(hall)] });
    await create({ name: "alpha" });
    expect(await list()).toEqual(["alpha", "beta"]);
    expect(await list({ "filter[name]": asking("ALPHA") })).toEqual(["alpha"]);
    expect(await list({ "filter[name]": asking("alph") })).toEqual([]);
    expect(await list({ "filter[name]": { isNot: false, of: ["alpha", "BETA"] } })).toEqual(["alpha", "beta"]);
    expect(await list({ "filter[name]": { isNot: true, of: ["alpha"] } })).not.toContain("alpha");
    expect(await list({ "filter[owner]": asking(idOf(hall)) })).toEqual(["beta"]);
    expect(await list({ q: "lph" })).toEqual(["alpha"]);
  });

  test("a violated constraint is reported at its field, at creation and at a change", async () => {
    const made = await create();
    const { uuid } = await create({ name: "Second" });
    const taken = { code: "request.invalid", detail: { name: ["Already taken"] } };
    await expect(create()).rejects.toMatchObject(taken);
    await expect(update(uuid, 1, { name: made.name })).rejects.toMatchObject(taken);
  });

  test("JSON that says the same in another order is no change", async () => {
    const { uuid } = await create({ notes: [{ long_name: 1, b: 2 }] });
    expect(await update(uuid, 1, { notes: [{ long_name: 1, b: 2 }] })).toMatchObject({ version: 1 });
  });
});

describe("records a form names by links", () => {
  test("are linked and unlinked with it, and only those get a new version", async () => {
    const { uuid } = await create();
    expect([await versionOf(shop), await versionOf(hall)]).toEqual([2, 1]);
    expect(await update(uuid, 1, { merchants: [idOf(shop), idOf(hall)] })).toMatchObject({
      version: 2,
      merchants: inOrder([idOf(shop), idOf(hall)]),
    });
    expect([await versionOf(shop), await versionOf(hall)]).toEqual([2, 2]);
    expect(await update(uuid, 2, { merchants: [idOf(hall), idOf(hall)] })).toMatchObject({ version: 3, merchants: [idOf(hall)] });
    expect([await versionOf(shop), await versionOf(hall)]).toEqual([3, 2]);
  });

  test("in another order are no change", async () => {
    const { uuid } = await create({ merchants: [idOf(shop), idOf(hall)] });
    expect(await update(uuid, 1, { merchants: [idOf(hall), idOf(shop)] })).toMatchObject({ version: 1 });
  });

  test("that are another tenant's, or none, are refused at their field, and nothing is written", async () => {
    const other = await makeOffice(db);
    const theirs = await makeMerchant(db, other.tenant, {});
    for (const stranger of [idOf(theirs), crypto.randomUUID()])
      await expect(create({ merchants: [idOf(shop), stranger] })).rejects.toMatchObject({
        code: "request.invalid",
        detail: { merchants: [noSuchRecord] },
      });
    expect(await list()).toEqual([]);
    expect(await versionOf(shop)).toBe(1);
  });
});

describe("links within a currency", () => {
  test("link only records of the same one", async () => {
    const account = await makeAccount(db, office.tenant, {});
    const tie = linked({
      table: "payment_group_accounts",
      ours: "group_id",
      theirs: "payment_account_id",
      to: "payment_accounts",
      currency: true,
    });
    const { uuid } = await create();
    const tied = (currency: string) =>
      inTenant(office.deps.database, office.tenant.id, (scoped) => tie(scoped, { ...call(), currency }, uuid, [idOf(account)]));
    expect(await tied("USD")).toEqual([noSuchRecord]);
    expect(await tied(office.tenant.currency)).toEqual([]);
  });
});
