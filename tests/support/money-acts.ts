import { createHash } from "node:crypto";
import { expect } from "vitest";
import { bankTransactionHandlers as bank } from "../../src/server/bank-lines/bank-lines.ts";
import { inTenant } from "../../src/server/db/scope.ts";
import { receiptHandlers } from "../../src/server/files/receipt-handlers.ts";
import { depositHandlers as deposits } from "../../src/server/payments/deposits.ts";
import { completeAfterCallback, expireDue, freeLapsedClaims } from "../../src/server/payments/lapses.ts";
import { withdrawalHandlers as withdrawals } from "../../src/server/payments/withdrawals.ts";
import { aLine, bookLine } from "./bank-lines.ts";
import type { Answer, Command } from "./money-command.ts";
import { aim, callOf, command, expectOutcome, giveBack, outcomeOf, pick, refOf, tried } from "./money-command.ts";
import type { Item, Model } from "./money-model.ts";
import type { Place, Who } from "./money-moved.ts";
import * as must from "./money-model.ts";
import type { Real } from "./money-office.ts";
import { body } from "./payments.ts";
import { uniquePng } from "./receipts.ts";

const { moneyText } = must;
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export const blank = { version: 1, asked: null, claim: null, first: null, chosen: null, receipts: 0, line: null, proof: null } as const;

export const asked = (amount: number, manual: boolean): Command =>
  command(
    `${manual ? "by hand" : "a deposit of"} ${amount}`,
    () => true,
    async (model, { office, merchant, accounts }) => {
      const { items } = model;
      const member = `M${items.length}`;
      const common = { ...blank, kind: "deposit" as const, manual, amount, account: "house" as const };
      if (manual) {
        const form = {
          merchant: merchant.id,
          payment_account: accounts.house.id,
          amount: moneyText(amount),
          member,
          customer_name: "Tan Wei Ming",
        };
        const { data } = await deposits.createManualDeposit(office.call(), body(form));
        items.push({ ...common, uuid: data.uuid, status: "process" });
      } else {
        const making = office.deposit(merchant, { amount: moneyText(amount), member });
        const isFull = must.isRateFull(model, "deposit");
        expectOutcome(await tried(making), isFull ? "deposit.rate-limited" : null);
        if (isFull) return;
        const { id } = await making;
        items.push({ ...common, uuid: id, status: "pending" });
      }
    },
  );

export const withdrawn = (amount: number): Command =>
  command(
    `a withdrawal of ${amount}`,
    () => true,
    async (model, { office, merchant }) => {
      const making = office.withdraw(merchant, { amount: moneyText(amount), member: `M${model.items.length}` });
      const mayBe = must.mayWithdraw(model, amount);
      expectOutcome(await tried(making), mayBe ? null : "merchant.insufficient-balance");
      if (!mayBe) return;
      const { id } = await making;
      model.items.push({ ...blank, kind: "withdrawal", manual: false, amount, uuid: id, status: "pending", account: null });
    },
  );

/** The clock: what waited too long expires, every lease lapses. */
export const overdue = command(
  "time passes",
  () => true,
  async ({ items }, { office: { db, deps, tenant } }) => {
    await db.owner.query("update transactions set expires_at = now() where tenant_id = $1 and status = 'pending'", [tenant.id]);
    await db.owner.query("update transactions set claim_until = now() where tenant_id = $1 and claim_until is not null", [tenant.id]);
    await expireDue(deps, tenant.id, 1000);
    await freeLapsedClaims(deps, tenant.id, 1000);
    for (const item of items) {
      if (item.status === "pending") Object.assign(item, { status: "expired", version: item.version + 1 });
      else if (item.claim !== null) {
        const status = item.kind === "withdrawal" ? "pending" : item.status;
        Object.assign(item, { claim: null, status, version: item.version + 1 });
      }
    }
  },
);

/** The merchant's server takes the callback of an approval. */
export const taken = (at: number): Command =>
  command(
    `the callback is taken #${at}`,
    ({ items }) => items.some(({ status }) => status === "approved"),
    async ({ items }, { office: { db, tenant } }) => {
      const item = pick(
        items.filter(({ status }) => status === "approved"),
        at,
      );
      if (!item) return;
      const { rows } = await db.owner.query<{ id: string; event_n: number }>(
        `update outbox o set state = 'delivered', attempts = 1, next_attempt_at = null, delivered_at = now() from transactions t
          where t.id = $1 and o.tenant_id = t.tenant_id and o.transaction_id = t.id and o.event_n = t.events returning o.id, o.event_n`,
        [item.uuid],
      );
      const [sent] = rows;
      await db.owner.query("insert into callback_attempts (tenant_id, outbox_id, n, status, milliseconds) values ($1, $2, 1, 200, 5)", [
        tenant.id,
        sent?.id,
      ]);
      await inTenant(db.database, tenant.id, (scoped) =>
        completeAfterCallback(scoped, { tenant: tenant.id, transactionId: item.uuid, eventN: sent?.event_n ?? 0 }),
      );
      Object.assign(item, { status: "completed", version: item.version + 1 });
    },
  );

export const takesNext = (kind: Item["kind"], who: Who): Command =>
  command(
    `${who} takes the next ${kind}`,
    () => true,
    async (model, real) => {
      const next = must.nextOf(model, kind, who);
      const call = callOf(real, who);
      const given = body({ skip: [] });
      const work = kind === "deposit" ? deposits.takeNextDeposit(call, given) : withdrawals.takeNextWithdrawal(call, given);
      expectOutcome(await tried(work), typeof next === "string" ? next : null);
      if (typeof next === "string") return;
      expect((await work).data.row.uuid).toBe(next.uuid);
      Object.assign(next, { claim: who, status: "process", version: next.version + 1 });
    },
  );

export const receipt = (at: number, who: Who): Command =>
  command(
    `${who} adds a receipt #${at}`,
    ({ items }) => items.length > 0,
    async ({ items }, real) => {
      const item = pick(items, at);
      if (!item) return;
      const call = callOf(real, who);
      const bytes = uniquePng();
      const given = {
        params: { uuid: item.uuid },
        query: undefined,
        body: undefined,
        file: { name: "slip.png", bytes, sha256: hashOf(bytes) },
      };
      const work =
        item.kind === "deposit" ? receiptHandlers.addDepositReceipt(call, given) : receiptHandlers.addWithdrawalReceipt(call, given);
      const isFull = item.receipts >= must.mostReceipts;
      expectOutcome(await tried(work), isFull ? "receipt.limit" : null);
      if (isFull) return;
      const moves = item.kind === "deposit" && item.status === "pending";
      Object.assign(item, { receipts: item.receipts + 1, version: item.version + (moves ? 2 : 1), ...(moves && { status: "process" }) });
    },
  );

/** A line for an item, for the item and the next one, or of an amount of nobody's. */
export const booked = (at: number, sort: "its" | "both" | "charged" | "odd", place: Place | null): Command =>
  command(
    `a line: ${sort} #${at} ${place ?? ""}`,
    ({ items }) => items.length > 0,
    async ({ items, lines }, { office, accounts }) => {
      const item = pick(items, at);
      if (!item) return;
      const account = place ?? item.account ?? "house";
      const next = pick(
        items.filter(({ kind }) => kind === item.kind),
        at + 1,
      );
      const more = { its: 0, both: next === item ? 0 : (next?.amount ?? 0), charged: must.charge[account], odd: 77 }[sort];
      const amount = item.amount + more;
      const direction = item.kind === "deposit" ? ("credit" as const) : ("debit" as const);
      const line = aLine({ direction, amount: moneyText(amount), reference: `R${lines.length}` });
      const { id, version } = await bookLine(office, accounts[account].id, line);
      lines.push({ uuid: id, version, direction, account, amount, status: "unmatched" });
    },
  );

/** Matches a line to an item, or to two. */
export const matches = (who: Who, at: number, count: 1 | 2): Command =>
  command(
    `${who} matches a line to ${count} #${at}`,
    ({ items, lines }) => items.length > 0 && lines.length > 0,
    async (model, real) => {
      const { items, lines } = model;
      const sets = items.flatMap((one, n) => (count === 1 ? [[one]] : items.slice(n + 1).map((two) => [one, two])));
      const pairs = lines.flatMap((line, place) => sets.map((set) => ({ line, place, set })));
      const pair = aim(pairs, at, ({ place, set }) => must.matchVerdict(model, place, set) === null);
      if (!pair) return;
      const { line, place, set } = pair;
      const refused = must.matchVerdict(model, place, set);
      const rows = [{ ...refOf(line), transactions: set.map(refOf) }];
      expectOutcome(await outcomeOf(bank.matchBankLines(callOf(real, who), body({ rows }))), refused);
      if (refused !== null) return;
      Object.assign(line, { status: "matched", version: line.version + 1 });
      for (const item of set) Object.assign(item, must.matched(model, item, place, set.length));
    },
  );

/** Another act on a line. */
export const onLine = (
  name: string,
  at: number,
  verdict: (model: Model, at: number) => string | null,
  to: "unmatched" | "ignored",
  send: (real: Real, rows: { uuid: string; version: number }[]) => Answer,
): Command =>
  command(
    `${name} line ${at}`,
    ({ lines }) => lines.length > 0,
    async (model, real) => {
      const line = aim(model.lines, at, (one) => verdict(model, model.lines.indexOf(one)) === null);
      if (!line) return;
      const place = model.lines.indexOf(line);
      const refused = verdict(model, place);
      expectOutcome(await outcomeOf(send(real, [refOf(line)])), refused);
      if (refused !== null) return;
      giveBack(model, place);
      line.status = to;
    },
  );
