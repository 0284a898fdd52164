import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { Refusal } from "../../../src/contract/problems.ts";
import type { SettingChange, TenantSettingDetail } from "../../../src/contract/settings.ts";
import type { z } from "zod";
import type { StaffCall } from "../../../src/server/call.ts";
import { readConfig } from "../../../src/server/auth/handlers.ts";
import { openDatabase } from "../../../src/server/db/scope.ts";
import { settingHandlers as handlers } from "../../../src/server/settings/handlers.ts";
import { testDatabase } from "../../support/database.ts";
import { makeMerchant } from "../../support/factories.ts";
import { ask, serve, sessionOf } from "../../support/http.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
const nothing = { body: undefined, params: undefined, query: undefined };
let office: Office;

beforeAll(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
});

type Change = Omit<z.infer<typeof SettingChange>, "version">;
const read = async (at = office): Promise<TenantSettingDetail> => (await handlers.readSettings(at.call(), nothing)).data;
/** As somebody who just signed in. */
async function proved(call: StaffCall): Promise<StaffCall> {
  const { rows } = await db.owner.query<{ id: string }>(
    "insert into sessions (user_id, expires_at) values ($1, now() + interval '1 day') returning id",
    [call.caller.id],
  );
  return { ...call, caller: { ...call.caller, session: rows[0]?.id ?? "" } };
}
async function change(parts: Change, { at = office, version, key }: { at?: Office; version?: number; key?: string } = {}) {
  const given = { version: version ?? (await read(at)).row.version, ...parts };
  return (await handlers.updateSettings(await proved(at.call(at.ann, { ...(key !== undefined && { key }) })), body(given))).data;
}
const refusalOf = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: unknown) => (error instanceof Refusal ? error : Promise.reject(error)),
  );

test("a tenant that set nothing has the defaults, with a tier for each of its currencies", async () => {
  const { row, defaults, changed, history } = await read();
  expect(row).toMatchObject({ deposit_expiry_minutes: 30, withdrawal_expiry_hours: null, claim_limit: 10, recall_seconds: 5 });
  expect(row).toMatchObject(defaults);
  expect(Object.keys(row.tiers)).toEqual([office.tenant.currency, "THB"]);
  expect(row.languages).toEqual(["en", "zh"]);
  expect(row.reject_reasons).toHaveLength(7);
  expect([changed, history]).toEqual([{}, []]);
});

test("a change shows who made it, when, and what was before; what stayed is not in the audit log", async () => {
  const at = await makeOffice(db);
  const { row, changed, history } = await change({ claim_limit: 25, recall_seconds: 5 }, { at });
  expect(row.claim_limit).toBe(25);
  expect(changed).toEqual({ claim_limit: { by: "Ann Lim", at: expect.any(String) } });
  expect(history).toEqual([
    {
      at: expect.any(String),
      act: "tenant-setting.update",
      by: "Ann Lim",
      reason: null,
      changes: { claim_limit: { before: 10, after: 25 } },
    },
  ]);
});

test("the same again changes nothing: no version, no audit row", async () => {
  const before = await change({ claim_limit: 12 });
  const after = await change({ claim_limit: 12 });
  expect(after.row.version).toBe(before.row.version);
  expect(after.history).toHaveLength(before.history.length);
});

test("of two who save at once the second learns who was first, and what stands now", async () => {
  const { version } = (await read()).row;
  await change({ claim_limit: 13 }, { version });
  const refusal = await refusalOf(change({ claim_limit: 14 }, { version }));
  expect(refusal).toMatchObject({ code: "record.stale", detail: { by: "Ann Lim", row: { claim_limit: 13, version: version + 1 } } });
  const twice = await read();
  const raced = await Promise.allSettled([20, 21, 22, 23].map((claim_limit) => change({ claim_limit }, { version: twice.row.version })));
  expect(raced.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a request sent again under its key is not done again", async () => {
  await change({ claim_limit: 31 }, { key: "first-request", version: (await read()).row.version });
  const { version } = (await read()).row;
  await change({ claim_limit: 32 });
  // the same body under the same key is the same request
  const again = await change({ claim_limit: 31 }, { key: "first-request", version: version - 1 });
  expect(again.row.claim_limit).toBe(31);
  expect((await read()).row.claim_limit).toBe(32);
});

test("a tier is given to the tenant's currencies only, and a currency left out keeps its own", async () => {
  const tier = { confirm_from: "100.00", second_from: "900.00" };
  const { row } = await change({ tiers: { THB: tier } });
  expect(row.tiers).toEqual({ [office.tenant.currency]: { confirm_from: "5000.00", second_from: "50000.00" }, THB: tier });
  expect(await refusalOf(change({ tiers: { USD: tier } }))).toMatchObject({
    code: "request.invalid",
    detail: { "tiers.USD": ["Not a currency of this tenant"] },
  });
});

test("English and Chinese are offered whatever is set; the console gets them in the product's order", async () => {
  const at = await makeOffice(db);
  expect((await change({ languages: ["ar"] }, { at })).row.languages).toEqual(["en", "zh", "ar"]);
  const config = (await readConfig(at.call())).data;
  expect([config.languages, config.sounds]).toEqual([
    ["en", "zh", "ar"],
    { deposit: true, withdraw: true, paymentAccount: true, scoreAlarm: true },
  ]);
});

test("callbacks to the machine itself are allowed on a development server only", async () => {
  const at = await makeOffice(db);
  expect((await change({ loopback_callbacks: true }, { at })).row.loopback_callbacks).toBe(true);
  const config = { ...at.deps.config, development: false };
  const call = { ...at.call(), deps: { ...at.deps, config } };
  const production = async (parts: Change) =>
    handlers.updateSettings({ ...call, idempotencyKey: null }, body({ version: (await read(at)).row.version, ...parts }));
  // one that is on stays on: only turning it on is refused
  expect((await production({ loopback_callbacks: true, recall_seconds: 6 })).data).toMatchObject({
    row: { loopback_callbacks: true, recall_seconds: 6 },
    development: false,
  });
  expect((await production({ loopback_callbacks: false })).data.row.loopback_callbacks).toBe(false);
  expect(await refusalOf(production({ loopback_callbacks: true }))).toMatchObject({
    detail: { loopback_callbacks: ["Only for development"] },
  });
});

test("changing limits, or whether two-factor is required, needs a recent proof of identity", async () => {
  const at = await makeOffice(db);
  await change({ claim_limit: 12 }, { at });
  const { version, tiers, claim_limit } = (await read(at)).row;
  const call = await proved(at.call(at.ann));
  await db.owner.query("update sessions set proved_at = now() - interval '11 minutes' where user_id = $1", [at.ann.id]);
  const save = (parts: Change, of = version) => handlers.updateSettings({ ...call, idempotencyKey: null }, body({ version: of, ...parts }));
  const tier = { confirm_from: "100.00", second_from: "900.00" };
  for (const parts of [{ claim_limit: 13 }, { require_two_factor: true }, { tiers: { [at.tenant.currency]: tier } }] satisfies Change[]) {
    expect(await refusalOf(save(parts)), JSON.stringify(parts)).toMatchObject({ code: "step-up.required" });
  }
  // all else may change, beside limits that stay what they are
  expect((await save({ recall_seconds: 9, claim_limit, tiers, require_two_factor: false })).data.row.recall_seconds).toBe(9);
  await db.owner.query("update sessions set proved_at = now() where user_id = $1", [at.ann.id]);
  expect((await save({ claim_limit: 13 }, version + 1)).data.row).toMatchObject({ claim_limit: 13, require_two_factor: false });
});

describe("over HTTP", () => {
  test("each bound is reported at its field", async () => {
    const served = await serve(db);
    const { access_token: token } = await sessionOf(served.deps, office.ann.id);
    await db.owner.query(
      `with g as (insert into user_groups (tenant_id, code, name, permissions) values ($1, 'setters', 'Setters', '{tenant-setting.view,tenant-setting.update}') returning id)
        insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from g`,
      [office.tenant.id, office.ann.id],
    );
    const { version } = (await read()).row;
    const reason = { code: "duplicate", text: null };
    const wrong: [string, object][] = [
      ["deposit_expiry_minutes", { deposit_expiry_minutes: 0 }],
      ["deposit_expiry_minutes", { deposit_expiry_minutes: 10_081 }],
      ["withdrawal_expiry_hours", { withdrawal_expiry_hours: 0 }],
      ["claim_limit", { claim_limit: 0 }],
      ["claim_limit", { claim_limit: 101 }],
      ["claim_limit", { claim_limit: 2.5 }],
      ["recall_seconds", { recall_seconds: 61 }],
      ["recall_seconds", { recall_seconds: -1 }],
      ["tiers.THB.confirm_from", { tiers: { THB: { confirm_from: "10.00", second_from: "9.00" } } }],
      ["tiers.THB.second_from", { tiers: { THB: { confirm_from: "-1.00", second_from: "x" } } }],
      ["reject_reasons", { reject_reasons: [] }],
      ["reject_reasons", { reject_reasons: Array.from({ length: 10 }, (_, n) => ({ code: `r-${"abcdefghij"[n]}`, text: "Reason" })) }],
      ["reject_reasons.1.code", { reject_reasons: [reason, reason] }],
      ["reject_reasons.0.text", { reject_reasons: [{ code: "our-own", text: null }] }],
      ["reject_reasons.0.told", { reject_reasons: [{ code: "duplicate", text: null, told: "Not Small" }] }],
      ["reject_reasons.0.code", { reject_reasons: [{ code: "other", text: "Other" }] }],
      ["sla.amber_minutes", { sla: { amber_minutes: 10, red_minutes: 10 } }],
      ["languages.0", { languages: ["nl"] }],
      ["colour", { colour: "red" }],
    ];
    try {
      for (const [field, parts] of wrong) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, so that each refusal belongs to its request
        const answer = await ask(served, "updateSettings", { token, tenant: office.tenant.id, body: { version, ...parts } });
        expect([answer.status, Object.keys(answer.data ?? {})], JSON.stringify(parts)).toEqual([422, expect.arrayContaining([field])]);
      }
      expect((await read()).row.version).toBe(version);
    } finally {
      await served.app.close();
    }
  });

  test("a setting changed in one server process is in effect in another with its next request", async () => {
    const other = openDatabase((role) => db.connectAs(role));
    const [one, two] = [await serve(db), await serve({ ...db, database: other })];
    try {
      const at = await makeOffice(db);
      await db.owner.query(
        `insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from user_groups where tenant_id = $1 and code = 'owner'`,
        [at.tenant.id, at.ann.id],
      );
      const { access_token: token } = await sessionOf(one.deps, at.ann.id);
      const scope = { token, tenant: at.tenant.id };
      const known = await ask(one, "readSettings", scope);
      const { row } = known.data as TenantSettingDetail; // the contract's shape
      expect((await ask(two, "readConfig", scope)).data).toMatchObject({ withdrawals: { claim_limit: 10, recall_seconds: 5 } });
      const saved = await ask(one, "updateSettings", { ...scope, body: { version: row.version, claim_limit: 3, recall_seconds: 9 } });
      expect(saved.status).toBe(200);
      expect((await ask(two, "readConfig", scope)).data).toMatchObject({ withdrawals: { claim_limit: 3, recall_seconds: 9 } });
      const merchant = await makeMerchant(db, at.tenant, { wallet: "100000" });
      await change({ withdrawal_expiry_hours: 7 }, { at });
      const withdrawal = await at.withdraw(merchant);
      expect((withdrawal.expires_at?.getTime() ?? 0) - withdrawal.created_at.getTime()).toBe(7 * 3_600_000);
    } finally {
      await Promise.all([one.app.close(), two.app.close()]);
      await other.close();
    }
  });
});

test("the database itself lets a request change its own tenant's settings only", async () => {
  const [mine, theirs] = [await makeOffice(db), await makeOffice(db)];
  const client = new pg.Client(db.connectAs("countinghouse_app"));
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('app.tenant_id', $1, true)", [mine.tenant.id]);
    const set = (tenant: string) => client.query("update tenants set settings = '{}' where id = $1", [tenant]);
    expect((await set(mine.tenant.id)).rowCount).toBe(1);
    expect((await set(theirs.tenant.id)).rowCount).toBe(0);
    await client.query("rollback");
    expect((await set(mine.tenant.id)).rowCount).toBe(0);
    expect((await client.query("select from tenants where id = $1", [theirs.tenant.id])).rowCount).toBe(1);
  } finally {
    await client.end();
  }
});
