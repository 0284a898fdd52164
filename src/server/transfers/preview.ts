import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { Draft, Preview } from "../../contract/transfers.ts";
import type { Money } from "../../values/money.ts";
import { amountText, money, moneyText, percentOf } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables.ts";
import { localDay } from "../payments/limits.ts";
import { settingsOf } from "../settings/settings.ts";
import { problemOf } from "../texts.ts";
import { limitsOf, partiesOf } from "./accounts.ts";
import type { Plan } from "./make.ts";
import { chargesFor, make, planAdjustment, planSettlement, planTier, planTransfer } from "./make.ts";

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
      const plan = await planOf(db, call, draft);
      if (plan !== null) await make(db, call, plan, new Set());
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
      return null;
  }
}

async function figures(db: Scoped, call: StaffCall, draft: Draft): Promise<Omit<Preview, "refusal">> {
  const { tenant, currency, currencyFacts } = call;
  const settings = await settingsOf(db, tenant);
  const { charges_type = "fixed", charges_value = "" } = draft;
  const isSettled = draft.kind === "settlement" || draft.kind === "cash-out";
  const [from] = draft.source === undefined ? [] : await partiesOf(db, call, [draft.source]);
  const whole = draft.kind === "clearing" && from ? money(from.balance) : null;
  const typed = money(draft.amount ?? "0");
  const charged = chargesFor(
    { charges_type, charges_value: money(charges_value || "0") < 0n ? "0" : charges_value },
    whole ?? typed,
    currencyFacts.minorDigits,
  );
  const amount = whole === null ? typed : whole - charged;
  const charges = draft.kind === "clearing" && draft.target === undefined ? 0n : charged;
  const terms = draft.merchant === undefined ? undefined : await termsOf(db, call, draft.merchant);
  const fee = isSettled && terms ? percentOf(amount, money(terms.settlement_rate), currencyFacts.minorDigits) : 0n;
  const borne = isSettled && terms?.charges_borne_by === "merchant" ? charges : 0n;
  const debit = isSettled ? amount + fee + borne : draft.direction === "debit" ? amount : draft.direction === "credit" ? -amount : 0n;
  const today = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const day = localDay(today.rows[0]?.now ?? new Date(), currencyFacts.zoneMinutes);
  const sides = [
    ...(await sideOf(db, call, day, "source", draft.source, -(amount + charges))),
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
    most:
      isSettled && terms ? moneyText(mostOf(money(terms.balance), money(terms.settlement_rate), borne, currencyFacts.minorDigits)) : null,
    sides,
  };
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
  };
};

async function sideOf(
  db: Scoped,
  call: StaffCall,
  day: string,
  side: "source" | "target",
  id: string | undefined,
  change: Money,
): Promise<DraftSide[]> {
  const [account] = id === undefined ? [] : await partiesOf(db, call, [id]);
  if (!account) return [];
  const kind: TransactionKind = side === "source" ? "withdrawal" : "deposit";
  const limits = await limitsOf(db, call, account.id, kind, day);
  const moved = change < 0n ? -change : change;
  const use = (used: string | undefined, limit: string | null | undefined) => ({
    used: amountText(used ?? "0"),
    after: moneyText(money(used ?? "0") + moved),
    limit: limit == null ? null : amountText(limit),
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
      daily: use(limits?.daily_used, limits?.daily_limit),
      monthly: use(limits?.monthly_used, limits?.monthly_limit),
    },
  ];
}

/** The largest amount whose fee the wallet can pay with it. */
function mostOf(wallet: Money, rate: Money, charges: Money, minorDigits: number): Money {
  const unit = 10n ** BigInt(4 - minorDigits);
  const free = wallet - charges;
  if (free <= 0n) return 0n;
  let most = ((free * 1_000_000n) / (1_000_000n + rate) / unit) * unit;
  while (most > 0n && most + percentOf(most, rate, minorDigits) > free) most -= unit;
  return most;
}
