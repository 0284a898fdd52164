import { sql } from "kysely";
import type { Check } from "../../contract/transactions.ts";
import type { Withdrawal, WithdrawalDetail } from "../../contract/withdrawals.ts";
import { money, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { Leg } from "../ledger/ledger.ts";
import { settleLegs } from "../ledger/ledger.ts";
import { payoutFilesOf } from "../payout-files/payout-rows.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { readSettings, settingsOf } from "../settings/settings.ts";
import type { AccountFacts, Need, Weighed } from "./accounts.ts";
import { loadAccounts, loadMemberUses, nearestOf, payingView, suggestionOf, weighAll } from "./accounts.ts";
import { checksOf, flagsOf, tierOf } from "./checks.ts";
import type { Related } from "./decision-rows.ts";
import { customerOf, decisionView, moneyMoved, moneyToMove, relatedView } from "./decision-rows.ts";
import type { MemberUse } from "./limits.ts";
import type { KnownWithdrawal } from "./transaction-rows.ts";
import { callbackOf, historyOf, transactionView } from "./transaction-rows.ts";
import { isDecided } from "./transition.ts";

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

/** What a withdrawal needs of an account. */
export const needOf = (row: KnownWithdrawal, facts: DecisionFacts): Need => ({
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
});

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
  const need = needOf(row, facts);
  const weighed = isDecided(row) ? [] : weighAll(facts.accounts, need);
  const first = weighed.find((one) => one.account.id === row.first_account_id && one.unfit === null);
  const suggestion = account === undefined ? (first ?? suggestionOf(weighed)) : weighed.find((one) => one.account.id === account);
  const paying = suggestion ?? nearestOf(weighed);
  const debit = money(paying ? approvedAmounts(row, paying).merchant_amount : row.merchant_amount);
  const checks = checksOf(row, need, paying, debit, facts.settings);
  return { need, weighed, suggestion, checks, tier: tierOf(row, checks, facts.settings), flags: flagsOf(row, checks) };
}

export function withdrawalView(row: KnownWithdrawal, facts: DecisionFacts, judged: Judgement = judge(row, facts)): Withdrawal {
  const paying = isDecided(row) ? facts.accounts.find(({ id }) => id === row.payment_account_id) : judged.suggestion?.account;
  return {
    ...transactionView(row),
    bank: row.bank ?? "",
    account_number: row.account_number ?? "",
    holder: row.holder ?? "",
    ...decisionView(row, judged.tier),
    flags: judged.flags,
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

/** Everything an operator needs to decide. */
export async function withdrawalDetail(db: Scoped, row: KnownWithdrawal, settings: TenantSettings): Promise<WithdrawalDetail> {
  const facts = await loadDecisionFacts(db, [row], settings);
  const judged = judge(row, facts);
  const { tenant_id: tenant } = row;
  const open = await sql<Related>`select o.id as uuid, o.txn_no, o.status, o.amount, o.created_at
    from payee_others(${tenant}, ${row.currency}, ${row.account_number}, ${row.bank}, ${row.id}, '-infinity', 'infinity') o
    where o.status in ('pending', 'process') order by o.created_at limit 20`.execute(db);
  const paying = judged.suggestion ?? nearestOf(judged.weighed);
  return {
    row: withdrawalView(row, facts, judged),
    checks: isDecided(row) ? [] : [...judged.checks],
    accounts: judged.weighed.map((one) => payingView(one, one === judged.suggestion)),
    money: isDecided(row) ? await moneyMoved(db, row) : paying ? await moneyToMove(db, row, approvalLegs(row, paying), paying.account) : [],
    ...(await customerOf(db, row)),
    payee_open: open.rows.map(relatedView),
    payout_files: row.payout_file_id === null ? [] : await payoutFilesOf(db, tenant, row.id),
    history: await historyOf(db, tenant, row.id),
    callback: await callbackOf(db, row),
  };
}

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
