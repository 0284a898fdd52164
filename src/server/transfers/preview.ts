import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { Draft, Preview } from "../../contract/transfer-forms.ts";
import type { Money } from "../../values/money.ts";
import { amountText, money, moneyText, percentOf } from "../../values/money.ts";
import { findAccounts } from "../accounts/account-rows.ts";
import { clearBalance } from "../accounts/clear-balance.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import { localDay } from "../payments/limits.ts";
import { settingsOf } from "../settings/settings.ts";
import { problemOf } from "../texts.ts";
import { limitsOf, partiesOf } from "./accounts.ts";
import type { Plan } from "./make.ts";
import { chargesFor, clearingAmounts, largestWithin, make, planAdjustment, planSettlement, planTier, planTransfer } from "./make.ts";

type DraftSide = Preview["sides"][number];

/** What stands for what is not typed yet; a rule that reads it is not asked. */
const untyped = { reference_no: "", remark: "", reason: "-", bank: "-", account_number: "0000", holder: "-" } as const;

/** Thrown to end a trial: nothing of it is kept. */
class Undone extends Error {}

/**
 * What would become of a draft. The refusal is that of the act itself, tried in a transaction that is rolled back, so that preview and act never
 * differ. Incomplete drafts are answered as far as they go.
 */
export async function preview(call: StaffCall, draft: Draft): Promise<Preview> {
  const shown = await inTenant(call.deps.database, call.tenant, (db) => figures(db, call, draft));
  return { ...shown, refusal: await trial(call, draft) };
}

async function trial(call: StaffCall, draft: Draft): Promise<Preview["refusal"]> {
  try {
    await inTenant(call.deps.database, call.tenant, async (db) => {
      await attempt(db, call, draft);
      throw new Undone();
    });
  } catch (error) {
    if (error instanceof Undone) return null;
    if (!(error instanceof Refusal)) throw error;
    const { code, message, data } = problemOf(error, call.language);
    return { code, message, ...(data !== undefined && { data }) };
  }
  return null;
}

async function attempt(db: Scoped, call: StaffCall, draft: Draft): Promise<void> {
  if (draft.kind !== "clearing") {
    const plan = await planOf(db, call, draft);
    if (plan !== null) await make(db, call, plan, new Set());
    return;
  }
  const { source, target = "", charges_type = "fixed", charges_value = "" } = draft;
  const [account] = source === undefined ? [] : await findAccounts(db, call, [source]);
  if (!account) return;
  const form = { target, charges_type, charges_value, reason: untyped.reason, version: account.version };
  await clearBalance(db, call, account.id, form, new Set());
}

/** The plan of a draft; null while something it needs is missing, or where another act judges it. */
async function planOf(db: Scoped, call: StaffCall, draft: Draft): Promise<Plan | null> {
  const { kind, source, target, merchant, direction, amount, charges_type = "fixed", charges_value = "" } = draft;
  if (amount === undefined || money(amount) <= 0n) return null;
  const typed = { ...untyped, amount, charges_type, charges_value };
  switch (kind) {
    case "transfer":
    case "manual-transfer":
      return source === undefined || target === undefined ? null : { ...planTransfer(call, { ...typed, source, target }), kind };
    case "adjustment":
      return merchant === undefined || direction === undefined ? null : planAdjustment(db, call, { ...typed, merchant, direction });
    case "settlement":
      if (merchant === undefined || source === undefined) return null;
      return planSettlement(db, call, { ...typed, merchant, source }, await settingsOf(db, call.tenant));
    case "cash-out":
      if (merchant === undefined) return null;
      return planSettlement(db, call, { merchant, amount, reference_no: "-", remark: "" }, await settingsOf(db, call.tenant));
    case "clearing":
      return null; // another act makes it
  }
}

async function figures(db: Scoped, call: StaffCall, draft: Draft): Promise<Omit<Preview, "refusal">> {
  const { tenant, currency, currencyFacts } = call;
  const settings = await settingsOf(db, tenant);
  const isSettled = draft.kind === "settlement" || draft.kind === "cash-out";
  const { amount, charges } = await amountsOf(db, call, draft);
  const terms = draft.merchant === undefined ? undefined : await termsOf(db, call, draft.merchant);
  const rate = isSettled && terms ? money(terms.settlement_rate) : 0n;
  const fee = percentOf(amount, rate, currencyFacts.minorDigits);
  const borne = isSettled && terms?.charges_borne_by === "merchant" ? charges : 0n;
  const debit = isSettled ? amount + fee + borne : draft.direction === "debit" ? amount : draft.direction === "credit" ? -amount : 0n;
  const today = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const day = localDay(today.rows[0]?.now ?? new Date(), currencyFacts.zoneMinutes);
  // what is cleared into adjustment moves at no bank
  const isLimited = draft.kind !== "clearing" || draft.target !== undefined;
  const sides = [
    ...(await sideOf(db, call, isLimited ? day : null, "source", draft.source, -(amount + charges))),
    ...(await sideOf(db, call, day, "target", draft.target, amount)),
    ...(terms ? [walletSide(draft.merchant ?? "", terms, debit)] : []),
  ];
  return {
    tier: planTier({ currency }, { amount: moneyText(amount) }, settings),
    amount: moneyText(amount),
    charges: moneyText(charges),
    fee: moneyText(fee),
    final_amount: moneyText(amount + charges),
    merchant_amount: isSettled ? moneyText(amount + fee + borne) : null,
    least: isSettled ? (settings.settlement_minimum[currency] ?? null) : null,
    most: isSettled && terms ? moneyText(largestWithin(money(terms.balance) - borne, rate, currencyFacts.minorDigits)) : null,
    payee: isSettled && draft.merchant !== undefined ? await lastPaid(db, tenant, currency, draft.merchant) : null,
    sides,
  };
}

async function lastPaid(db: Scoped, tenant: string, currency: string, merchant: string): Promise<Preview["payee"]> {
  const { rows } = await sql<NonNullable<Preview["payee"]>>`select bank, account_number, holder from transfers
    where tenant_id = ${tenant} and currency = ${currency} and merchant_id = ${merchant} and kind = 'settlement' and status <> 'rejected'
      and holder is not null order by created_at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** What is typed, with its charges; of a clearing what the account has. */
async function amountsOf(db: Scoped, call: StaffCall, draft: Draft): Promise<{ amount: Money; charges: Money }> {
  const { minorDigits } = call.currencyFacts;
  const form = { charges_type: draft.charges_type ?? "fixed", charges_value: draft.charges_value ?? "" } as const;
  if (draft.kind === "clearing") {
    const [account] = draft.source === undefined ? [] : await partiesOf(db, call, [draft.source]);
    return clearingAmounts(form, draft.target !== undefined, money(account?.balance ?? "0"), minorDigits);
  }
  const amount = money(draft.amount ?? "0");
  return { amount, charges: chargesFor(form, amount, minorDigits) };
}

interface Terms {
  readonly code: string;
  readonly name: string;
  readonly settlement_rate: string;
  readonly charges_borne_by: "merchant" | "house";
  readonly balance: string;
}

async function termsOf(db: Scoped, { tenant, currency }: StaffCall, merchant: string): Promise<Terms | undefined> {
  const { rows } = await sql<Terms>`select m.code, m.name, m.settlement_rate, m.charges_borne_by, coalesce(l.balance, 0) as balance
    from merchants m
    left join ledger_accounts l on l.tenant_id = m.tenant_id and l.owner_id = m.id and l.kind = 'wallet' and l.currency = m.currency
    where m.tenant_id = ${tenant} and m.currency = ${currency} and m.id = ${merchant}`.execute(db);
  return rows[0];
}

const walletSide = (uuid: string, { code, name, balance }: Terms, debit: Money): DraftSide => {
  const [before, after] = [amountText(balance), moneyText(money(balance) - debit)];
  return {
    side: "wallet",
    uuid,
    code,
    name,
    balance: before,
    balance_after: after,
    payable: before,
    payable_after: after,
    daily: null,
    monthly: null,
    charges: null,
  };
};

async function sideOf(
  db: Scoped,
  call: StaffCall,
  day: string | null,
  side: "source" | "target",
  id: string | undefined,
  change: Money,
): Promise<DraftSide[]> {
  const [account] = id === undefined ? [] : await partiesOf(db, call, [id]);
  if (!account) return [];
  const kind: TransactionKind = side === "source" ? "withdrawal" : "deposit";
  const limits = day === null ? undefined : await limitsOf(db, call, account.id, kind, day);
  const moved = change < 0n ? -change : change;
  const use = (used: string, limit: string | null) => ({
    used: amountText(used),
    after: moneyText(money(used) + moved),
    limit: limit && amountText(limit),
  });
  return [
    {
      side,
      uuid: account.id,
      code: account.code,
      name: account.holder,
      balance: amountText(account.balance),
      balance_after: moneyText(money(account.balance) + change),
      payable: amountText(account.payable),
      payable_after: moneyText(money(account.payable) + change),
      daily: limits ? use(limits.daily_used, limits.daily_limit) : null,
      monthly: limits ? use(limits.monthly_used, limits.monthly_limit) : null,
      charges: side === "source" ? { charges_type: account.charges_type, charges_value: amountText(account.charges_value) } : null,
    },
  ];
}
