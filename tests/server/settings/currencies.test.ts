import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Currency } from "../../../src/contract/session.ts";
import type { TenantSettingDetail } from "../../../src/contract/settings.ts";
import { addCurrency } from "../../../src/server/tenants/add-currency.ts";
import { createTenant } from "../../../src/server/tenants/create-tenant.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount } from "../../support/factories.ts";
import { ask, serve, sessionOf } from "../../support/http.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let served: Awaited<ReturnType<typeof serve>>;
let office: Office;
let scope: { token: string; tenant: string };

beforeAll(async () => {
  served = await serve(db);
  office = await makeOffice(db);
  const id = office.tenant.id;
  await db.owner.query(
    `insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from user_groups where tenant_id = $1 and code = 'owner'`,
    [id, office.ann.id],
  );
  scope = { token: (await sessionOf(served.deps, office.ann.id)).access_token, tenant: id };
});
afterAll(() => served.app.close());

const dong = { code: "VND", name: "Vietnamese dong", country: "Viet Nam", zone: "+07:00" };
const add = (body: object) => ask(served, "addCurrency", { ...scope, body });
const settings = async () => (await ask(served, "readSettings", scope)).data as TenantSettingDetail; // the contract's shape

describe("adding a currency in the settings", () => {
  test("gives it the decimals of ISO 4217, and can be worked in at once; who added it is in the history", async () => {
    const before = await settings();
    const added = await add(dong);
    expect(added.status, added.text).toBe(200);
    const expected = { code: "VND", name: "Vietnamese dong", minor_digits: 0, country: { name: "Viet Nam", timezone: { gmt: "+07:00" } } };
    expect((added.data as Currency[]).map(({ code }) => code)).toEqual(["MYR", "VND"]); // as above
    expect((await ask(served, "readConfig", scope)).data).toMatchObject({ currencies: [{ code: "MYR" }, expected] });
    expect((await ask(served, "listWithdrawals", { ...scope, currency: "VND" })).status).toBe(200);
    const after = await settings();
    expect(Object.keys(after.row.tiers)).toEqual(["MYR", "VND"]);
    expect(after.history.slice(0, after.history.length - before.history.length)).toEqual([
      {
        at: expect.any(String),
        act: "tenant-setting.add-currency",
        by: "Ann Lim",
        reason: null,
        changes: { currency: { before: null, after: { ...dong, minor_digits: 0 } } },
      },
    ]);
  });

  test("one the tenant has, one that is none, and an offset that is none are refused at their fields", async () => {
    const refused = async (body: object) => {
      const { status, data } = await add({ ...dong, ...body });
      return [status, data];
    };
    expect(await refused({ code: "MYR" })).toEqual([422, { code: ["Already taken"] }]);
    expect(await refused({ code: "QQQ" })).toEqual([422, { code: ["Must be an ISO 4217 currency, such as VND"] }]);
    expect(await refused({ code: "THB", zone: "Asia/Bangkok" })).toEqual([422, { zone: ["Must be an offset such as +08:00"] }]);
    expect(await refused({ code: "THB", country: "--" })).toEqual([422, { country: ["Must have a letter or digit"] }]);
  });
});

describe("an amount with more digits than its currency", () => {
  const inDigits = (digits: number, code: string) =>
    db.owner.query("update currencies set minor_digits = $3 where tenant_id = $1 and code = $2", [office.tenant.id, code, digits]);

  test("is refused at its field: of a form, of a list's filter, of a confirmation, of a tier", async () => {
    await inDigits(0, "MYR");
    try {
      const account = await makeAccount(db, office.tenant);
      const form = {
        version: 1,
        holder: "House Sdn Bhd",
        type: "normal",
        purpose: "both",
        method: "bank_transfer",
        reserve_amount: "10.5",
        threshold: "100",
        deposit_minimum: "1.25",
        deposit_maximum: "",
        withdrawal_minimum: "",
        withdrawal_maximum: "",
        deposit_daily_limit: "",
        deposit_monthly_limit: "",
        withdrawal_daily_limit: "",
        withdrawal_monthly_limit: "",
        charges_type: "percent",
        charges_value: "0.375",
      };
      const at = { ...scope, currency: "MYR" };
      const line = ["Must have at most 0 decimals"];
      const change = (body: object) => ask(served, "updatePaymentAccount", { ...at, params: { uuid: account.id }, body });
      expect(await change(form)).toMatchObject({
        status: 422,
        code: "amount.too-precise",
        data: { reserve_amount: line, deposit_minimum: line },
      });
      const sound = { ...form, reserve_amount: "10.00", deposit_minimum: "" };
      expect(await change({ ...sound, charges_type: "fixed" })).toMatchObject({ status: 422, data: { charges_value: line } });
      expect((await change(sound)).status).toBe(200);
      expect(await ask(served, "listWithdrawals", { ...at, query: { "filter[amount_from]": "0.5" } })).toMatchObject({
        status: 422,
        data: { "filter[amount_from]": line },
      });
      const rows = [{ uuid: randomUUID(), version: 1, confirmed: { amount: "1.50", holder: "Tan" } }];
      expect(
        await ask(served, "secondApproveWithdrawals", { ...at, headers: { "idempotency-key": randomUUID() }, body: { rows } }),
      ).toMatchObject({
        status: 422,
        data: { "rows.0.confirmed.amount": line },
      });
      const { row } = await settings();
      const tiers = { MYR: { confirm_from: "5000.50", second_from: "50000.00" } };
      expect(await ask(served, "updateSettings", { ...scope, body: { version: row.version, tiers } })).toMatchObject({
        status: 422,
        data: { "tiers.MYR.confirm_from": line },
      });
    } finally {
      await inDigits(2, "MYR");
    }
  });

  test("three decimals are taken where the currency has them", async () => {
    await inDigits(3, "MYR");
    try {
      const taken = await ask(served, "listWithdrawals", { ...scope, currency: "MYR", query: { "filter[amount_from]": "0.125" } });
      expect(taken.status).toBe(200);
      const finer = await ask(served, "listWithdrawals", { ...scope, currency: "MYR", query: { "filter[amount_from]": "0.1255" } });
      expect(finer.status).toBe(422);
    } finally {
      await inDigits(2, "MYR");
    }
  });
});

describe("the commands", () => {
  const digits = async (tenant: string) =>
    (
      await db.owner.query<{ code: string; minor_digits: number; zone_minutes: number }>(
        "select c.code, c.minor_digits, c.zone_minutes from currencies c join tenants t on t.id = c.tenant_id where t.code = $1 order by c.position",
        [tenant],
      )
    ).rows;
  const run = async (command: typeof addCurrency, args: readonly string[]) => {
    const printed: string[] = [];
    const client = await db.owner.connect();
    try {
      await command(client, args, (line) => void printed.push(line));
    } finally {
      client.release();
    }
    return printed;
  };
  const founding = (code: string, currency: string) => [
    "--code",
    code,
    "--name",
    "Harbour",
    "--currency",
    currency,
    "--owner",
    `${code}@example.com`,
  ];

  test("create-tenant and add-currency take the decimals of ISO 4217", async () => {
    await run(createTenant, founding("DONG", "VND"));
    expect(await run(addCurrency, ["--tenant", "DONG", "--currency", "KWD", "--country", "Kuwait", "--zone", "+03:00"])).toEqual([
      "tenant DONG has KWD (Kuwaiti Dinar) with 3 decimals, zone +03:00",
    ]);
    await run(addCurrency, ["--tenant", "DONG", "--currency", "MYR"]);
    expect(await digits("DONG")).toEqual([
      { code: "VND", minor_digits: 0, zone_minutes: 480 },
      { code: "KWD", minor_digits: 3, zone_minutes: 180 },
      { code: "MYR", minor_digits: 2, zone_minutes: 480 },
    ]);
    const { rows } = await db.owner.query(
      "select actor_kind, act, after #>> '{currency,code}' as code from audit_entries a join tenants t on t.id = a.tenant_id where t.code = 'DONG' order by a.id",
    );
    expect(rows).toEqual(["KWD", "MYR"].map((code) => ({ actor_kind: "system", act: "tenant-setting.add-currency", code })));
  });

  test("what cannot be done is explained, and nothing is added", async () => {
    await run(createTenant, founding("QUAY", "MYR"));
    await expect(run(addCurrency, ["--tenant", "QUAY", "--currency", "MYR"])).rejects.toThrow("tenant QUAY has MYR already");
    await expect(run(addCurrency, ["--tenant", "NONE", "--currency", "THB"])).rejects.toThrow("there is no tenant with code NONE");
    await expect(run(addCurrency, ["--tenant", "QUAY", "--currency", "QQQ"])).rejects.toThrow("--currency: Must be an ISO 4217 currency");
    await expect(run(addCurrency, ["--tenant", "QUAY"])).rejects.toThrow("--tenant and --currency are needed");
    await expect(run(createTenant, founding("PIER", "QQQ"))).rejects.toThrow("--currency: an ISO 4217 code");
    expect(await digits("QUAY")).toHaveLength(1);
    expect(await digits("PIER")).toEqual([]);
  });
});
