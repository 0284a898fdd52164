import fc from "fast-check";
import { expect } from "vitest";
import type { Transfer } from "../../src/contract/transfers.ts";
import { paymentAccountHandlers as accounts } from "../../src/server/accounts/payment-accounts.ts";
import { transferHandlers as transfers } from "../../src/server/transfers/transfers.ts";
import type { Answer, Command } from "./money-command.ts";
import { aim, callOf, command, expectOutcome, outcomeOf, refOf, tried } from "./money-command.ts";
import type { Model } from "./money-model.ts";
import { moneyText, moneyOf } from "./money-model.ts";
import type { Move, Place, Till, Who } from "./money-moved.ts";
import type { MoveVerdict, Wanted } from "./money-moves.ts";
import * as must from "./money-moves.ts";
import type { Real } from "./money-office.ts";
import { body } from "./payments.ts";
import { adjustmentForm, settlementForm, transferForm } from "./transfers.ts";

/** Keeps what was made beside the model's own idea of it. */
function keep(model: Model, wanted: Wanted, { uuid, version, status, amount }: Transfer, is: Pick<Move, "status" | "first">): void {
  expect({ status, amount }).toEqual({ status: is.status, amount: moneyText(wanted.amount) });
  model.moves.push({ ...wanted, ...is, uuid, version });
}

const made = (name: string, wanted: Wanted, who: Who, send: (real: Real) => Promise<{ data: Transfer }>): Command =>
  command(
    `${who} makes ${name} of ${wanted.amount} from ${wanted.from} to ${wanted.to}`,
    () => true,
    async (model, real) => {
      const verdict = must.makeVerdict(model, wanted, who);
      const making = send(real);
      expectOutcome(await tried(making), typeof verdict === "string" ? verdict : null);
      if (typeof verdict !== "string") keep(model, wanted, (await making).data, verdict);
    },
  );

const charged = { charges_type: "fixed" as const, charges_value: moneyText(must.moveCharges) };
const transferred = (who: Who, from: Till, to: Till, amount: number, manual: boolean): Command => {
  const kind = manual ? "manual-transfer" : "transfer";
  return made(kind, { kind, amount, charges: must.moveCharges, from, to, direction: null }, who, (real) => {
    const form = { ...transferForm(real.accounts[from], real.accounts[to], moneyText(amount)), ...charged };
    if (!manual) return transfers.createTransfer(callOf(real, who), body(form));
    return transfers.createManualTransfer(
      callOf(real, who),
      body({ ...form, reference_no: "FT 1", payment_date: "2026-05-03T04:00:00.000Z" }),
    );
  });
};
const adjusted = (who: Who, direction: "credit" | "debit", amount: number): Command =>
  made(direction, { kind: "adjustment", amount, charges: 0, from: null, to: null, direction }, who, (real) =>
    transfers.adjustWallet(callOf(real, who), body(adjustmentForm(real.merchant, moneyText(amount), { direction }))),
  );
const settled = (who: Who, from: Till | null, amount: number): Command => {
  const charges = from === null ? 0 : must.moveCharges;
  return made("a settlement", { kind: "settlement", amount, charges, from, to: null, direction: null }, who, (real) => {
    const { merchant } = real;
    if (from === null)
      return transfers.createCashOut(
        callOf(real, who),
        body({ merchant: merchant.id, amount: moneyText(amount), reference_no: "CASH", remark: "" }),
      );
    return transfers.createSettlement(
      callOf(real, who),
      body({ ...settlementForm(merchant, real.accounts[from], moneyText(amount)), ...charged }),
    );
  });
};

const rows = (move: Move) => ({ rows: [refOf(move)] });
const sureRows = (move: Move) => ({ rows: [{ ...refOf(move), confirmed: { amount: moneyText(move.amount) } }] });
const decided = (
  name: string,
  at: number,
  verdict: (model: Model, move: Move) => MoveVerdict,
  send: (real: Real, move: Move) => Answer,
): Command =>
  command(
    `${name} move ${at}`,
    ({ moves }) => moves.length > 0,
    async (model, real) => {
      const move = aim(model.moves, at, (one) => typeof verdict(model, one) !== "string");
      if (!move) return;
      const wanted = verdict(model, move);
      expectOutcome(await outcomeOf(send(real, move)), typeof wanted === "string" ? wanted : null);
      if (typeof wanted !== "string") Object.assign(move, { version: move.version + 1 }, wanted);
    },
  );

/** An act on the safe itself, of the version it has. */
async function onSafe<T>({ office, accounts: { safe } }: Real, act: (of: { params: { uuid: string }; version: number }) => Promise<T>) {
  const { rows: found } = await office.db.owner.query<{ version: number }>("select version from payment_accounts where id = $1", [safe.id]);
  return act({ params: { uuid: safe.id }, version: found[0]?.version ?? 0 });
}

const cleared = (who: Who, to: Place | null): Command =>
  command(
    `${who} suspends the safe and clears it to ${to}`,
    () => true,
    async (model, real) => {
      const verdict = must.clearVerdict(model, to, who);
      const clearing = onSafe(real, ({ params, version }) => {
        const target = to === null ? "" : real.accounts[to].id;
        const form = { target, charges_type: "fixed" as const, charges_value: "", reason: "closed", version };
        return accounts.clearPaymentAccount(callOf(real, who), { params, query: undefined, body: form });
      });
      expectOutcome(await tried(clearing), typeof verdict === "string" ? verdict : null);
      if (typeof verdict === "string") return;
      const { transfer } = (await clearing).data;
      expect(transfer === null).toBe(verdict === null);
      model.safe.suspended = true;
      if (transfer !== null && verdict !== null) keep(model, verdict, transfer, verdict);
      if (verdict === null || verdict.status === "approved") expect(moneyOf(model).safe).toBe(0);
    },
  );

const inUse = command(
  "the safe is in use again",
  ({ safe }) => safe.suspended,
  async (model, real) => {
    await onSafe(real, ({ params, version }) =>
      accounts.changePaymentAccountStatus(real.office.call(), {
        params,
        query: undefined,
        body: { version, status: "active", reason: "" },
      }),
    );
    model.safe.suspended = false;
  },
);

const held = (amount: number): Command =>
  command(
    `${amount} of the safe is held`,
    () => true,
    async (model, real) => {
      await onSafe(real, ({ params, version }) =>
        accounts.holdPaymentAccount(real.office.call(), {
          params,
          query: undefined,
          body: { version, amount: moneyText(amount), reason: "court order", until: "" },
        }),
      );
      model.safe.hold = amount;
    },
  );

const released = command(
  "the hold on the safe is lifted",
  ({ safe }) => safe.hold > 0,
  async (model, real) => {
    await onSafe(real, ({ params, version }) =>
      accounts.releasePaymentAccount(real.office.call(), { params, query: undefined, body: { version, reason: "" } }),
    );
    model.safe.hold = 0;
  },
);

const at = fc.nat(30);
const who = fc.constantFrom<Who>("ann", "ben");
const amounts = fc.constantFrom(300, 700, 2000, 6000);
const ways = fc.constantFrom<readonly [Till, Till]>(
  ["safe", "house"],
  ["safe", "payer"],
  ["house", "safe"],
  ["payer", "safe"],
  ["house", "payer"],
);
const person = (make: (who: Who, at: number) => Command) => fc.tuple(who, at).map(([one, n]) => make(one, n));

const makers = [
  fc.tuple(who, ways, amounts, fc.boolean()).map(([one, [from, to], amount, manual]) => transferred(one, from, to, amount, manual)),
  fc
    .tuple(who, fc.constantFrom<"credit" | "debit">("credit", "debit"), amounts)
    .map(([one, direction, amount]) => adjusted(one, direction, amount)),
  fc.tuple(who, fc.constantFrom<Till | null>("safe", "payer", null), amounts).map(([one, from, amount]) => settled(one, from, amount)),
];

export const moveCommands: fc.Arbitrary<Command>[] = [
  ...makers,
  ...makers,
  person((one, n) =>
    decided(
      `${one} confirms`,
      n,
      (model, move) => must.confirmVerdict(model, move, one),
      (real, move) => transfers.approveTransfers(callOf(real, one), body(sureRows(move))),
    ),
  ),
  person((one, n) =>
    decided(
      `${one} approves second`,
      n,
      (model, move) => must.secondVerdict(model, move, one),
      (real, move) => transfers.secondApproveTransfers(callOf(real, one), body(sureRows(move))),
    ),
  ),
  person((one, n) =>
    decided(
      `${one} hands back`,
      n,
      (_, move) => must.returnVerdict(move, one),
      (real, move) => transfers.handBackTransfers(callOf(real, one), body({ ...rows(move), reason: "which invoice" })),
    ),
  ),
  person((one, n) =>
    decided(
      `${one} rejects`,
      n,
      (_, move) => must.endVerdict(move),
      (real, move) => transfers.rejectTransfers(callOf(real, one), body({ ...rows(move), reason: "not agreed" })),
    ),
  ),
  person((one, n) =>
    decided(`${one} recalls`, n, must.undoVerdict, (real, move) => transfers.recallTransfers(callOf(real, one), body(rows(move)))),
  ),
  fc.tuple(who, fc.constantFrom<Place | null>("house", "payer", null)).map(([one, to]) => cleared(one, to)),
  fc.constant(inUse),
  fc.constantFrom(500, 4000).map(held),
  fc.constant(released),
];
