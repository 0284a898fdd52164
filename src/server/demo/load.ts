import type { ClientBase } from "pg";
import { moneyText } from "../../values/money.ts";
import type { LedgerAccountKind } from "../db/tables/kinds.ts";
import { attemptDelays } from "../outbox/schedule.ts";
import type { Book } from "./books.ts";
import { copyFrozen, copyLine, copyRowsByInsert } from "./copy.ts";
import type { Past } from "./history.ts";
import { insertRows } from "./insert.ts";
import type { Opening } from "./insert.ts";
import { iso } from "./instants.ts";
import { entryColumns, groupColumns, makeLedger } from "./ledger.ts";
import type { DemoLedger } from "./ledger.ts";
import { seededRandom } from "./random.ts";
import type { Random } from "./random.ts";
import { finalAmount, isSettled, merchantAmount, eventsOf } from "./past-events.ts";
import type { PastEvent } from "./past-events.ts";
import { makeAuditChain } from "./audit-chain.ts";
import { withoutIndexes } from "./indexes.ts";
import type { PastTransfer } from "./transfers.ts";
import { transferColumns, transferDay, transferUses, transferValues } from "./transfer-rows.ts";

/** A past transaction with its number and its events. */
interface Numbered {
  readonly one: Past;
  readonly number: number;
  readonly events: readonly PastEvent[];
}

/** The tables of the history other than ledger and audit log. */
export const historyTables = [
  "transactions",
  "transfers",
  "transaction_events",
  "decisions",
  "limit_usage",
  "outbox",
  "callback_attempts",
  "bank_matches",
  "receipts",
  "payout_file_rows",
];
export const ledgerAndAuditTables = ["ledger_groups", "ledger_entries", "audit_entries", "audit_unsealed", "audit_chain", "audit_heads"];

interface LoadOptions {
  readonly past: readonly Past[];
  readonly transfers: readonly PastTransfer[];
  readonly openings: readonly Opening[];
  readonly since: number;
  readonly now: number;
  readonly random: Random;
  /** The tables may be truncated and refilled, so that nothing goes through the write-ahead log twice. */
  readonly trusted: boolean;
  /** A second connection that loads ledger and audit log at the same time; its transaction ends before this one. */
  readonly second: ClientBase | null;
}

/** Loads the whole history: ledger, transactions, events, decisions, limits, callbacks, audit. `past` is in the order of creation. */
export async function loadPast(
  client: ClientBase,
  { past, transfers, openings, since, now, random, trusted, second }: LoadOptions,
): Promise<void> {
  const all: Numbered[] = past.map((one, n) => ({ one, number: n + 1, events: eventsOf(one) }));
  // in the order of the primary keys, so that every index grows at its end
  const byKey = (a: Numbered, b: Numbered) => order(a.one.book.tenant, b.one.book.tenant) || order(a.one.id, b.one.id);
  const rows = [...all].sort(byKey);
  // a separate generator, because the two connections must not influence each other's random numbers
  const ledger = makeLedger(past, transfers, openings, accountKinds([...past, ...transfers]), since, random);
  const others = { ledger, rows, transfers, random: seededRandom(random.whole(1, 1_000_000)), trusted };
  const beside = second ? inTransactionOf(second, trusted, () => loadLedgerAndAudit(second, others)) : null;
  beside?.catch(() => undefined); // awaited below
  const load = trusted ? copyFrozen : copyRowsByInsert;
  if (trusted) await client.query(`truncate ${historyTables.join(", ")}`);
  await withoutIndexes(client, trusted ? historyTables : [], async () => {
    await client.query(
      `update ledger_accounts a set balance = b.balance, last_seq = b.seq
       from unnest($1::uuid[], $2::numeric[], $3::bigint[]) b (id, balance, seq) where a.id = b.id`,
      [ledger.balances.map((b) => b.account), ledger.balances.map((b) => b.balance), ledger.balances.map((b) => b.seq)],
    );
    await load(client, "transactions", transactionColumns.map(([name]) => name).join(", "), transactionLines(rows, ledger.previous));
    await load(client, "transaction_events", eventColumns, eventLines(rows));
    await load(client, "decisions", "tenant_id, transaction_id, round, outcome, event_n, by_user, at", decisionLines(rows));
    const callbacks = makeCallbacks(rows, now, random);
    await load(client, "outbox", outboxColumns, callbacks.outbox());
    await load(client, "callback_attempts", "tenant_id, outbox_id, n, at, status, milliseconds, answer", callbacks.attempts);
    await load(client, "limit_usage", "tenant_id, payment_account_id, kind, period, starts, used", limitLines(rows, transfers));
    await insertRows(
      client,
      "transfers",
      transferColumns,
      transfers.map((one, n) => transferValues(one, past.length + n + 1, ledger.previous)),
    );
  });
  const ailing = [...new Set(past.flatMap(({ book, merchant }) => (merchant.ailing ? [`${book.tenant} ${merchant.id}`] : [])))];
  for (const one of ailing) {
    await client.query(
      "insert into callback_endpoints (tenant_id, merchant_id, failures, room, failing_since) values ($1, $2, 12, 1, $3)",
      [...one.split(" "), new Date(now - ailingMs)],
    );
  }
  // otherwise the trigger has done it
  if (trusted) await client.query("call fill_search_terms()");
  await (beside ?? loadLedgerAndAudit(client, others));
  await client.query(`update payment_accounts a set last_used_at = t.at
    from (select payment_account_id as id, max(last_action_at) as at from transactions group by 1) t where a.id = t.id`);
}

/** Ledger account → its kind, of all books that anything happened in. */
function accountKinds(past: readonly { readonly book: Book }[]): Map<string, LedgerAccountKind> {
  const kinds = new Map<string, LedgerAccountKind>();
  for (const book of new Set(past.map((one) => one.book))) {
    kinds.set(book.feeId, "fee-income").set(book.chargesId, "bank-charges").set(book.adjustmentId, "adjustment");
    for (const { ledgerId } of book.accounts) kinds.set(ledgerId, "payment-account");
    for (const { walletId, holdId } of book.merchants) kinds.set(walletId, "wallet").set(holdId, "hold");
  }
  return kinds;
}

interface LedgerAndAudit {
  readonly ledger: DemoLedger;
  readonly rows: readonly Numbered[];
  readonly transfers: readonly PastTransfer[];
  readonly random: Random;
  readonly trusted: boolean;
}

async function loadLedgerAndAudit(client: ClientBase, { ledger, rows, transfers, random, trusted }: LedgerAndAudit): Promise<void> {
  const load = trusted ? copyFrozen : copyRowsByInsert;
  if (trusted) await client.query(`truncate ${ledgerAndAuditTables.join(", ")}`);
  await withoutIndexes(client, trusted ? ledgerAndAuditTables : [], async () => {
    await load(client, "ledger_groups", groupColumns, ledger.groups);
    await load(client, "ledger_entries", entryColumns, ledger.entries);
    const audit = makeAuditChain(rows, transfers, random);
    await load(client, "audit_entries", audit.entryColumns, audit.entries);
    await load(client, "audit_chain", "tenant_id, seq, entry_id, previous, hash", audit.chain);
    await load(client, "audit_heads", "tenant_id, seq, hash", audit.heads);
    // written by the trigger when triggers were on
    await client.query("delete from audit_unsealed");
  });
}

async function inTransactionOf(client: ClientBase, trusted: boolean, work: () => Promise<void>): Promise<void> {
  await client.query(`begin${trusted ? "; set local session_replication_role = replica" : ""}`);
  try {
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

const none = "\\N";
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const maybe = (at: number | null): string | null => (at === null ? null : iso(at));

/** "W2611210004821": kind, local day, number. */
function transactionNumber({ one, number }: Numbered): string {
  return `${one.kind === "deposit" ? "D" : "W"}${localDay(one, one.createdAt).slice(2).replaceAll("-", "")}${String(number).padStart(7, "0")}`;
}

const localDay = (one: Past, at: number): string => iso(at + one.book.facts.zoneMinutes * 60_000).slice(0, 10);

function limitDay(one: Past): string | null {
  if (one.kind === "withdrawal") return isSettled(one) ? localDay(one, one.decidedAt ?? 0) : null;
  return one.status === "rejected" || one.status === "expired" ? null : localDay(one, one.createdAt);
}

const referenceNumber = ({ one, number }: Numbered) =>
  one.account && one.processedAt ? `${one.account.code.slice(0, 3)}${81_000_000 + number * 7}` : null;
const merchantNumber = ({ one, number }: Numbered): string => `${one.merchant.code}-${77_000_000 + number}`;

type Column = readonly [name: string, of: (row: Numbered, previous: ReadonlyMap<string, string>) => string | number | null | undefined];

const transactionColumns: readonly Column[] = [
  ["tenant_id", ({ one }) => one.book.tenant],
  ["id", ({ one }) => one.id],
  ["kind", ({ one }) => one.kind],
  ["source", ({ one }) => (one.manual ? "manual" : "api")],
  ["txn_no", transactionNumber],
  ["merchant_id", ({ one }) => one.merchant.id],
  ["merchant_txn_no", merchantNumber],
  ["reference_no", referenceNumber],
  ["status", ({ one }) => one.status],
  ["version", ({ events }) => events.length],
  ["currency", ({ one }) => one.book.facts.currency],
  ["method", ({ one }) => one.method],
  ["member", ({ one }) => one.member.code],
  ["customer_name", ({ one }) => one.member.name],
  ["bank", ({ one }) => (one.kind === "withdrawal" ? one.member.bank : null)],
  ["account_number", ({ one }) => (one.kind === "withdrawal" ? one.member.number : null)],
  ["holder", ({ one }) => (one.kind === "withdrawal" ? one.holder : null)],
  ["amount", ({ one }) => moneyText(one.amount)],
  ["fee", ({ one }) => moneyText(one.fee)],
  ["charges", ({ one }) => moneyText(one.charges)],
  ["final_amount", ({ one }) => moneyText(finalAmount(one))],
  ["merchant_amount", ({ one }) => moneyText(merchantAmount(one))],
  ["previous_balance", ({ one }, previous) => previous.get(one.id)],
  ["payment_account_id", ({ one }) => one.account?.id],
  ["payment_date", ({ one }) => maybe(one.kind === "deposit" ? one.processedAt : isSettled(one) ? one.decidedAt : null)],
  ["limit_day", ({ one }) => limitDay(one)],
  ["events", ({ events }) => events.length],
  ["recalls", ({ one }) => (one.recall ? 1 : 0)],
  ["first_approved_by", ({ one }) => one.first?.id],
  ["first_approved_at", ({ one }) => maybe(one.firstAt)],
  ["first_account_id", ({ one }) => (one.kind === "withdrawal" && one.firstAt ? (one.account ?? one.proposed)?.id : null)],
  ["expires_at", ({ one }) => maybe(one.expiresAt)],
  ["created_at", ({ one }) => iso(one.createdAt)],
  ["processed_at", ({ one }) => maybe(one.processedAt)],
  ["processed_by", ({ one }) => ((one.kind === "withdrawal" || one.manual) && one.processedAt ? (one.first ?? one.operator)?.id : null)],
  ["approved_at", ({ one }) => (isSettled(one) ? maybe(one.decidedAt) : null)],
  ["approved_by", ({ one }) => (isSettled(one) ? one.operator?.id : null)],
  ["rejected_at", ({ one }) => (one.status === "rejected" ? maybe(one.decidedAt) : null)],
  ["rejected_by", ({ one }) => (one.status === "rejected" ? one.operator?.id : null)],
  ["reject_reason", ({ one }) => one.reason],
  ["expired_at", ({ one }) => (one.status === "expired" ? maybe(one.decidedAt) : null)],
  ["completed_at", ({ one }) => maybe(one.completedAt)],
  ["last_action_at", ({ events }) => iso(events.at(-1)?.at ?? 0)],
  ["last_action_by", ({ events }) => events.at(-1)?.by],
];

function* transactionLines(rows: readonly Numbered[], previous: ReadonlyMap<string, string>): Iterable<string> {
  for (const row of rows) yield copyLine(transactionColumns.map(([, of]) => of(row, previous)));
}

const eventColumns = "tenant_id, transaction_id, n, kind, act, from_status, to_status, at, by_user, actor, reason";

function* eventLines(rows: readonly Numbered[]): Iterable<string> {
  for (const { one, events } of rows) {
    for (const { n, act, from, to, at, by, actor, reason } of events) {
      yield `${one.book.tenant}\t${one.id}\t${n}\t${one.kind}\t${act}\t${from}\t${to}\t${iso(at)}\t${by ?? none}\t${actor}\t${reason ?? none}`;
    }
  }
}

function* decisionLines(rows: readonly Numbered[]): Iterable<string> {
  for (const { one, events } of rows) {
    let round = 0;
    for (const { n, outcome, by, at } of events) if (outcome) yield copyLine([one.book.tenant, one.id, ++round, outcome, n, by, iso(at)]);
  }
}

function* limitLines(rows: readonly Numbered[], transfers: readonly PastTransfer[]): Iterable<string> {
  const used = new Map<string, bigint>();
  const use = (tenant: string, account: string, kind: string, day: string, amount: bigint) => {
    for (const period of [`day\t${day}`, `month\t${day.slice(0, 7)}-01`]) {
      const key = `${tenant}\t${account}\t${kind}\t${period}`;
      used.set(key, (used.get(key) ?? 0n) + amount);
    }
  };
  for (const { one } of rows) {
    const day = limitDay(one);
    if (day !== null && one.account) use(one.book.tenant, one.account.id, one.kind, day, finalAmount(one));
  }
  for (const one of transfers) {
    for (const { account, kind, amount } of transferUses(one)) use(one.book.tenant, account.id, kind, transferDay(one), amount);
  }
  for (const key of [...used.keys()].sort()) yield `${key}\t${moneyText(used.get(key) ?? 0n)}`;
}

const outboxColumns =
  "tenant_id, id, merchant_id, transaction_id, event_n, url, body, state, attempts, next_attempt_at, created_at, delivered_at";

/** Ms for which an ailing address has taken nothing: it is disabled while the demo is looked at for some days. */
const ailingMs = 3 * 86_400_000;

/** Ms after the first attempt at which each further one is made while none is acknowledged. */
const attemptMoments = attemptDelays.map((_, n) => attemptDelays.slice(0, n + 1).reduce<number>((sum, delay) => sum + delay, 0));

/** `attempts` is complete once `outbox` has been read to its end. */
function makeCallbacks(rows: readonly Numbered[], now: number, random: Random) {
  const attempts: string[] = [];
  return { outbox: () => outboxLines(rows, now, random, attempts), attempts };
}

function* outboxLines(rows: readonly Numbered[], now: number, random: Random, attempts: string[]): Iterable<string> {
  for (const row of rows) {
    const { one, events } = row;
    for (const event of events) {
      if (!event.outcome) continue;
      const id = random.uuid(event.at);
      const first = event.at + (one.kind === "withdrawal" && event.outcome === "approved" ? 5_600 : 500);
      const ails = one.merchant.ailing && event.outcome === "rejected" && event.at > now - ailingMs;
      const unanswered = ails || (isSettled(one) && one.completedAt === null);
      const refused = unanswered ? attemptMoments.filter((after) => first + after < now) : random.chance(0.04) ? [0] : [];
      const tries = event.takenBack
        ? []
        : unanswered
          ? refused.map((after) => ({ at: first + after, status: 503 }))
          : answered(first, refused.length);
      const state = event.takenBack
        ? "cancelled"
        : !unanswered
          ? "delivered"
          : tries.length === attemptMoments.length
            ? "failed"
            : "pending";
      tries.forEach(({ at, status }, n) => {
        const answer = status === 200 ? '{"received":true}' : '{"error":"try again later"}';
        attempts.push(copyLine([one.book.tenant, id, n + 1, iso(at), status, random.whole(14, 260), answer]));
      });
      const next = state === "pending" ? Math.max(now + 15_000, first + (attemptMoments[tries.length] ?? 0)) : null;
      yield copyLine([
        one.book.tenant,
        id,
        one.merchant.id,
        one.id,
        event.n,
        one.merchant.callbackUrl,
        callbackBody(row, event),
        state,
        tries.length,
        maybe(next),
        iso(event.at),
        state === "delivered" ? iso(tries.at(-1)?.at ?? 0) : null,
      ]);
    }
  }
}

const answered = (first: number, refused: number) => [
  ...(refused > 0 ? [{ at: first - 300, status: 503 }] : []),
  { at: first, status: 200 },
];

/** As payments/transaction-rows.ts builds it. */
function callbackBody(row: Numbered, event: PastEvent): string {
  const { one } = row;
  const moved = event.to === "approved" ? moneyText(merchantAmount(one)) : null;
  const data = {
    uuid: one.id,
    txn_no: transactionNumber(row),
    merchant_txn_no: merchantNumber(row),
    type: one.kind,
    status: event.to,
    currency: one.book.facts.currency,
    amount: moneyText(one.amount),
    fee: moneyText(one.fee),
    merchant_receive: one.kind === "deposit" ? moneyText(merchantAmount(one)) : null,
    reject_reason: event.reason,
    created_at: iso(one.createdAt),
    updated_at: iso(event.at),
    charges: moneyText(one.charges),
    charges_borne_by: "house",
    credited: one.kind === "deposit" ? moved : null,
    debited: one.kind === "withdrawal" ? moved : null,
    reference_no: referenceNumber(row),
  };
  return JSON.stringify({ type: `${one.kind}.${event.to}`, timestamp: iso(event.at), data });
}
