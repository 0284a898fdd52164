import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { HoldForm, PaymentAccountForm } from "../../../src/contract/payment-accounts.ts";
import { paymentAccountRoutes, paymentAccountSorts } from "../../../src/contract/payment-accounts.ts";
import { paymentAccountHandlers as act } from "../../../src/server/accounts/payment-accounts.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { counts } from "../../../src/server/payments/notifications.ts";
import { testDatabase } from "../../support/database.ts";
import { fund, makeAccount, makeGroup, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

// one test holds a row until another's wait for it is seen
const db = testDatabase({ patient: true });
let office: Office;
beforeEach(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
});

type Query = z.input<typeof paymentAccountRoutes.listPaymentAccounts.query>;
const list = (query: Query, call = office.call()) =>
  act.listPaymentAccounts(call, { query: paymentAccountRoutes.listPaymentAccounts.query.parse(query), params: undefined, body: undefined });
const codes = async (query: Query) => (await list(query)).data.map(({ code }) => code);
const form: PaymentAccountForm = {
  holder: "House Sdn Bhd",
  type: "normal",
  purpose: "both",
  method: "bank_transfer",
  reserve_amount: "0",
  threshold: "0",
  deposit_minimum: "",
  deposit_maximum: "",
  withdrawal_minimum: "",
  withdrawal_maximum: "",
  deposit_daily_limit: "",
  deposit_monthly_limit: "",
  withdrawal_daily_limit: "",
  withdrawal_monthly_limit: "",
  charges_type: "fixed",
  charges_value: "0",
};
const fresh = { code: "MBB-01", bank: "Maybank", account_number: "5140 1234-5678" };
const create = (more: Partial<PaymentAccountForm & typeof fresh> = {}, call = office.call()) =>
  act.createPaymentAccount(call, body({ ...form, ...fresh, ...more })).then(({ data }) => data);
const update = (uuid: string, version: number, more: Partial<PaymentAccountForm> = {}, call = office.call()) =>
  act.updatePaymentAccount(call, { params: { uuid }, query: undefined, body: { ...form, ...more, version } }).then(({ data }) => data);
const setStatus = (uuid: string, version: number, status: "active" | "inactive" | "suspend", call = office.call()) =>
  act
    .changePaymentAccountStatus(call, { params: { uuid }, query: undefined, body: { version, status, reason: "frozen by the bank" } })
    .then(({ data }) => data);
const hold = (uuid: string, version: number, more: Partial<HoldForm> = {}) =>
  act
    .holdPaymentAccount(office.call(), {
      params: { uuid },
      query: undefined,
      body: { amount: "1", reason: "frozen by the bank", until: "", ...more, version },
    })
    .then(({ data }) => data);
const remove = (uuid: string, version = 1, call = office.call()) =>
  act.deletePaymentAccount(call, { params: { uuid }, query: { version }, body: undefined });
const detail = (uuid: string, call = office.call()) =>
  act.readPaymentAccount(call, { params: { uuid }, query: undefined, body: undefined }).then(({ data }) => data);
const read = async (uuid: string) => (await detail(uuid)).row;
const audited = async (uuid: string) =>
  (
    await db.owner.query("select act, before, after, reason from audit_entries where tenant_id = $1 and entity_id = $2 order by id", [
      office.tenant.id,
      uuid,
    ])
  ).rows;

/** An account that takes deposits, of a merchant that has no other. */
async function paidInto(columns: Readonly<Record<string, unknown>> = {}) {
  const account = await makeAccount(db, office.tenant, columns);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "100000" });
  const group = await makeGroup(db, office.tenant, [account], [merchant]);
  return { account, merchant, group };
}

const sqlOrder: Record<(typeof paymentAccountSorts)[number], string> = {
  code: "a.code",
  bank: "lower(a.bank)",
  holder: 'lower(a.holder) collate "C"',
  balance: "l.balance",
  created_at: "a.created_at",
  last_used_at: "coalesce(a.last_used_at, '-infinity')",
};
const several = ["bank,-balance", "-last_used_at,code", "last_used_at,-bank,balance", "-bank,last_used_at", "-balance,-bank"];

describe("the list", () => {
  test.each([...paymentAccountSorts.flatMap((name) => ["", "-"].map((sign) => `${sign}${name}`)), ...several])(
    "sorted by %s, pages forward and backward are SQL's order",
    async (sort) => {
      for (let n = 0; n < 13; n++) {
        await makeAccount(db, office.tenant, {
          code: `A-${String((n * 5) % 13).padStart(2, "0")}`,
          bank: ["Maybank", "CIMB", "maybank"][n % 3],
          holder: ["Selat", "Émile", "house", "House"][n % 4],
          balance: `${(n % 5) * 100 - 100}.5`,
          created_at: new Date(1_700_000_000_000 + (n % 4) * 1000),
          last_used_at: n % 3 === 0 ? null : new Date(1_700_000_000_000 + (n % 2) * 1000),
        });
      }
      const order = sort.split(",").map((text) => {
        const direction = text.startsWith("-") ? "desc" : "asc";
        return { by: `${sqlOrder[text.replace("-", "") as keyof typeof sqlOrder]} ${direction}`, direction }; // the tests name only these
      });
      const { rows } = await db.owner.query<{ id: string }>(
        `select a.id from payment_accounts a join ledger_accounts l on l.tenant_id = a.tenant_id and l.id = a.ledger_account_id
         where a.tenant_id = $1 order by ${order.map(({ by }) => by).join(", ")}, a.id ${order.at(-1)?.direction}`,
        [office.tenant.id],
      );
      const expected = rows.map(({ id }) => id);
      expect(expected).toHaveLength(13);
      const forward: string[] = [];
      let cursor: string | undefined;
      do {
        const { data, meta } = await list({ sort, limit: 4, ...(cursor && { cursor }) });
        forward.push(...data.map(({ uuid }) => uuid));
        cursor = meta.next ?? undefined;
      } while (cursor);
      expect(forward).toEqual(expected);
      const backward: string[] = [];
      do {
        const { data, meta } = await list({ sort, limit: 5, direction: "previous", ...(cursor && { cursor }) });
        backward.unshift(...data.map(({ uuid }) => uuid));
        cursor = meta.previous ?? undefined;
      } while (cursor);
      expect(backward).toEqual(expected);
    },
  );

  test("a page begins at a time or with a named row, and the count says how many stand before it", async () => {
    for (let n = 0; n < 9; n++)
      await makeAccount(db, office.tenant, { code: `M${n}`, created_at: new Date(1_700_000_000_000 + n * 60_000) });
    const codes = async (query: Parameters<typeof list>[0]) => {
      const { data, meta } = await list({ limit: 2, with: "count", ...query });
      return [data.map(({ code }) => code).join(" "), meta.before, meta.count];
    };
    const at = new Date(1_700_000_000_000 + 5 * 60_000).toISOString();
    expect(await codes({ sort: "created_at", at })).toEqual(["M5 M6", 5, 9]);
    expect(await codes({ sort: "-created_at", at })).toEqual(["M5 M4", 3, 9]);
    const third = await list({ sort: "code", limit: 2, cursor: (await list({ sort: "code", limit: 4 })).meta.next ?? "" });
    expect(await codes({ sort: "code", from: third.meta.previous ?? "" })).toEqual(["M4 M5", 4, 9]);
    expect(await codes({ sort: "code", direction: "previous" })).toEqual(["M7 M8", 7, 9]);
    await expect(list({ sort: "code", at })).rejects.toMatchObject({ code: "request.invalid" });
  });

  test("filters narrow it; count and sums are of all that is left", async () => {
    await makeAccount(db, office.tenant, {
      code: "MBB-01",
      balance: "100",
      account_number: "514012345678",
      hold_amount: "30",
      reserve_amount: "20",
    });
    await makeAccount(db, office.tenant, { code: "MBB-02", balance: "50", status: "suspend", type: "atm", holder: "Selat Logistik" });
    const cimb = await makeAccount(db, office.tenant, { code: "CIM-01", balance: "5", bank: "CIMB", status: "inactive", type: "backup" });
    await makeAccount(db, office.tenant, { code: "KBK-01", currency: "THB", balance: "0" });
    expect(await codes({})).toEqual(["CIM-01", "MBB-01", "MBB-02"]);
    expect(await codes({ "filter[status]": "active,inactive" })).toEqual(["CIM-01", "MBB-01"]);
    expect(await codes({ "filter[status]": "suspend" })).toEqual(["MBB-02"]);
    expect(await codes({ "filter[state]": "suspended" })).toEqual(["MBB-02"]);
    expect(await codes({ "filter[type]": "atm,backup" })).toEqual(["CIM-01", "MBB-02"]);
    expect(await codes({ "filter[bank]": "cimb" })).toEqual(["CIM-01"]);
    expect(await codes({ "filter[uuid]": cimb.id })).toEqual(["CIM-01"]);
    expect(await codes({ "filter[balance_from]": "50", "filter[balance_to]": "100" })).toEqual(["MBB-01", "MBB-02"]);
    expect(await codes({ "filter[balance_to]": "49.9999" })).toEqual(["CIM-01"]);
    expect(await codes({ "filter[payable_from]": "50.0001" })).toEqual([]);
    await db.owner.query("update payment_accounts set last_used_at = '2026-11-20T16:00:00Z' where id = $1", [cimb.id]);
    expect(await codes({ "filter[last_used_at_from]": "2026-11-20T16:00:00.000Z" })).toEqual(["CIM-01"]);
    expect(await codes({ "filter[last_used_at_to]": "2026-11-20T16:00:00.000Z" })).toEqual([]);
    expect(await codes({ "filter[created_at_to]": "2020-01-01T00:00:00.000Z" })).toEqual([]);
    expect(await codes({ q: "selat" })).toEqual(["MBB-02"]);
    expect(await codes({ q: "1234-5678" })).toEqual(["MBB-01"]);
    expect(await codes({ q: "_" })).toEqual([]);
    const { data, meta } = await list({ limit: 1, q: "mbb", with: "sums,count" });
    expect(data).toMatchObject([{ balance: "100.00", payable: "50.00" }]);
    expect(meta).toMatchObject({ count: 2, sums: { balance: "150.00", payable: "100.00" } });
  });

  test("a made-up cursor is refused", async () => {
    const made = Buffer.from(JSON.stringify(["balance", "9".repeat(30), "x"])).toString("base64url");
    await expect(list({ sort: "balance", cursor: made })).rejects.toMatchObject({ code: "request.invalid" });
  });

  test("another tenant's accounts are in no list and under no id, nor are another currency's", async () => {
    const other = await makeOffice(db);
    const theirs = await makeAccount(db, other.tenant, { balance: "0" });
    const ours = await makeAccount(db, office.tenant, { balance: "0" });
    expect(await codes({})).toEqual([ours.code]);
    expect(await codes({ "filter[uuid]": theirs.id })).toEqual([]);
    for (const attempt of [
      () => detail(theirs.id),
      () => update(theirs.id, 1),
      () => setStatus(theirs.id, 1, "suspend"),
      () => remove(theirs.id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "not-found" });
    }
    await expect(remove(ours.id, 1, office.call(office.ann, { currency: "THB" }))).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("status and state", () => {
  test("an account whose day is used up is overused, until the limit is raised", async () => {
    const { account, merchant } = await paidInto({ deposit_daily_limit: "1000" });
    await office.deposit(merchant, { amount: "999.00" });
    expect(await read(account.id)).toMatchObject({ status: "active", deposit_daily: { used: "999.00", limit: "1000.00" } });
    await office.deposit(merchant, { amount: "1.00" });
    expect(await read(account.id)).toMatchObject({
      status: "overuse",
      deposit_daily: { used: "1000.00", limit: "1000.00" },
      deposit_monthly: { used: "1000.00", limit: null },
      withdrawal_daily: { used: "0.00", limit: null },
    });
    expect(await codes({ "filter[status]": "overuse" })).toEqual([account.code]);
    expect(await codes({ "filter[status]": "active" })).toEqual([]);
    expect((await update(account.id, 1, { deposit_daily_limit: "1000.01" })).status).toBe("active");
  });

  test("so is one whose month is used up; another month begins anew, by the currency's zone", async () => {
    const { account, merchant } = await paidInto({ deposit_monthly_limit: "500" });
    await office.deposit(merchant, { amount: "500.00" });
    expect((await read(account.id)).status).toBe("overuse");
    // an offset no currency has, to be in a later month
    const elsewhere = { ...office.call(), currencyFacts: { minorDigits: 2, zoneMinutes: 480 + 40 * 24 * 60 } };
    expect((await detail(account.id, elsewhere)).row).toMatchObject({ status: "active", deposit_monthly: { used: "0.00" } });
  });

  test("a suspended account stays suspended, used up or not", async () => {
    const { account, merchant } = await paidInto({ deposit_daily_limit: "500" });
    await office.deposit(merchant, { amount: "500.00" });
    expect(await setStatus(account.id, 1, "suspend")).toMatchObject({ status: "suspend", state: "suspended" });
    expect(await setStatus(account.id, 2, "active")).toMatchObject({ status: "overuse", state: "normal" });
  });

  test("payable is the balance without hold and reserve, below zero where they are more", async () => {
    const { id } = await makeAccount(db, office.tenant, { balance: "100" });
    await update(id, 1, { reserve_amount: "50" });
    const held = await hold(id, 2, { amount: "70.50", reason: "court order" });
    expect(held).toMatchObject({ balance: "100.00", payable: "-20.50", hold_reason: "court order", hold_until: null });
  });

  test("a threshold above the balance makes it critical at once, and 5 % above it clears it; the counter agrees with the filter", async () => {
    const { id, code } = await makeAccount(db, office.tenant, { balance: "1000" });
    const counted = async () => (await counts(db.database, office.tenant.id, "MYR")).criticalAccountCount;
    expect(await update(id, 1, { threshold: "1000" })).toMatchObject({ state: "normal" });
    expect(await update(id, 2, { threshold: "1000.01" })).toMatchObject({ state: "critical", version: 3 });
    expect([await counted(), await codes({ "filter[state]": "critical" })]).toEqual([1, [code]]);
    // 1000 is not yet 5 % above
    expect(await update(id, 3, { threshold: "960" })).toMatchObject({ state: "critical" });
    await fund(db, office.tenant, "payment-account", id, "8");
    expect((await read(id)).state).toBe("normal");
    expect(await update(id, 4, { threshold: "2000" })).toMatchObject({ state: "critical" });
    expect(await update(id, 5, { threshold: "900" })).toMatchObject({ state: "normal" });
    await update(id, 6, { threshold: "2000" });
    // what is not to be used alarms nobody
    expect(await setStatus(id, 7, "suspend")).toMatchObject({ state: "suspended" });
    expect([await counted(), await codes({ "filter[state]": "critical" })]).toEqual([0, []]);
    expect(await setStatus(id, 8, "active")).toMatchObject({ state: "critical" });
    expect([await counted(), await codes({ "filter[state]": "critical" })]).toEqual([1, [code]]);
    await setStatus(id, 9, "inactive");
    expect([await counted(), await codes({ "filter[state]": "critical" })]).toEqual([0, []]);
  });
});

describe("a new account", () => {
  test("begins empty, critical below its threshold, with a line in its history, and is announced", async () => {
    const made = await create({ threshold: "100", charges_value: "0.5", deposit_maximum: "5000" });
    expect(made).toMatchObject({
      ...fresh,
      account_number: "514012345678",
      version: 1,
      status: "active",
      state: "critical",
      balance: "0.00",
    });
    expect(made).toMatchObject({ charges_value: "0.50", deposit_minimum: null, deposit_maximum: "5000.00", hold_reason: null });
    expect(await audited(made.uuid)).toMatchObject([
      { act: "payment-account.create", before: null, after: { code: "MBB-01", threshold: "100.00" } },
    ]);
    expect(office.announced).toEqual([{ tenant: office.tenant.id, event: "paymentAccount", uuids: [made.uuid] }]);
    await fund(db, office.tenant, "payment-account", made.uuid, "105");
    expect(await read(made.uuid)).toMatchObject({ balance: "105.00", state: "normal" });
  });

  test("with a code or a number that is taken is refused by field", async () => {
    await create();
    const refused = (detail: object) => ({ code: "request.invalid", detail });
    await expect(create({ account_number: "999999" })).rejects.toMatchObject(refused({ code: ["Already taken"] }));
    await expect(create({ code: "MBB-02", account_number: "51401 2345 678" })).rejects.toMatchObject(
      refused({ account_number: [expect.any(String)] }),
    );
    expect(await create({ code: "CIM-01", bank: "CIMB" })).toMatchObject({ account_number: "514012345678" });
  });

  test.each<[string, Partial<PaymentAccountForm & typeof fresh>, string]>([
    ["a minimum above the maximum", { deposit_minimum: "100.01", deposit_maximum: "100" }, "deposit_minimum"],
    ["the same of withdrawals", { withdrawal_minimum: "2", withdrawal_maximum: "1.99" }, "withdrawal_minimum"],
    ["a day's limit above the month's", { deposit_daily_limit: "10", deposit_monthly_limit: "9" }, "deposit_daily_limit"],
    ["an amount no answer could hold", { deposit_daily_limit: "100000000000000" }, "deposit_daily_limit"],
    ["a reserve beyond measure", { reserve_amount: "25000000000000" }, "reserve_amount"],
    ["charges of more than the whole", { charges_type: "percent", charges_value: "100.01" }, "charges_value"],
  ])("with %s is refused by field", async (_, more, field) => {
    await expect(create(more)).rejects.toMatchObject({ code: "request.invalid", detail: { [field]: [expect.any(String)] } });
    expect(await codes({})).toEqual([]);
  });
});

describe("changing an account", () => {
  test("writes what changed, and only that, into the audit log, and announces it", async () => {
    const { uuid } = await create({ deposit_maximum: "5000" });
    const changed = await update(uuid, 1, { deposit_maximum: "", holder: "Selat Logistik" });
    expect(changed).toMatchObject({ version: 2, deposit_maximum: null, holder: "Selat Logistik" });
    expect((await audited(uuid))[1]).toEqual({
      act: "payment-account.update",
      before: { holder: "House Sdn Bhd", deposit_maximum: "5000.00" },
      after: { holder: "Selat Logistik", deposit_maximum: null },
      reason: null,
    });
    expect(office.announced.at(-1)).toMatchObject({ event: "paymentAccount", uuids: [uuid] });
    expect((await detail(uuid)).history).toMatchObject([
      { act: "payment-account.update", by: "Ann Lim", reason: null, changes: { deposit_maximum: { before: "5000.00", after: null } } },
      { act: "payment-account.create" },
    ]);
  });

  test("over somebody else's change is refused with who, when and the row as it is, and changes nothing", async () => {
    const { uuid } = await create();
    const bens = await update(uuid, 1, { holder: "Ben's" }, office.call(office.ben));
    const said = office.announced.length;
    const refused = { code: "record.stale", detail: { by: "Ben Ooi", at: expect.any(String), row: bens } };
    for (const attempt of [() => update(uuid, 1, { holder: "Ann's" }), () => setStatus(uuid, 1, "suspend"), () => remove(uuid, 1)]) {
      await expect(attempt()).rejects.toMatchObject(refused);
    }
    expect(await read(uuid)).toEqual(bens);
    expect(await audited(uuid)).toHaveLength(2);
    expect(office.announced).toHaveLength(said);
  });

  test("a status change is audited with its reason and announced", async () => {
    const { uuid } = await create();
    expect(await setStatus(uuid, 1, "suspend")).toMatchObject({ status: "suspend", state: "suspended", version: 2 });
    expect((await audited(uuid))[1]).toEqual({
      act: "payment-account.change-status",
      before: { status: "active" },
      after: { status: "suspend" },
      reason: "frozen by the bank",
    });
    expect(office.announced.at(-1)).toMatchObject({ event: "paymentAccount", uuids: [uuid] });
  });

  test("no limit is lowered below what is used already", async () => {
    const { account, merchant } = await paidInto({ deposit_daily_limit: "1000" });
    await office.deposit(merchant, { amount: "600.00" });
    const low = { code: "request.invalid", detail: { deposit_daily_limit: [expect.stringContaining("600.00")] } };
    await expect(update(account.id, 1, { deposit_daily_limit: "599.99" })).rejects.toMatchObject(low);
    await expect(update(account.id, 1, { deposit_monthly_limit: "599.99" })).rejects.toMatchObject({ code: "request.invalid" });
    expect(await update(account.id, 1, { deposit_daily_limit: "600" })).toMatchObject({ status: "overuse" });
  });

  test("a deposit that waited while a limit was lowered counts against the lowered one", async () => {
    const { account, merchant } = await paidInto({ deposit_daily_limit: "1000" });
    const client = await db.owner.connect();
    try {
      await client.query("begin");
      // what an edit does until it commits
      await client.query(
        `insert into limit_usage (tenant_id, payment_account_id, kind, period, starts) values ($1, $2, 'deposit', 'day', local_day(now(), 480))`,
        [office.tenant.id, account.id],
      );
      await client.query("update payment_accounts set deposit_daily_limit = 500 where id = $1", [account.id]);
      const deposit = office.deposit(merchant, { amount: "600.00" }).catch((error: unknown) => error);
      const waiting = "select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await db.owner.query<{ n: number }>(waiting)).rows[0]?.n).toBe(1);
      await client.query("commit");
      expect(await deposit).toMatchObject({ code: "account.none-found" });
    } finally {
      client.release();
    }
    expect((await read(account.id)).deposit_daily).toEqual({ used: "0.00", limit: "500.00" });
  });

  test("edits and deposits at once leave every counter and limit true", async () => {
    const { account, merchant } = await paidInto({ deposit_daily_limit: "5000", threshold: "1000100" });
    const deposits = Array.from({ length: 12 }, (_, n) =>
      office.deposit(merchant, { amount: "400.00", member: `M${n}` }).then(
        (row) => depositHandlers.processDeposits(office.call(), body({ rows: [{ uuid: row.id, version: row.version }] })),
        () => null,
      ),
    );
    const edits = ["900", "2000", "3000"].map((deposit_daily_limit) =>
      update(account.id, 1, { deposit_daily_limit, threshold: "10" }).catch(() => null),
    );
    await Promise.all([...deposits, ...edits]);
    const row = await read(account.id);
    expect(Number(row.deposit_daily.used)).toBeLessThanOrEqual(Number(row.deposit_daily.limit));
  });
});

test("an account's panel shows its groups, its rate-limit group and what is open", async () => {
  const rate = await makeRateGroup(db, office.tenant, { account_window_minutes: 60, account_max_count: 100 });
  const { account, merchant, group } = await paidInto({ rate_limit_group_id: rate });
  await office.deposit(merchant);
  const first = await office.withdraw(merchant);
  await office.withdraw(merchant);
  await db.owner.query("update transactions set first_account_id = $2 where id = $1", [first.id, account.id]);
  expect(await detail(account.id)).toMatchObject({
    groups: [{ uuid: group, name: expect.any(String), code: null }],
    rate_limit_group: { uuid: rate, name: expect.any(String) },
    open: 2,
  });
});

describe("deleting an account", () => {
  test("that nothing names takes it and its counters away, and is announced", async () => {
    const { uuid } = await create();
    await update(uuid, 1, { deposit_daily_limit: "100" });
    await remove(uuid, 2);
    await expect(read(uuid)).rejects.toMatchObject({ code: "not-found" });
    expect((await audited(uuid)).at(-1)).toMatchObject({
      act: "payment-account.delete",
      before: { code: "MBB-01", bank: "Maybank" },
      after: null,
    });
    expect(office.announced.at(-1)).toMatchObject({ event: "paymentAccount", uuids: [uuid] });
  });

  test("is refused, saying what names it: money, transactions, groups", async () => {
    const rich = await makeAccount(db, office.tenant, { balance: "-5" });
    await expect(remove(rich.id)).rejects.toMatchObject({ code: "record.in-use", detail: { name: expect.any(String), balance: "-5.00" } });
    const linked = await paidInto({ balance: "0" });
    await expect(remove(linked.account.id)).rejects.toMatchObject({ code: "record.in-use", detail: { groups: [expect.any(String)] } });
    const { account, merchant } = await paidInto({ balance: "0" });
    await office.deposit(merchant);
    await db.owner.query("delete from payment_group_accounts where payment_account_id = $1", [account.id]);
    await expect(remove(account.id)).rejects.toMatchObject({ code: "record.in-use", detail: { transactions: 1, open: 1 } });
    for (const { id } of [rich, linked.account, account]) expect((await read(id)).version).toBe(1);
  });
});
