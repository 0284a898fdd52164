import { beforeAll, describe, expect, test } from "vitest";
import { accountTransactionRoutes, merchantTransactionRoutes } from "../../../src/contract/statements.ts";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { accountTransactionHandlers, merchantTransactionHandlers } from "../../../src/server/statements/statements.ts";
import type { Asked } from "../../../src/values/asked.ts";
import { asking } from "../../../src/values/asked.ts";
import { money, moneyText } from "../../../src/values/money.ts";
import { testDatabase } from "../../support/database.ts";
import { fund, makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
const random = seededRandom(17);
let office: Office;

interface Entry {
  /** What posted it. */
  readonly posting: string;
  readonly at: string;
  readonly owner: string;
  readonly code: string;
  readonly kind: "wallet" | "payment-account";
  readonly amount: bigint;
}
let entries: readonly Entry[] = [];
let codes: Readonly<Record<Entry["kind"], readonly string[]>>;

/** Some days of four merchants and three accounts: credits, payments, refusals, recalls and adjustments, spread over them. */
beforeAll(async () => {
  office = await makeOffice(db, {
    settings: { recall_seconds: 60, claim_limit: 100, tiers: { MYR: { confirm_from: "100000.00", second_from: "1000000.00" } } },
  });
  const rates = { wallet: "100000", deposit_rate: "1.5", withdrawal_rate: "1", charges_borne_by: "merchant" };
  const merchants = await Promise.all([0, 1, 2, 3].map(() => makeMerchant(db, office.tenant, rates)));
  const charges = { charges_type: "fixed", charges_value: "0.75" };
  const accounts = await Promise.all([0, 1, 2].map(() => makeAccount(db, office.tenant, charges)));
  await makeGroup(db, office.tenant, accounts, merchants);
  for (let n = 0; n < 60; n++) {
    const merchant = random.pick(merchants);
    const amount = `${random.whole(10, 900)}.${random.whole(10, 99)}`;
    const way = random.whole(0, 5);
    if (way === 0) await office.credited(merchant, { amount });
    else if (way === 1) {
      const { uuid, version } = await office.credited(merchant, { amount });
      await depositHandlers.recallDeposits(office.call(), body({ rows: [{ uuid, version }] }));
    } else if (way === 2) {
      await fund(db, office.tenant, "payment-account", random.pick(accounts).id, random.pick(["250.00", "-17.50"]));
    } else {
      const { uuid, version, holder, ...row } = await office.claimed(merchant, { amount });
      const ref = { uuid, version };
      if (way === 3) await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [ref], reason: { code: "duplicate" } }));
      else
        await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [{ ...ref, confirmed: { amount: row.amount, holder } }] }));
      if (way === 5) await withdrawalHandlers.recallWithdrawals(office.call(), body({ rows: [{ uuid, version: version + 1 }] }));
    }
  }
  const { rows } = await db.owner.query<Omit<Entry, "amount"> & { amount: string }>(
    `select to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, a.owner_id as owner,
        coalesce(m.code, p.code) as code, a.kind, e.amount::text, g.kind as posting
      from ledger_entries e join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
      join ledger_groups g on g.tenant_id = e.tenant_id and g.id = e.group_id
      left join merchants m on m.id = a.owner_id left join payment_accounts p on p.id = a.owner_id
      where a.tenant_id = $1 and a.kind in ('wallet', 'payment-account') order by e.created_at`,
    [office.tenant.id],
  );
  entries = rows.map((row) => ({ ...row, amount: money(row.amount) }));
  const codesOf = (kind: Entry["kind"]) => [...new Set(entries.flatMap((one) => (one.kind === kind ? [one.code] : [])))];
  codes = { wallet: codesOf("wallet"), "payment-account": codesOf("payment-account") };
}, 120_000);

/** A moment of the history, between two entries or at one; to the millisecond as a person types it, or as the ledger has it. */
function moment(): string {
  const at = random.pick(entries).at;
  return random.chance(0.5) ? at : new Date(Date.parse(at) + random.whole(-2, 2)).toISOString();
}

const statements = {
  wallet: {
    code: "merchant_code",
    list: (query: Record<string, unknown>) =>
      merchantTransactionHandlers.listMerchantStatementLines(office.call(), {
        query: merchantTransactionRoutes.listMerchantStatementLines.query.parse(query),
        params: undefined,
        body: undefined,
      }),
    whole: (query: { code: string; from?: string; to?: string }) =>
      merchantTransactionHandlers.readWalletStatement(office.call(), { query, params: undefined, body: undefined }),
    balances: (query: { at: string; code?: Asked }) =>
      merchantTransactionHandlers.readWalletBalances(office.call(), { query, params: undefined, body: undefined }),
  },
  "payment-account": {
    code: "account_code",
    list: (query: Record<string, unknown>) =>
      accountTransactionHandlers.listAccountStatementLines(office.call(), {
        query: accountTransactionRoutes.listAccountStatementLines.query.parse(query),
        params: undefined,
        body: undefined,
      }),
    whole: (query: { code: string; from?: string; to?: string }) =>
      accountTransactionHandlers.readAccountStatement(office.call(), { query, params: undefined, body: undefined }),
    balances: (query: { at: string; code?: Asked }) =>
      accountTransactionHandlers.readAccountBalances(office.call(), { query, params: undefined, body: undefined }),
  },
} as const;

/** To the microsecond, as the ledger has it. */
const exact = (at: string) => at.replace("Z", "").padEnd("2026-11-21T06:30:00.000000".length, "0");
const before = (at: string, limit: string) => exact(at) < exact(limit);
const total = (those: readonly Entry[]) => those.reduce((sum, { amount }) => sum + amount, 0n);
const text = (amount: bigint) => moneyText(amount);

describe.each(["wallet", "payment-account"] as const)("the statement of a %s", (kind) => {
  test("has the ledger's totals in a hundred random windows, of one and of all, and lists each movement in them once", async () => {
    const { code: filter, list } = statements[kind];
    for (let n = 0; n < 100; n++) {
      const [from = "", to = ""] = [moment(), moment()].toSorted((a, b) => (before(a, b) ? -1 : 1));
      const code = random.chance(0.6) ? random.pick(codes[kind]) : null;
      const own = entries.filter((one) => one.kind === kind && (code === null || one.code === code));
      const within = own.filter(({ at }) => !before(at, from) && before(at, to));
      const query = { "filter[created_at_from]": from, "filter[created_at_to]": to, ...(code !== null && { [`filter[${filter}]`]: code }) };
      const { data, meta } = await list({ ...query, with: "count,sums", limit: 500 });
      expect({ count: meta.count, sums: meta.sums }, JSON.stringify(query)).toEqual({
        count: within.length,
        sums: {
          previous_balance: text(total(own.filter(({ at }) => before(at, from)))),
          balance: text(total(own.filter(({ at }) => before(at, to)))),
          amount_in: text(total(within.filter(({ amount }) => amount > 0n))),
          amount_out: text(-total(within.filter(({ amount }) => amount < 0n))),
          fee: meta.sums?.["fee"],
          difference: "0.00",
        },
      });
      expect(new Set(data.map(({ uuid }) => uuid)).size).toBe(within.length);
      expect(data.map(({ amount_in, amount_out }) => money(amount_in ?? "0") - money(amount_out ?? "0")).toSorted()).toEqual(
        within.map(({ amount }) => amount).toSorted(),
      );
    }
  });

  test("whole, has in a hundred random windows what the ledger has: opening, each type's count and sums, closing, and every line", async () => {
    const { whole } = statements[kind];
    for (let n = 0; n < 100; n++) {
      const [first = "", last = ""] = [moment(), moment()].toSorted((a, b) => (before(a, b) ? -1 : 1));
      // open at an end now and then
      const [from, to] = [random.chance(0.2) ? undefined : first, random.chance(0.2) ? undefined : last];
      const code = random.pick(codes[kind]);
      const own = entries.filter((one) => one.kind === kind && one.code === code);
      const ended = own.filter(({ at }) => to === undefined || before(at, to));
      const opened = own.filter(({ at }) => from !== undefined && before(at, from));
      const within = ended.filter(({ at }) => from === undefined || !before(at, from));
      const { data } = await whole({ code: code.toLowerCase(), ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
      const { opening, closing, difference, count, totals, lines } = data;
      expect({ opening, closing, difference, count }, `${code} ${from} ${to}`).toEqual({
        opening: text(total(opened)),
        closing: text(total(ended)),
        difference: "0.00",
        count: within.length,
      });
      const ofType = Map.groupBy(within, ({ posting }) => posting);
      expect(
        totals.map(({ kind: posting, count: many, amount_in, amount_out }) => ({ kind: posting, count: many, amount_in, amount_out })),
      ).toEqual(
        [...ofType]
          .map(([posting, those]) => ({
            kind: posting,
            count: those.length,
            amount_in: text(total(those.filter(({ amount }) => amount > 0n))),
            amount_out: text(-total(those.filter(({ amount }) => amount < 0n))),
          }))
          .toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
      );
      expect(lines.map(({ amount_in, amount_out }) => money(amount_in ?? "0") - money(amount_out ?? "0"))).toEqual(
        within.map(({ amount }) => amount),
      );
    }
  });

  test("whole, is of one that there is", async () => {
    await expect(statements[kind].whole({ code: "NOBODY" })).rejects.toMatchObject({ code: "not-found" });
  });

  test("answers the balance of any moment as a replay of the ledger to that moment does", async () => {
    for (let n = 0; n < 60; n++) {
      const at = n === 0 ? "2001-01-01T00:00:00.000Z" : n === 1 ? "2999-01-01T00:00:00.000Z" : moment();
      const replayed = codes[kind].map((code) => {
        const own = entries.filter((one) => one.kind === kind && one.code === code && before(one.at, at));
        return { code, balance: text(total(own)), moved: own.length > 0 };
      });
      const { data } = await statements[kind].balances({ at });
      expect(data.balances.map(({ code, balance, moved_at }) => ({ code, balance, moved: moved_at !== null }))).toEqual(
        replayed.toSorted((a, b) => (a.code < b.code ? -1 : 1)),
      );
      expect(data.total).toBe(text(replayed.reduce((sum, { balance }) => sum + money(balance), 0n)));
      const code = random.pick(codes[kind]);
      const one = await statements[kind].balances({ at, code: asking(code.toLowerCase()) });
      expect(one.data.balances).toEqual(data.balances.filter((all) => all.code === code));
    }
  });
});
