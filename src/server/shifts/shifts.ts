import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { HandOver, Shift, shiftRoutes } from "../../contract/shifts.ts";
import { mostHandOvers, mostInHand, shiftHours } from "../../contract/shifts.ts";
import { amountText } from "../../values/money.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { onRows } from "../payments/acts.ts";
import { release } from "../payments/claims.ts";
import { depositKind } from "../payments/deposit-kind.ts";
import { kindsSeen } from "../payments/kinds-seen.ts";
import { withdrawalKind } from "../payments/withdrawal-kind.ts";

interface InHandRow {
  readonly uuid: string;
  readonly kind: "deposit" | "withdrawal";
  readonly txn_no: string;
  readonly customer_name: string;
  readonly amount: string;
  readonly currency: string;
  readonly at: Date;
  readonly remark: string | null;
  readonly reason: string | null;
  readonly version: number;
}

/** Open transactions of the tenant that meet a condition on x, with the time that tells of it. */
async function inHand(db: Scoped, { tenant }: StaffCall, where: RawBuilder<unknown>, at: RawBuilder<unknown>): Promise<InHandRow[]> {
  const { rows } = await sql<InHandRow>`select x.id as uuid, x.kind, x.txn_no, x.customer_name, x.amount, x.currency, ${at} as at, x.remark,
      case when x.claimed_by is null then x.deferred_reason end as reason, x.version
    from transactions x where x.tenant_id = ${tenant} and x.status in ('pending', 'process') and ${where}
    order by ${at}, x.id limit ${mostInHand}`.execute(db);
  return rows;
}

const heldBy = (db: Scoped, call: StaffCall) =>
  inHand(db, call, sql`x.claimed_by = ${call.caller.id} and x.claim_until > now()`, sql`x.claimed_at`);

const view = ({ version: _version, ...row }: InHandRow) => ({ ...row, amount: amountText(row.amount), at: row.at.toISOString() });

/** What the caller decided since their last hand-over, what they hold, and what they put off. */
async function shiftOf(db: Scoped, call: StaffCall): Promise<Shift> {
  const { tenant, caller } = call;
  const begun = await sql<{ at: Date }>`select greatest(now() - make_interval(hours => ${shiftHours}), max(created_at)) as at
    from hand_overs where tenant_id = ${tenant} and by_user = ${caller.id}`.execute(db);
  const since = begun.rows[0]?.at ?? new Date();
  // whoever recalls a decision takes it from whom it was of, in whichever shift they made it
  const decided = await sql<{
    kind: "deposit" | "withdrawal";
    outcome: "approved" | "rejected";
    currency: string;
    count: number;
    amount: string;
  }>`
    select x.kind, v.to_status as outcome, x.currency, count(*)::integer as count, sum(x.amount) as amount
    from transaction_events v join transactions x on x.tenant_id = v.tenant_id and x.id = v.transaction_id
    where v.tenant_id = ${tenant} and v.by_user = ${caller.id} and v.at >= ${since} and v.from_status <> v.to_status
      and v.to_status in ('approved', 'rejected') and not exists (select from transaction_events r where r.tenant_id = v.tenant_id
        and r.transaction_id = v.transaction_id and r.n > v.n and r.act = 'recall')
    group by 1, 2, 3 order by 3, 1, 2`.execute(db);
  return {
    since: since.toISOString(),
    decided: decided.rows.map((row) => ({ ...row, amount: amountText(row.amount) })),
    held: (await heldBy(db, call)).map(view),
    deferred: (await inHand(db, call, sql`x.deferred_by = ${caller.id}`, sql`x.deferred_until`)).map(view),
  };
}

/** Releases what the caller holds, of whatever currency; what another has changed meanwhile stays as it is. */
async function releaseAll(call: StaffCall, held: readonly InHandRow[]): Promise<void> {
  for (const [currency, rows] of Map.groupBy(held, (row) => row.currency)) {
    const own = { ...call, currency };
    const of = (kind: InHandRow["kind"]) => rows.filter((row) => row.kind === kind).map(({ uuid, version }) => ({ uuid, version }));
    // oxlint-disable-next-line no-await-in-loop -- a handful of rows, one after the other
    await onRows(own, "withdraw", of("withdrawal"), (db, ref) => release(db, withdrawalKind, own, ref));
    // oxlint-disable-next-line no-await-in-loop -- as above
    await onRows(own, "deposit", of("deposit"), (db, ref) => release(db, depositKind, own, ref));
  }
}

interface HandOverRow {
  readonly uuid: string;
  readonly by_uuid: string;
  readonly by_name: string;
  readonly at: Date;
  readonly note: string;
  readonly shift: Shift;
  readonly read: boolean;
}

const handOverView = ({ by_uuid, by_name, at, ...row }: HandOverRow): HandOver => ({
  ...row,
  by: { uuid: by_uuid, name: by_name },
  at: at.toISOString(),
});

/** A shift without the transactions of a kind its reader may not see. */
function seenBy(call: StaffCall, { decided, held, deferred, ...shift }: Shift): Shift {
  const kinds = kindsSeen(call);
  const seen = <T extends { readonly kind: TransactionKind }>(rows: readonly T[]): T[] => rows.filter(({ kind }) => kinds.includes(kind));
  return { ...shift, decided: seen(decided), held: seen(held), deferred: seen(deferred) };
}

const handOvers = (
  { tenant, caller }: StaffCall,
  where: RawBuilder<unknown>,
) => sql<HandOverRow>`select h.id as uuid, h.by_user as by_uuid, u.name as by_name,
    h.created_at as at, h.note, h.shift,
    exists (select from hand_over_readers r where r.tenant_id = h.tenant_id and r.hand_over_id = h.id and r.user_id = ${caller.id}) as read
  from hand_overs h join users u on u.id = h.by_user
  where h.tenant_id = ${tenant} and ${where} order by h.created_at desc limit ${mostHandOvers}`;

/** Shifts and their hand-over: what one operator leaves to the next. */
export const shiftHandlers: Handlers<typeof shiftRoutes, StaffCall> = {
  readShift: (call) => inTenant(call.deps.database, call.tenant, async (db) => ({ data: await shiftOf(db, call) })),

  async handOver(call, { body: { note } }) {
    const { tenant, caller, deps } = call;
    const left = await once(call, null, async (db) => {
      // as it is before anything is let go: whoever reads it sees what waits to be taken up
      const shift = await shiftOf(db, call);
      const made = await sql<{ id: string }>`insert into hand_overs (tenant_id, by_user, since, note, shift)
        values (${tenant}, ${caller.id}, ${shift.since}::timestamptz, ${note}, ${JSON.stringify(shift)}::jsonb) returning id`.execute(db);
      const id = made.rows[0]?.id ?? "";
      await record(db, tenant, actorOf(call), { act: "hand-over.create", entity: "hand-over", entityId: id, after: { note } });
      const { rows } = await handOvers(call, sql`h.id = ${id}::uuid`).execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error("a hand-over was made and is not there");
      return { answer: handOverView(row) };
    });
    // after the note is kept, each row by itself: when one cannot be let go, the request repeated lets go of what is left and writes no second note
    await releaseAll(call, await inTenant(deps.database, tenant, (db) => heldBy(db, call)));
    return { data: left };
  },

  listHandOvers: (call) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const recent = sql`h.created_at > now() - make_interval(hours => ${shiftHours}) and h.by_user <> ${call.caller.id}`;
      const { rows } = await handOvers(call, recent).execute(db);
      return { data: rows.map(handOverView).map((one) => ({ ...one, shift: seenBy(call, one.shift) })) };
    }),

  readHandOvers: (call, { body: { uuids } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      await sql`insert into hand_over_readers (tenant_id, hand_over_id, user_id)
        select h.tenant_id, h.id, ${call.caller.id} from hand_overs h where h.tenant_id = ${call.tenant} and h.id = any(${[...uuids]}::uuid[])
        on conflict do nothing`.execute(db);
      return { data: {} };
    }),
};
