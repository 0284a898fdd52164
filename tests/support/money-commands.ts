import fc from "fast-check";
import { bankTransactionHandlers as bank } from "../../src/server/bank-lines/bank-lines.ts";
import { inTenant } from "../../src/server/db/scope.ts";
import type { Scoped } from "../../src/server/db/scope.ts";
import { cancelWithdrawal } from "../../src/server/merchant-api/cancel.ts";
import { depositHandlers as deposits } from "../../src/server/payments/deposits.ts";
import { reportDepositPaid } from "../../src/server/payments/transactions.ts";
import { withdrawalHandlers as withdrawals } from "../../src/server/payments/withdrawals.ts";
import { asked, booked, matches, onLine, overdue, receipt, taken, takesNext, withdrawn } from "./money-acts.ts";
import type { Command } from "./money-command.ts";
import { acting, callOf, either, outcomeOf, refOf, rowsOf, tried } from "./money-command.ts";
import type { Item, Model, Verdict } from "./money-model.ts";
import type { Place, Who } from "./money-moved.ts";
import * as must from "./money-model.ts";
import type { Real } from "./money-office.ts";
import { body } from "./payments.ts";

const { moneyText } = must;

/** Approves, where asked claiming first; what really arrived counts for a deposit, the account for a withdrawal. */
function approves(one: Who, n: number, arrived: number | null, from: Place, claims: boolean): Command {
  const amountOf = ({ kind, amount }: Item) => (kind === "deposit" ? (arrived ?? amount) : amount);
  // a claim is a change of its own, which stays when the approval is refused
  const claimed = (model: Model, item: Item): Partial<Item> => {
    const verdict = claims ? must.claimVerdict(model, item, one) : {};
    return typeof verdict === "string" || Object.keys(verdict).length === 0 ? {} : { ...verdict, version: item.version + 1 };
  };
  const verdict = (model: Model, item: Item): Verdict => {
    const first = claims ? must.claimVerdict(model, item, one) : {};
    if (typeof first === "string") return first;
    const now = { ...item, ...claimed(model, item) };
    const approved = must.rated(model, item, from, must.approveVerdict(now, one, amountOf(item), from));
    return typeof approved === "string" ? approved : { ...now, ...approved, version: now.version + 1 };
  };
  const send = (real: Real, item: Item) => {
    const [call, amount] = [callOf(real, one), moneyText(amountOf(item))];
    const row = { ...refOf(item), ...(claims && { claim: true as const }) };
    const arrival = { ...row, amount, reason: "arrived so", confirmed: { amount, payer: "Tan Wei Ming" } };
    const payment = { ...row, payment_account: real.accounts[from].id, confirmed: { amount, holder: "TAN WEI MING" } };
    return either(
      item,
      () => deposits.approveDeposits(call, body({ rows: [arrival] })),
      () => withdrawals.approveWithdrawals(call, body({ rows: [payment] })),
    );
  };
  return acting(`${one} ${claims ? "claims and " : ""}approves ${arrived ?? ""} from ${from}`, n, verdict, send, claimed);
}

/** The merchant's own acts. */
const byMerchant = (
  { office, merchant }: Real,
  work: (db: Scoped, creating: Parameters<typeof cancelWithdrawal>[1]) => Promise<unknown>,
) => {
  const actor = { kind: "merchant" as const, id: merchant.id, name: merchant.name, ip: null, requestId: null };
  return tried(
    inTenant(office.db.database, office.tenant.id, (db) => work(db, { tenant: office.tenant.id, merchant: merchant.id, actor })),
  );
};

const at = fc.nat(30);
const who = fc.constantFrom<Who>("ann", "ben");
const place = fc.constantFrom<Place>("house", "payer");
const amounts = fc.constantFrom(200, 400, 1000, 6000);
/** More often than the others, because what they bring about is what most acts need. */
const often = [
  fc
    .tuple(who, at, fc.option(amounts, { freq: 1 }), place, fc.boolean())
    .map(([one, n, other, from, claims]) => approves(one, n, other, from, claims)),
  fc
    .tuple(at, fc.constantFrom("its", "its", "its", "both", "charged", "odd"), fc.option(place, { freq: 1 }))
    .map(([n, sort, account]) => booked(n, sort, account)),
  fc.tuple(who, fc.nat(300), fc.constantFrom(1, 1, 1, 2)).map(([one, n, count]) => matches(one, n, count)),
];
const makers = [fc.tuple(amounts, fc.boolean()).map(([amount, manual]) => asked(amount, manual)), amounts.map(withdrawn)];
const person = (make: (who: Who, at: number) => Command) => fc.tuple(who, at).map(([one, n]) => make(one, n));

export const commands: fc.Arbitrary<Command>[] = [
  ...often,
  ...often,
  ...often,
  ...makers,
  ...makers,
  fc.constant(overdue),
  at.map(taken),
  fc.tuple(fc.constantFrom<Item["kind"]>("deposit", "withdrawal"), who).map(([kind, one]) => takesNext(kind, one)),
  person((one, n) =>
    acting(
      `${one} processes`,
      n,
      (_, item) => must.processVerdict(item),
      (real, item) => outcomeOf(deposits.processDeposits(callOf(real, one), body(rowsOf(item)))),
    ),
  ),
  at.map((n) =>
    acting(
      "the merchant reports paid",
      n,
      (_, item) => must.merchantVerdict(item, "deposit", { status: "process" }),
      (real, item) => byMerchant(real, (db, creating) => reportDepositPaid(db, creating, item.uuid, { reference_no: item.uuid })),
    ),
  ),
  at.map((n) =>
    acting(
      "the merchant cancels",
      n,
      (_, item) => must.merchantVerdict(item, "withdrawal", { status: "rejected" }),
      (real, item) => byMerchant(real, (db, creating) => cancelWithdrawal(db, creating, item.uuid)),
    ),
  ),
  person((one, n) =>
    acting(
      `${one} claims`,
      n,
      (model, item) => must.claimVerdict(model, item, one),
      (real, item) => {
        const [call, given] = [callOf(real, one), body(rowsOf(item))];
        return either(
          item,
          () => deposits.claimDeposits(call, given),
          () => withdrawals.claimWithdrawals(call, given),
        );
      },
    ),
  ),
  person((one, n) =>
    acting(
      `${one} takes over`,
      n,
      (model, item) => must.takeOverVerdict(model, item, one),
      (real, item) => {
        const [call, given] = [callOf(real, one), body(rowsOf(item))];
        return either(
          item,
          () => deposits.takeOverDeposits(call, given),
          () => withdrawals.takeOverWithdrawals(call, given),
        );
      },
    ),
  ),
  person((one, n) =>
    acting(
      `${one} releases`,
      n,
      (_, item) => must.releaseVerdict(item, one),
      (real, item) => {
        const [call, given] = [callOf(real, one), body(rowsOf(item))];
        return either(
          item,
          () => deposits.releaseDeposits(call, given),
          () => withdrawals.releaseWithdrawals(call, given),
        );
      },
    ),
  ),
  person((one, n) =>
    acting(
      `${one} approves second`,
      n,
      (model, item) => must.rated(model, item, item.chosen, must.secondApproveVerdict(item, one)),
      (real, item) => {
        const [call, row, amount] = [callOf(real, one), refOf(item), moneyText(item.amount)];
        return either(
          item,
          () => deposits.secondApproveDeposits(call, body({ rows: [{ ...row, confirmed: { amount, payer: "Tan Wei Ming" } }] })),
          () => withdrawals.secondApproveWithdrawals(call, body({ rows: [{ ...row, confirmed: { amount, holder: "TAN WEI MING" } }] })),
        );
      },
    ),
  ),
  person((one, n) =>
    acting(
      `${one} hands back`,
      n,
      (_, item) => must.handBackVerdict(item, one),
      (real, item) => {
        const [call, given] = [callOf(real, one), body({ ...rowsOf(item), reason: "look again" })];
        return either(
          item,
          () => deposits.handBackDeposits(call, given),
          () => withdrawals.handBackWithdrawals(call, given),
        );
      },
    ),
  ),
  person((one, n) =>
    acting(
      `${one} rejects`,
      n,
      (_, item) => must.rejectVerdict(item, one),
      (real, item) => {
        const [call, given] = [callOf(real, one), body({ ...rowsOf(item), reason: { code: "duplicate" } })];
        return either(
          item,
          () => deposits.rejectDeposits(call, given),
          () => withdrawals.rejectWithdrawals(call, given),
        );
      },
    ),
  ),
  person((one, n) =>
    acting(
      `${one} recalls`,
      n,
      (model, item) => must.recallVerdict(model, item, one),
      (real, item) => {
        const [call, given] = [callOf(real, one), body(rowsOf(item))];
        return either(
          item,
          () => deposits.recallDeposits(call, given),
          () => withdrawals.recallWithdrawals(call, given),
        );
      },
    ),
  ),
  person((one, n) =>
    acting(
      `${one} reopens`,
      n,
      (_, item) => must.reopenVerdict(item),
      (real, item) => outcomeOf(deposits.reopenDeposits(callOf(real, one), body({ ...rowsOf(item), reason: "late money" }))),
    ),
  ),
  person((one, n) => receipt(n, one)),
  person((one, n) =>
    onLine(`${one} unmatches`, n, must.unmatchVerdict, "unmatched", (real, rows) =>
      bank.unmatchBankLines(callOf(real, one), body({ rows, reason: "another customer's" })),
    ),
  ),
  person((one, n) =>
    onLine(`${one} ignores`, n, must.ignoreVerdict, "ignored", (real, rows) =>
      bank.ignoreBankLines(callOf(real, one), body({ rows, ignore_as: "fee", reason: "" })),
    ),
  ),
  person((one, n) =>
    onLine(`${one} takes back`, n, must.takeBackVerdict, "unmatched", (real, rows) =>
      bank.takeBackBankLines(callOf(real, one), body({ rows })),
    ),
  ),
];
