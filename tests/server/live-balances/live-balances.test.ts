import { beforeEach, describe, expect, test } from "vitest";
import type { LiveBalance } from "../../../src/contract/live-balances.ts";
import { liveBalanceRoutes } from "../../../src/contract/live-balances.ts";
import { bankTransactionHandlers as bank } from "../../../src/server/bank-lines/bank-lines.ts";
import { liveBalanceHandlers as live } from "../../../src/server/live-balances/live-balances.ts";
import { pinHandlers } from "../../../src/server/preferences/handlers.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { transfersBy } from "../../support/transfers.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let merchant: Merchant;
let account: Account;
beforeEach(async () => {
  const tiers = { MYR: { confirm_from: "100.00", second_from: "1000.00" } };
  office = await makeOffice(db, { settings: { recall_seconds: 0, tiers }, currencies: ["VND"] });
  merchant = await makeMerchant(db, office.tenant, { wallet: "100000" });
  account = await makeAccount(db, office.tenant, {
    code: "TILL",
    balance: "5000",
    hold_amount: "100",
    reserve_amount: "400",
    threshold: "1000",
    deposit_daily_limit: "10000",
    withdrawal_monthly_limit: "20000",
  });
  await makeGroup(db, office.tenant, [account], [merchant]);
});

const asked = (uuids?: readonly string[]) => ({
  query: uuids === undefined ? {} : { "filter[uuid]": [...uuids] },
  params: undefined,
  body: undefined,
});
const list = (uuids?: readonly string[], call = office.call()) => live.listLiveBalances(call, asked(uuids));
const read = (call = office.call()) =>
  live.readLiveBalance(call, { params: { uuid: account.id }, query: undefined, body: undefined }).then(({ data }) => data);
const only1 = async (): Promise<LiveBalance> => {
  const { data } = await list([account.id]);
  const [row] = data;
  if (!row || data.length !== 1) throw new Error("one account was named");
  return row;
};
/** A withdrawal whose first approver has chosen the account. */
const firstApproved = async (amount: string) => {
  const { uuid, version, holder } = await office.claimed(merchant, { amount });
  const rows = [{ uuid, version, payment_account: account.id, confirmed: { amount, holder } }];
  return done(only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows }))));
};

describe("what a line and a pinned view ask", () => {
  const accounts = async () => {
    await makeAccount(db, office.tenant, { code: "LOW", balance: "10", threshold: "1000" });
    await makeAccount(db, office.tenant, { code: "IN", balance: "300", purpose: "deposit" });
  };
  const asking = (query: object) => {
    const parsed = liveBalanceRoutes.listLiveBalances.query.parse(query);
    return live.listLiveBalances(office.call(), { query: parsed, params: undefined, body: undefined });
  };

  test("its rows are filtered as on screen, the oldest first, with count, sum of balances and oldest", async () => {
    await accounts();
    const all = await asking({ sort: "created_at", with: "count,sums,oldest" });
    expect(all.data.map(({ code }) => code)).toEqual(["TILL", "LOW", "IN"]);
    expect(all.meta).toMatchObject({ count: 3, sums: { balance: "5310.00" }, oldest_at: all.data[0]?.created_at });
    const codes = async (query: object) => (await asking(query)).data.map(({ code }) => code);
    expect(await codes({ "filter[show]": "attention" })).toEqual(["LOW"]);
    expect(await codes({ "filter[show]": "pays" })).toEqual(["LOW", "TILL"]);
    expect(await codes({ "filter[state]": "normal", "filter[show]": "takes,attention" })).toEqual(["IN", "TILL"]);
    const { bank } = all.data[0] ?? { bank: "" };
    expect(await codes({ "filter[bank]": `CIMB,${bank}` })).toEqual(await codes({}));
    expect(await codes({ "filter[bank]": `!${bank}` })).toEqual([]);
    expect(await codes({ q: "till" })).toEqual(["TILL"]);
    const some = await asking({ "filter[show]": "pays", sort: "created_at", limit: "1", with: "count,sums" });
    expect(some.data.map(({ code }) => code)).toEqual(["TILL"]);
    expect(some.meta).toMatchObject({ count: 2, sums: { balance: "5010.00" } });
  });

  test("a pinned view has them without the rows", async () => {
    await accounts();
    const lists = [{ screen: "payment-account-live-balances" as const, query: { "filter[show]": "attention", sort: "created_at" } }];
    const [{ data }, [low]] = await Promise.all([
      pinHandlers.readPinFigures(office.call(), body({ lists })),
      asking({ "filter[show]": "attention" }).then(({ data: rows }) => rows),
    ]);
    expect(data).toMatchObject([{ known: true, count: 1, sums: { balance: "10.00" }, oldest_at: low?.created_at }]);
  });
});

describe("live balances", () => {
  test("tell of each account of the currency what it has, what is kept back, what may be paid, and its limits", async () => {
    await makeAccount(db, office.tenant, { code: "DONG", currency: "VND", balance: "0" });
    const { data } = await list();
    expect(data.map(({ code }) => code)).toEqual(["TILL"]);
    expect(data[0]).toMatchObject({
      balance: "5000.00",
      hold_amount: "100.00",
      reserve_amount: "400.00",
      payable: "4500.00",
      state: "normal",
      critical_since: null,
      open_in: { count: 0, amount: "0.00" },
      open_out: { count: 0, amount: "0.00" },
      read_at: null,
    });
  });

  test("count what is open: deposits on the account, and withdrawals its first approver chose it for", async () => {
    await office.deposit(merchant, { amount: "70.00", member: "M1" });
    await office.paid(merchant, { amount: "80.00", member: "M2" });
    await office.withdraw(merchant, { amount: "90.00" });
    await firstApproved("1500.00");
    expect(await only1()).toMatchObject({
      open_in: { count: 2, amount: "150.00" },
      open_out: { count: 1, amount: "1500.00" },
      deposit_daily: { used: "150.00", limit: "10000.00" },
    });
  });

  test("count pending transfers on both sides, and what leaves is payable no more; what is confirmed is open no more", async () => {
    const other = await makeAccount(db, office.tenant, { code: "VAULT", balance: "0" });
    const acts = transfersBy(office);
    const out = await acts.transfer(account, other, "300.00", { charges_value: "2.00" });
    await acts.settle(merchant, account, "200.00");
    expect(await only1()).toMatchObject({
      open_in: { count: 0 },
      open_out: { count: 2, amount: "502.00" },
      pending_out: "502.00",
      payable: "3998.00",
    });
    const { data } = await list([other.id]);
    expect(data[0]).toMatchObject({ open_in: { count: 1, amount: "300.00" }, open_out: { count: 0 } });
    await acts.approve(out);
    expect(await only1()).toMatchObject({ open_out: { count: 1, amount: "200.00" }, balance: "4698.00", payable: "3998.00" });
  });

  test("say since when an account is critical", async () => {
    const { uuid, version, holder, amount } = await office.claimed(merchant, { amount: "50.00" });
    await db.owner.query("update payment_accounts set threshold = 4980 where id = $1", [account.id]);
    done(
      only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [{ uuid, version, confirmed: { amount, holder } }] }))),
    );
    const { state, critical_since } = await only1();
    expect(state).toBe("critical");
    expect(Date.now() - Date.parse(critical_since ?? "")).toBeLessThan(600_000);
  });

  test("say when the day began and when day and month end, in the currency's zone", async () => {
    await db.owner.query("update currencies set zone_minutes = 420 where tenant_id = $1", [office.tenant.id]);
    const call = { ...office.call(), currencyFacts: { minorDigits: 2, zoneMinutes: 420 } };
    const { meta } = await list(undefined, call);
    const local = (instant: string) => new Date(Date.parse(instant) + 420 * 60_000).toISOString();
    const [day, next, month] = [meta.day_starts_at, meta.day_ends_at, meta.month_ends_at].map(local);
    expect([day, next, month].map((at) => at?.slice(11))).toEqual(["00:00:00.000Z", "00:00:00.000Z", "00:00:00.000Z"]);
    expect(local(meta.at) >= (day ?? "") && local(meta.at) < (next ?? "")).toBe(true);
    expect(Date.parse(meta.day_ends_at) - Date.parse(meta.day_starts_at)).toBe(86_400_000);
    expect(month?.slice(8, 10)).toBe("01");
  });
});

describe("the course of an account's day", () => {
  test("begins with the balance the day began with, and has the last balance of each quarter of an hour", async () => {
    await office.credited(merchant, { amount: "500.00" });
    // the opening lies before the day, the deposit an hour and a quarter into it
    await db.owner.query(
      `alter table ledger_entries disable trigger user; update ledger_entries e set created_at = case g.kind when 'opening'
          then day_start(local_day(now(), 480), 480) - interval '1 hour' else day_start(local_day(now(), 480), 480) + interval '76 minutes' end
        from ledger_groups g where g.tenant_id = e.tenant_id and g.id = e.group_id; alter table ledger_entries enable trigger user`,
    );
    const at = new Date(Math.floor((Date.now() + 480 * 60_000) / 86_400_000) * 86_400_000 - 480 * 60_000);
    const minutes = (Date.now() - at.getTime()) / 60_000;
    const { data } = await live.listLiveDays(office.call(), asked([account.id]));
    const [day] = data;
    expect(day?.opening).toBe("5000.00");
    expect(day?.points).toHaveLength(Math.floor(minutes / 15) + 1);
    const before = day?.points.slice(0, 5) ?? [];
    expect(before).toEqual(before.map(() => "5000.00"));
    const after = day?.points.slice(5) ?? [];
    expect(after).toEqual(after.map(() => "5500.00"));
  });
});

describe("an account's detail", () => {
  test("lists what is open with what it would move, tells what the day has moved, and its rate-limit group", async () => {
    const group = await makeRateGroup(db, office.tenant, { name: "Careful" });
    await db.owner.query("update payment_accounts set rate_limit_group_id = $2 where id = $1", [account.id, group]);
    await office.credited(merchant, { amount: "60.00", member: "M0" });
    const { txn_no } = await office.deposit(merchant, { amount: "70.00" });
    const out = await firstApproved("1500.00");
    expect(await read()).toMatchObject({
      items: [
        { kind: "deposit", status: "pending", txn_no, amount: "70.00" },
        { kind: "withdrawal", status: "process", txn_no: out.txn_no, amount: "-1500.00" },
      ],
      more: false,
      // with what opened the account
      day_in: "5060.00",
      day_out: "0.00",
      rate_limit_group: { uuid: group, name: "Careful", code: null },
      bank: null,
    });
  });

  test("names what a pending transfer is with: the other account, or the merchant it settles", async () => {
    const other = await makeAccount(db, office.tenant, { code: "VAULT", balance: "900" });
    const acts = transfersBy(office);
    const { txn_no: out } = await acts.transfer(account, other, "300.00", { charges_value: "2.00" });
    const { txn_no: into } = await acts.transfer(other, account, "50.00");
    const { txn_no: settled } = await acts.settle(merchant, account, "200.00");
    const { rows } = await db.owner.query<{ name: string }>("select name from merchants where id = $1", [merchant.id]);
    expect((await read()).items).toMatchObject([
      { kind: "transfer", status: "pending", txn_no: out, party: "VAULT", amount: "-302.00" },
      { kind: "transfer", status: "pending", txn_no: into, party: "VAULT", amount: "50.00" },
      { kind: "transfer", status: "pending", txn_no: settled, party: rows[0]?.name, amount: "-200.00" },
    ]);
  });

  test("shows the newest line of its bank beside the ledger, and how many lines belong to nothing", async () => {
    const add = (direction: "credit" | "debit", amount: string, description: string) =>
      bank.createBankLine(
        office.call(),
        body({
          payment_account: account.id,
          time: new Date().toISOString(),
          direction,
          amount,
          description,
          reference: "",
          counterparty: "",
          counterparty_account: "",
        }),
      );
    await add("credit", "10.00", "DUITNOW 1");
    await add("debit", "4.50", "FEE");
    await db.owner.query("update bank_lines set balance = 4990 where payment_account_id = $1 and description = 'FEE'", [account.id]);
    const { bank: told } = await read();
    expect(told).toMatchObject({
      last: { text: "FEE", amount: "-4.50" },
      balance: { bank_balance: "4990.00", ledger_balance: "5000.00", difference: "-10.00" },
      unmatched: 2,
    });
    expect((await only1()).read_at).toBe(told?.last.imported_at);
  });

  test("keeps from the caller what they may not see: items of that kind, and the bank's lines", async () => {
    await office.deposit(merchant, { amount: "70.00" });
    await firstApproved("1500.00");
    await transfersBy(office).settle(merchant, account, "200.00");
    await bank.createBankLine(
      office.call(),
      body({
        payment_account: account.id,
        time: new Date().toISOString(),
        direction: "credit",
        amount: "10.00",
        description: "X",
        reference: "",
        counterparty: "",
        counterparty_account: "",
      }),
    );
    const few = office.call(office.ann, { permissions: ["pas.account.accounts.view", "pas.transaction.deposits.view"] });
    const { items, bank: told, row } = await read(few);
    expect(items.map(({ kind }) => kind)).toEqual(["deposit"]);
    expect(told).toBeNull();
    expect(row.open_out.count).toBe(2);
  });
});
