import { sql } from "kysely";
import type { PaymentAccount } from "../../contract/payment-accounts.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Transfer } from "../../contract/transfers.ts";
import type { ClearingForm } from "../../contract/transfer-forms.ts";
import { money, moneyText } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import { audit, stale } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import type { Touched } from "../payments/acts.ts";
import { begin, clearingAmounts, empty, finish } from "../transfers/make.ts";
import { partiesOf, requireActive } from "../transfers/accounts.ts";
import { transferView } from "../transfers/transfer-rows.ts";
import type { AccountRow } from "./account-rows.ts";
import { accountView, findAccounts } from "./account-rows.ts";
import { lockLedgerAccounts, lockLimits } from "./locks.ts";
import { openItems } from "./open-items.ts";

interface Cleared {
  readonly row: PaymentAccount;
  readonly transfer: Transfer | null;
}

/**
 * Suspends an account and clears its balance, under the locks that postings, limits and new deposits take, so that nothing comes between: what
 * is open is refused by name, the whole balance is moved by one transfer, and zero is left. Above the tier the account is suspended at once and
 * the transfer waits for the second person.
 */
export async function clearBalance(
  db: Scoped,
  call: StaffCall,
  id: string,
  form: ClearingForm & { readonly version: number },
  touched: Touched,
): Promise<Effect<Cleared>> {
  const ref = { tenant: call.tenant, entity: "payment-account", id } as const;
  const ids = [id, form.target].filter((one) => one !== "").toSorted();
  for (const one of ids) await lockLimits(db, call, one);
  await lockLedgerAccounts(db, call, ids);
  await sql`select from payment_accounts where tenant_id = ${call.tenant} and currency = ${call.currency} and id = ${id}
    for no key update`.execute(db);
  const row = await known(db, call, id);
  if (row.version !== form.version) throw await stale(db, ref, accountView(row));
  const open = await openItems(db, call, row);
  if (open !== null) throw new Refusal("payment-account.open-items", open);
  await sql`update payment_accounts set status = 'suspend', version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${call.tenant} and id = ${id}`.execute(db);
  touched.add(id);
  const transfer = await clear(db, call, row, form, touched);
  const now = await known(db, call, id);
  const after = { status: now.status, ...(transfer && { cleared: moneyText(money(row.balance)), transfer: transfer.txn_no }) };
  await audit(db, ref, actorOf(call), "clear-balance", { before: { status: row.status }, after, reason: form.reason });
  return { answer: { row: accountView(now), transfer } };
}

async function known(db: Scoped, call: StaffCall, id: string): Promise<AccountRow> {
  const [row] = await findAccounts(db, call, [id]);
  if (!row) throw new Refusal("not-found");
  return row;
}

/** The clearing transfer of the whole balance; null where there is none to clear. */
async function clear(
  db: Scoped,
  call: StaffCall,
  { id, balance }: AccountRow,
  form: ClearingForm,
  touched: Touched,
): Promise<Transfer | null> {
  const whole = money(balance);
  if (whole === 0n) return null;
  if (form.target === id) throw new Refusal("request.invalid", { target: ["Must be another account"] });
  const { amount, charges } = clearingAmounts(form, form.target !== "", whole, call.currencyFacts.minorDigits);
  if (amount <= 0n) throw new Refusal("payment-account.insufficient");
  const begun = await begin(db, call, {
    ...empty,
    kind: "clearing",
    source_id: id,
    target_id: form.target === "" ? null : form.target,
    amount: moneyText(amount),
    charges: moneyText(charges),
    charges_type: form.charges_type,
    final_amount: moneyText(whole),
    reason: form.reason,
  });
  requireActive("target", begun.target);
  const made = await finish(db, call, begun, touched);
  const [left] = await partiesOf(db, call, [id]);
  if (made.status === "approved" && money(left?.balance ?? "1") !== 0n) throw new Error(`clearing ${made.txn_no} left a balance`);
  return transferView(made);
}
