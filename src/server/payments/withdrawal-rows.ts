import { sql } from "kysely";
import type { Refusal } from "../../contract/problems.ts";
import type { Check } from "../../contract/transactions.ts";
import type { Withdrawal, WithdrawalDetail } from "../../contract/withdrawals.ts";
import type { z } from "zod";
import type { MoneyLine } from "../../contract/transactions.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { Leg } from "../ledger/ledger.ts";
import { settleLegs } from "../ledger/ledger.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { readSettings, settingsOf } from "../settings/settings.ts";
import type { AccountFacts, Need, Weighed } from "./accounts.ts";
import { loadAccounts, loadMemberUses, nearestOf, payingView, suggestionOf, weighAll } from "./accounts.ts";
import { checksOf, flagsOf, tierOf } from "./checks.ts";
import type { MemberUse } from "./limits.ts";
import type { KnownWithdrawal } from "./transaction-rows.ts";
import { callbackOf, historyOf, transactionView } from "./transaction-rows.ts";
import { isDecided, lostRace } from "./transition.ts";

/** The facts withdrawals are judged by, loaded once for a list or an act. */
export interface DecisionFacts {
  readonly settings: TenantSettings;
  readonly accounts: readonly AccountFacts[];
  readonly memberUses: readonly MemberUse[];
}

export async function loadDecisionFacts(db: Scoped, rows: readonly KnownWithdrawal[], settings?: TenantSettings): Promise<DecisionFacts> {
  const [first] = rows;
  if (!first) return { settings: settings ?? readSettings({}), accounts: [], memberUses: [] };
  const { tenant_id: tenant, currency, zone_minutes: zoneMinutes } = first;
  const accounts = await loadAccounts(db, { currency, kind: "withdrawal", zoneMinutes });
  const open = rows.filter((row) => !isDecided(row));
  return {
    settings: settings ?? (await settingsOf(db, tenant)),
    accounts,
    memberUses: await loadMemberUses(db, "withdrawal", accounts, open),
  };
}

export interface Judgement {
  readonly need: Need;
  /** In order of preference. */
  readonly weighed: readonly Weighed[];
  readonly suggestion: Weighed | undefined;
  readonly checks: readonly Check[];
  readonly tier: 1 | 2 | 3;
  readonly flags: Withdrawal["flags"];
}

/**
 * Judges a withdrawal. `account`: the account to pay from instead of the suggestion, which is the one a first approver chose if it still
 * fits. A decided row is judged without accounts.
 */
export function judge(row: KnownWithdrawal, facts: DecisionFacts, account?: string): Judgement {
  const need: Need = {
    kind: "withdrawal",
    id: row.id,
    createdAt: row.created_at,
    amount: money(row.amount),
    method: row.method,
    minorDigits: row.minor_digits,
    merchant_id: row.merchant_id,
    member: row.member,
    // selected once, not for each account
    memberUses: facts.memberUses.filter((use) => use.merchant_id === row.merchant_id && use.member === row.member),
  };
  const weighed = isDecided(row) ? [] : weighAll(facts.accounts, need);
  const first = weighed.find((one) => one.account.id === row.first_account_id && one.unfit === null);
  const suggestion = account === undefined ? (first ?? suggestionOf(weighed)) : weighed.find((one) => one.account.id === account);
  const paying = suggestion ?? nearestOf(weighed);
  const debit = money(paying ? approvedAmounts(row, paying).merchant_amount : row.merchant_amount);
  const checks = checksOf(row, need, paying, debit, facts.settings);
  return { need, weighed, suggestion, checks, tier: tierOf(row, checks, facts.settings), flags: flagsOf(row, checks) };
}

export function withdrawalView(row: KnownWithdrawal, facts: DecisionFacts, judged: Judgement = judge(row, facts)): Withdrawal {
  const name = (id: string) => row.people?.[id] ?? "";
  const paying = isDecided(row) ? facts.accounts.find(({ id }) => id === row.payment_account_id) : judged.suggestion?.account;
  return {
    ...transactionView(row),
    bank: row.bank ?? "",
    account_number: row.account_number ?? "",
    holder: row.holder ?? "",
    tier: judged.tier,
    first_approved_by: row.first_approved_by === null ? null : { uuid: row.first_approved_by, name: name(row.first_approved_by) },
    flags: judged.flags,
    claim:
      row.claimed_by === null || row.claim_until === null
        ? null
        : {
            user: row.claimed_by,
            name: name(row.claimed_by),
            since: (row.claimed_at ?? row.claim_until).toISOString(),
            until: row.claim_until.toISOString(),
          },
    deferred:
      row.status !== "pending" || row.deferred_by === null || row.deferred_until === null || row.deferred_until <= row.now
        ? null
        : { user: row.deferred_by, name: name(row.deferred_by), until: row.deferred_until.toISOString() },
    due_at: new Date(Math.max(...[row.created_at, row.deferred_until, row.first_approved_at].map(Number))).toISOString(),
    recallable_until:
      row.status === "approved" && row.recallable_until !== null && row.recallable_until > row.now
        ? row.recallable_until.toISOString()
        : null,
    paying_account: paying
      ? {
          uuid: paying.id,
          code: paying.code,
          critical: paying.critical,
          used: moneyText(paying.daily_used),
          limit: paying.daily_limit === null ? null : moneyText(paying.daily_limit),
        }
      : null,
  };
}

/** The refusal of a lost race, with the row as the list shows it. */
export async function lostWithdrawal(db: Scoped, code: Refusal["code"], row: KnownWithdrawal, settings: TenantSettings): Promise<Refusal> {
  return lostRace(code, row, withdrawalView(row, await loadDecisionFacts(db, [row], settings)));
}

/** Most withdrawals of a customer that are summed, the newest, because this runs while the row is locked. */
const mostTotalled = 1_000;

/** Everything an operator needs to decide. */
export async function withdrawalDetail(db: Scoped, row: KnownWithdrawal, settings: TenantSettings): Promise<WithdrawalDetail> {
  const facts = await loadDecisionFacts(db, [row], settings);
  const judged = judge(row, facts);
  const { tenant_id: tenant } = row;
  const related = sql`select o.id as uuid, o.txn_no, o.status, o.amount, o.created_at from transactions o
    where o.tenant_id = ${tenant} and o.kind = 'withdrawal' and o.id <> ${row.id}`;
  type Related = { uuid: string; txn_no: string; status: Withdrawal["status"]; amount: string; created_at: Date };
  const last = await sql<Related>`${related} and o.merchant_id = ${row.merchant_id} and o.member = ${row.member}
    order by o.created_at desc limit 5`.execute(db);
  const open = await sql<Related>`select o.id as uuid, o.txn_no, o.status, o.amount, o.created_at
    from payee_others(${tenant}, ${row.currency}, ${row.account_number}, ${row.bank}, ${row.id}, '-infinity', 'infinity') o
    where o.status in ('pending', 'process') order by o.created_at limit 20`.execute(db);
  const total = await sql<{ count: number; amount: string }>`select count(*)::integer as count, coalesce(sum(amount), 0) as amount
    from (select o.amount from transactions o where o.tenant_id = ${tenant} and o.merchant_id = ${row.merchant_id}
      and o.member = ${row.member} and o.kind = 'withdrawal' and o.approved_at is not null
      order by o.approved_at desc limit ${mostTotalled}) paid`.execute(db);
  const relatedView = ({ amount, created_at, ...rest }: Related) => ({
    ...rest,
    amount: amountText(amount),
    created_at: created_at.toISOString(),
  });
  return {
    row: withdrawalView(row, facts, judged),
    checks: isDecided(row) ? [] : [...judged.checks],
    accounts: judged.weighed.map((one) => payingView(one, one === judged.suggestion)),
    money: isDecided(row) ? await moneyMoved(db, row) : await moneyToMove(db, row, judged.suggestion ?? nearestOf(judged.weighed)),
    customer_last: last.rows.map(relatedView),
    customer_total: { count: total.rows[0]?.count ?? 0, amount: amountText(total.rows[0]?.amount ?? "0") },
    payee_open: open.rows.map(relatedView),
    history: await historyOf(db, tenant, row.id),
    callback: await callbackOf(db, row),
  };
}

type Line = z.output<typeof MoneyLine>;
const lineOrder: readonly Line["account"][] = ["wallet", "hold", "payment-account", "fee-income", "bank-charges"];

/** The amounts of an approval with the paying account's charges (see createWithdrawal for who bears them). */
export function approvedAmounts(row: KnownWithdrawal, { account, charges }: Weighed) {
  const borne = row.charges_borne_by === "merchant" ? charges : 0n;
  return {
    charges: moneyText(charges),
    charges_type: account.charges_type,
    final_amount: moneyText(money(row.amount) + charges),
    merchant_amount: moneyText(money(row.amount) + money(row.fee) + borne),
  };
}

export function approvalLegs(row: KnownWithdrawal, paying: Weighed): Leg[] {
  return settleLegs({ ...row, ...approvedAmounts(row, paying) }, money(row.merchant_amount), paying.account.ledger_account_id);
}

async function moneyToMove(db: Scoped, row: KnownWithdrawal, paying: Weighed | undefined): Promise<Line[]> {
  if (!paying) return [];
  const { rows } = await sql<{ kind: string; balance: string }>`select kind, balance from ledger_accounts
    where tenant_id = ${row.tenant_id} and currency = ${row.currency}
      and ((kind in ('wallet', 'hold') and owner_id = ${row.merchant_id}) or (kind in ('fee-income', 'bank-charges') and owner_id is null))`.execute(
    db,
  );
  const balances = new Map(rows.map(({ kind, balance }) => [kind, money(balance)]));
  balances.set("payment-account", paying.account.balance);
  return approvalLegs(row, paying)
    .filter(({ amount }) => amount !== 0n)
    .map((leg) => {
      const account = "kind" in leg ? (leg.kind as Line["account"]) : "payment-account"; // settleLegs uses only these five
      const before = balances.get(account) ?? 0n;
      return {
        account,
        label: labelOf(account, row, paying.account.code),
        before: moneyText(before),
        change: moneyText(leg.amount),
        after: moneyText(before + leg.amount),
      };
    })
    .toSorted((a, b) => lineOrder.indexOf(a.account) - lineOrder.indexOf(b.account));
}

/** The entries of the decision of a decided withdrawal. */
async function moneyMoved(db: Scoped, row: KnownWithdrawal): Promise<Line[]> {
  const { rows } = await sql<{ kind: Line["account"]; amount: string; previous_balance: string; balance: string }>`
    select a.kind, e.amount, e.previous_balance, e.balance
    from (select id from ledger_groups where tenant_id = ${row.tenant_id} and transaction_id = ${row.id} order by created_at desc, id desc limit 1) g
    join ledger_entries e on e.tenant_id = ${row.tenant_id} and e.group_id = g.id
    join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id`.execute(db);
  return rows
    .map(({ kind, amount, previous_balance, balance }) => ({
      account: kind,
      label: labelOf(kind, row, row.account_code ?? ""),
      before: amountText(previous_balance),
      change: amountText(amount),
      after: amountText(balance),
    }))
    .toSorted((a, b) => lineOrder.indexOf(a.account) - lineOrder.indexOf(b.account));
}

function labelOf(account: Line["account"], row: KnownWithdrawal, accountCode: string): string {
  if (account === "payment-account") return accountCode;
  return account === "wallet" || account === "hold" ? row.merchant_code : "";
}
