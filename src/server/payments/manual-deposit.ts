import { sql } from "kysely";
import type { Deposit, ManualDeposit } from "../../contract/deposits.ts";
import { Refusal } from "../../contract/problems.ts";
import { money, percentOf } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import { effectOf, lockOne } from "./claims.ts";
import { creditOf } from "./deposit-amounts.ts";
import { depositKind } from "./deposit-kind.ts";
import { localDay } from "./limits.ts";
import { commonColumns, loadMerchantFacts, numberOf, numberRefusal } from "./transactions.ts";
import { insertTransaction } from "./transition.ts";

/**
 * A deposit for money that has arrived without one: in process at once, and counted against its account's limits even above them. What
 * proves it is judged when it is approved. Refuses not-found for an account of another currency, payment-account.unfit for one meant for
 * withdrawals only.
 */
export async function createManualDeposit(db: Scoped, call: StaffCall, form: ManualDeposit): Promise<Effect<Deposit>> {
  const { tenant, currency } = call;
  const actor = actorOf(call);
  const creating = { tenant, merchant: form.merchant, actor };
  const account = await db
    .selectFrom("payment_accounts")
    .select(["id", "method", "purpose"])
    .where("tenant_id", "=", tenant)
    .where("currency", "=", currency)
    .where("id", "=", form.payment_account)
    .executeTakeFirst();
  if (!account) throw new Refusal("not-found");
  if (account.purpose === "withdrawal") throw new Refusal("payment-account.unfit", { accounts: [] });
  const request = { ...form, merchant_txn_no: form.merchant_txn_no ?? null, currency, method: account.method };
  const facts = await loadMerchantFacts(db, creating, request);
  const amount = money(form.amount);
  const amounts = creditOf(amount, percentOf(amount, money(facts.deposit_rate), facts.minor_digits));
  const set = {
    ...commonColumns(facts, creating, request),
    ...amounts,
    kind: "deposit" as const,
    status: "process" as const,
    txn_no: numberOf("D", facts),
    charges: "0",
    payment_account_id: account.id,
    payment_date: form.payment_date === undefined ? facts.now : new Date(form.payment_date),
    reference_no: form.reference_no ?? null,
    remark: form.remark === undefined || form.remark === "" ? null : form.remark,
    processed_at: facts.now,
    processed_by: call.caller.id,
    limit_day: localDay(facts.now, facts.zone_minutes),
  };
  const row = await insertTransaction(db, actor, set).catch(numberRefusal(set));
  await sql`select limit_count(${account.id}, 'deposit', ${set.limit_day}::date, ${amounts.final_amount}::numeric)`.execute(db);
  const { row: known, settings } = await lockOne(db, depositKind, call, { uuid: row.id, version: row.version });
  return effectOf(db, depositKind, known, settings);
}
