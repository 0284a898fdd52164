import type { CreditedAccount, Deposit, DepositDetail } from "../../contract/deposits.ts";
import type { Check } from "../../contract/transactions.ts";
import type { Money } from "../../values/money.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import { findLine, lineView } from "../bank-lines/line-rows.ts";
import { suggestLines } from "../bank-lines/suggestions.ts";
import type { Scoped } from "../db/scope.ts";
import { creditLegs } from "../ledger/ledger.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { readSettings, settingsOf } from "../settings/settings.ts";
import type { AccountFacts } from "./accounts.ts";
import { loadAccounts } from "./accounts.ts";
import { tierOf } from "./checks.ts";
import { customerOf, decisionView, moneyMoved, moneyToMove } from "./decision-rows.ts";
import { depositChecks, depositFlagsOf, needsSecond, usedWith } from "./deposit-checks.ts";
import type { KnownDeposit, TransactionRow } from "./transaction-rows.ts";
import { callbackOf, historyOf, transactionView } from "./transaction-rows.ts";
import { isDecided } from "./transition.ts";

/** The facts deposits are judged by, loaded once for a list or an act. */
export interface DepositFacts {
  readonly settings: TenantSettings;
  readonly accounts: readonly AccountFacts[];
}

export async function loadDepositFacts(db: Scoped, rows: readonly KnownDeposit[], settings?: TenantSettings): Promise<DepositFacts> {
  const [first] = rows;
  if (!first) return { settings: settings ?? readSettings({}), accounts: [] };
  const { tenant_id: tenant, currency, zone_minutes: zoneMinutes } = first;
  return {
    settings: settings ?? (await settingsOf(db, tenant)),
    accounts: await loadAccounts(db, { currency, kind: "deposit", zoneMinutes }),
  };
}

/** The amounts of a deposit; those of an approval may differ from the requested ones. */
export type DepositAmounts = Pick<
  TransactionRow,
  "amount" | "fee" | "final_amount" | "merchant_amount" | "asked_amount" | "asked_fee" | "amount_reason"
>;

export interface DepositJudgement {
  readonly account: AccountFacts | undefined;
  readonly checks: readonly Check[];
  readonly tier: 1 | 2 | 3;
  readonly flags: Deposit["flags"];
}

/** Judges a deposit by the amount that would be credited. A decided one has no checks. */
export function judgeDeposit(row: KnownDeposit, facts: DepositFacts, arrived: Pick<DepositAmounts, "amount"> = row): DepositJudgement {
  const account = facts.accounts.find(({ id }) => id === row.payment_account_id);
  const checks = isDecided(row) ? [] : depositChecks(row, account, money(arrived.amount));
  const tier = needsSecond(checks) ? 3 : tierOf({ currency: row.currency, amount: arrived.amount }, checks, facts.settings);
  return { account, checks, tier, flags: depositFlagsOf(row, checks) };
}

export function depositView(row: KnownDeposit, facts: DepositFacts, judged: DepositJudgement = judgeDeposit(row, facts)): Deposit {
  return {
    ...transactionView(row),
    merchant_receive: amountText(row.merchant_amount),
    asked_amount: row.asked_amount && amountText(row.asked_amount),
    amount_reason: row.amount_reason,
    expires_at: row.expires_at && row.expires_at.toISOString(),
    ...decisionView(row, judged.tier),
    flags: judged.flags,
  };
}

/** Everything an operator needs to decide. */
export async function depositDetail(db: Scoped, row: KnownDeposit, settings: TenantSettings): Promise<DepositDetail> {
  const facts = await loadDepositFacts(db, [row], settings);
  const judged = judgeDeposit(row, facts);
  const { account } = judged;
  const moved = isDecided(row)
    ? await moneyMoved(db, row)
    : account
      ? await moneyToMove(db, row, creditLegs(row, account.ledger_account_id), account)
      : [];
  return {
    row: depositView(row, facts, judged),
    checks: [...judged.checks],
    account: account ? accountView(row, account) : null,
    money: moved,
    lines: await linesOfDeposit(db, row),
    ...(await customerOf(db, row)),
    history: await historyOf(db, row.tenant_id, row.id),
    callback: await callbackOf(db, row),
  };
}

async function linesOfDeposit(db: Scoped, row: KnownDeposit): Promise<DepositDetail["lines"]> {
  const scope = { tenant: row.tenant_id, currency: row.currency };
  const matched = await db
    .selectFrom("bank_matches")
    .select("line_id")
    .where("tenant_id", "=", row.tenant_id)
    .where("transaction_id", "=", row.id)
    .where("undone_at", "is", null)
    .executeTakeFirst();
  if (matched) return { matched: lineView(await findLine(db, scope, matched.line_id)), suggestions: [] };
  const mayMatch = !isDecided(row) || row.status === "expired";
  return { matched: null, suggestions: mayMatch ? await suggestLines(db, scope, row.id) : [] };
}

function accountView(row: KnownDeposit, account: AccountFacts): CreditedAccount {
  const { id, code, bank, account_number, holder, status, critical, balance, daily_limit, monthly_limit } = account;
  const used = usedWith(row, account, money(row.amount));
  const after = isDecided(row) ? balance : balance + money(row.final_amount);
  const limit = (amount: Money | null) => (amount === null ? null : moneyText(amount));
  return {
    uuid: id,
    code,
    bank,
    account_number,
    holder,
    status,
    critical,
    balance: moneyText(balance),
    balance_after: moneyText(after),
    daily_used: moneyText(used.daily),
    daily_limit: limit(daily_limit),
    monthly_used: moneyText(used.monthly),
    monthly_limit: limit(monthly_limit),
  };
}
