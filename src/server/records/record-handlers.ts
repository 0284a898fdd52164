import { randomUUID } from "node:crypto";
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RecordEvent } from "../../contract/records.ts";
import type { ListMeta } from "../../contract/wire.ts";
import { actorOf } from "../audit/record.ts";
import type { RecordRef } from "../audit/records.ts";
import { audit, differences, historyOf, stale } from "../audit/records.ts";
import { requireStepUp } from "../auth/proof.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { sqlState, violated } from "../db/errors.ts";
import { inTenant } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import { once } from "../idempotency.ts";
import { auditLabel, linkedRecords } from "./links.ts";
import type { RecordKind, RecordView, Reference, StoredRow, Uses, Proposal } from "./record-kind.ts";
import type { ListQuery } from "./record-list.ts";
import { findRecords, listRecords } from "./record-list.ts";

interface OfOne {
  readonly params: { readonly uuid: string };
}

/** What an act on a record has come to. */
interface Performed<Kept> {
  readonly columns: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly kept: Kept;
  readonly reason?: string | null;
}

/** An act of one kind of record; see `perform` of `recordHandlers`. */
export type PerformOn<Row, View> = <Kept extends object>(
  call: StaffCall,
  received: OfOne & { body: { version: number } },
  name: string,
  work: (row: Row, db: Scoped) => Performed<Kept> | Promise<Performed<Kept>>,
) => Promise<{ data: { row: View } & Kept }>;

/** One handler for each route of `recordRoutes` (contract/record-routes.ts); see `recordHandlers`. */
interface RecordHandlers<Row, View, Extra, Edited, Initial, Above> {
  list(call: StaffCall, received: { params: Above; query: ListQuery }): Promise<{ data: View[]; meta: ListMeta }>;
  read(call: StaffCall, received: OfOne): Promise<{ data: { row: View; history: RecordEvent[] } & Extra }>;
  create(call: StaffCall, received: { params: Above; body: Edited & Initial }): Promise<{ data: View }>;
  update(call: StaffCall, received: OfOne & { body: Edited & { version: number } }): Promise<{ data: View }>;
  /** The change of one record's status within a transaction, for an act on many. */
  statusOf(db: Scoped, call: StaffCall, uuid: string, to: { version: number; status: string; reason: string }): Promise<Effect<View>>;
  changeStatus(call: StaffCall, received: OfOne & { body: { version: number; status: string; reason: string } }): Promise<{ data: View }>;
  remove(call: StaffCall, received: OfOne & { query: { version: number } }): Promise<{ data: Record<string, never> }>;
  /**
   * An act of this kind only, under the same rules as an update: the row is locked and must have the version the caller saw, the columns
   * `work` answers are written, `after` is audited as `<entity>.<name>` with the earlier values of those fields the view has, and an Idempotency-Key makes it happen once. `kept` is stored with that
   * key, so it must hold no secret in the clear.
   */
  readonly perform: PerformOn<Row, View>;
}

/**
 * The handlers of a plain record: list, read, create, update, change of status, removal. A new kind gives its table, its select, its
 * view, the fields its form edits, and otherwise only what it has of its own (record-kind.ts):
 *
 *     const { list, read, create, update, remove } = recordHandlers({
 *       entity: "vendor",
 *       table: "vendors",
 *       columns: vendorColumns,
 *       rows: ({ tenant }) => sql`select v.* from vendors v where v.tenant_id = ${tenant}`,
 *       view: vendorView,
 *       nameOf: ({ company }) => company,
 *       fields: ({ company, remark }: VendorForm | VendorRow) => ({ company, remark: remark || null }),
 *       constraints: { vendors_tenant_id_company_key: { company: ["Already taken"] } },
 *     });
 *     export const vendorHandlers: Handlers<typeof vendorRoutes, StaffCall> = {
 *       listVendors: list, readVendor: read, createVendor: create, updateVendor: update, deleteVendor: remove,
 *     };
 *
 * A write takes the locks of `lock`, then the row's; it is refused with record.stale and the current row unless the version is the one
 * its caller saw, and changes nothing when no field differs. It must pass `faults`, and needs step-up for `guarded` fields. Its
 * differences are audited in the same transaction. An Idempotency-Key makes it happen once.
 */
export function recordHandlers<
  Row extends StoredRow & Edited & Initial,
  View extends RecordView,
  Extra extends object,
  Edited,
  Initial,
  Fields extends object,
  Fixed extends object,
  Field extends string,
  Above = unknown,
>(
  kind: RecordKind<Row, View, Extra, Edited, Initial, Fields, Fixed, Field, Above>,
): RecordHandlers<Row, View, Extra, Edited, Initial, Above> {
  const table = sql.table(kind.table);
  const parts = Object.keys(kind.parts ?? {}) as (keyof Fields)[]; // by its type
  const refOf = ({ tenant }: StaffCall, id: string): RecordRef => ({ tenant, entity: kind.entity, id });
  const isRow = ({ tenant, currency }: StaffCall, id: string) =>
    sql`tenant_id = ${tenant} and ${sql.ref(kind.idColumn ?? "id")} = ${id} ${kind.currency ? sql`and currency = ${currency}` : sql``}`;
  const fixed = (of: Initial) => kind.fixed?.(of) ?? ({} as Fixed); // no `fixed`, no fields

  /** The records of a list: all, or those that belong to the one its path names. */
  function rowsWithin(call: StaffCall, above: Above): RawBuilder<unknown> {
    if (!kind.within) return kind.rows(call);
    const belongs = Object.entries(kind.within.columns(above)).map(([column, id]) => sql`w.${sql.ref(column)} = ${id}`);
    return sql`select w.* from (${kind.rows(call)}) w where ${sql.join(belongs, sql` and `)}`;
  }

  async function find(db: Scoped, call: StaffCall, id: string): Promise<Row | undefined> {
    return (await findRecords<Row>(db, kind.rows(call), [id]))[0];
  }

  async function known(db: Scoped, call: StaffCall, id: string): Promise<Row> {
    const row = await find(db, call, id);
    if (!row) throw new Error(`${kind.entity} ${id} is gone within its own transaction`);
    return row;
  }

  /** The current row, locked; refused unless its version is the one the caller saw. */
  async function lock(db: Scoped, call: StaffCall, id: string, version: number, act: "update" | "change-status" | "delete"): Promise<Row> {
    await kind.lock?.(db, call, id, act);
    await sql`select from ${table} where ${isRow(call, id)} ${act === "delete" ? sql`for update` : sql`for no key update`}`.execute(db);
    const row = await find(db, call, id);
    if (!row) throw new Refusal("not-found");
    if (row.version !== version) throw await stale(db, refOf(call, id), kind.view(row));
    return row;
  }

  /** All stored fields of a record, for the audit log. */
  const whole = ({ currency }: StaffCall, row: Row) => ({
    ...fixed(row),
    ...(kind.currency && { currency }),
    ...(row.status !== undefined && { status: row.status }),
    ...kind.fields(row),
  });

  /** The fields as the audit log shows them: with the names of linked records, because a uuid means nothing to a reader. */
  async function audited<T extends object>(db: Scoped, call: StaffCall, fields: T): Promise<T> {
    const shown: Record<string, unknown> = {};
    for (const name of parts) {
      const value = (fields as Partial<Fields>)[name]; // some or all of the form's fields
      const part = kind.parts?.[name];
      if (value != null && part?.audited) shown[String(name)] = await part.audited(db, call, value);
    }
    const rest = { ...fields } as Record<string, unknown>; // its keys are the form's fields
    for (const [column, { field, table: of }] of Object.entries((kind.refersTo ?? {}) as Readonly<Record<string, Reference>>)) {
      if (!(column in rest)) continue;
      const id = rest[column];
      const [one] = await linkedRecords(db, call.tenant, of, typeof id === "string" ? [id] : []);
      shown[field] = one ? auditLabel(one) : null;
      delete rest[column];
    }
    return { ...rest, ...shown } as unknown as T; // names in place of uuids
  }

  async function requireNoFaults(db: Scoped, call: StaffCall, proposal: Proposal<Row, Fields, Fixed>): Promise<void> {
    refuse((await kind.faults?.(db, call, proposal)) ?? {});
  }

  /** The columns of the table among the edited fields, as stored. */
  function columnsOf(fields: Partial<Fields>): Record<string, unknown> {
    const stored = (name: keyof Fields) => (kind.json?.includes(name) ? JSON.stringify(fields[name]) : fields[name]);
    const names = (Object.keys(fields) as (keyof Fields & string)[]).filter((name) => !parts.includes(name)); // by its type
    return Object.fromEntries(names.map((name) => [name, stored(name)]));
  }

  async function insert(
    db: Scoped,
    { tenant, currency }: StaffCall,
    id: string,
    columns: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const values = { tenant_id: tenant, id, ...(kind.currency && { currency }), ...columns };
    await sql`insert into ${table} (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(values))})`
      .execute(db)
      .catch(refuseViolation);
  }

  async function change(db: Scoped, call: StaffCall, id: string, columns: Readonly<Record<string, unknown>>): Promise<void> {
    const set = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    const stamps = [sql`version = version + 1`, sql`updated_at = clock_timestamp()`];
    await sql`update ${table} set ${sql.join([...set, ...stamps])} where ${isRow(call, id)}`.execute(db).catch(refuseViolation);
  }

  function refuseViolation(error: unknown): never {
    const lines = kind.constraints?.[violated(error) ?? ""];
    throw lines ? new Refusal("request.invalid", lines) : error;
  }

  async function writeParts(db: Scoped, call: StaffCall, id: string, changed: Partial<Fields>): Promise<void> {
    for (const name of parts) {
      const now = changed[name];
      const lines = now == null ? undefined : await kind.parts?.[name]?.(db, call, id, now);
      if (lines?.length) throw new Refusal("request.invalid", { [name]: lines });
    }
    await kind.written?.(db, call, id, changed);
  }

  async function create(db: Scoped, call: StaffCall, above: Above, body: Edited & Initial): Promise<Effect<View>> {
    await kind.within?.require(db, call, above, "write");
    const [start, fields] = [fixed(body), kind.fields(body)];
    await requireNoFaults(db, call, { row: null, was: null, now: { ...start, ...fields }, changed: fields });
    const id = randomUUID();
    await insert(db, call, id, { ...kind.within?.columns(above), ...start, ...columnsOf(fields), ...(await kind.made?.(db, call, id)) });
    await writeParts(db, call, id, fields);
    const row = await known(db, call, id);
    await audit(db, refOf(call, id), actorOf(call), "create", { after: await audited(db, call, whole(call, row)) });
    return { answer: kind.view(row) };
  }

  async function update(db: Scoped, call: StaffCall, id: string, body: Edited & { version: number }): Promise<Effect<View>> {
    const row = await lock(db, call, id, body.version, "update");
    const [was, now] = [kind.fields(row), kind.fields(body)];
    const changes = differences(was, now);
    if (!changes) return { answer: kind.view(row) };
    await requireNoFaults(db, call, { row, was, now: { ...fixed(row), ...now }, changed: changes.after });
    if (kind.guarded?.some((name) => name in changes.after)) await requireStepUp(db, call);
    await change(db, call, id, columnsOf(changes.after));
    await writeParts(db, call, id, changes.after);
    const fact = { before: await audited(db, call, changes.before), after: await audited(db, call, changes.after) };
    await audit(db, refOf(call, id), actorOf(call), "update", fact);
    return { answer: kind.view(await known(db, call, id)) };
  }

  async function changeStatus(
    db: Scoped,
    call: StaffCall,
    id: string,
    { version, status, reason }: { version: number; status: string; reason: string },
  ): Promise<Effect<View>> {
    const row = await lock(db, call, id, version, "change-status");
    if (row.status === status) return { answer: kind.view(row) };
    await kind.setsStatus?.(db, call, row, status);
    await change(db, call, id, { status });
    const fact = { before: { status: row.status }, after: { status }, reason: reason || null };
    await audit(db, refOf(call, id), actorOf(call), "change-status", fact);
    return { answer: kind.view(await known(db, call, id)) };
  }

  /** Refused while anything uses it. */
  async function remove(db: Scoped, call: StaffCall, id: string, version: number): Promise<Effect<Record<string, never>>> {
    const row = await lock(db, call, id, version, "delete");
    refuseInUse(kind.nameOf(row), (await kind.uses?.(db, call, row)) ?? {});
    const before = await audited(db, call, whole(call, row));
    await kind.release?.(db, call, row);
    await sql`delete from ${table} where ${isRow(call, id)}`.execute(db).catch((error: unknown) => {
      throw sqlState(error) === "23503" ? new Refusal("record.in-use") : error;
    });
    await audit(db, refOf(call, id), actorOf(call), "delete", { before });
    return { answer: {} };
  }

  /** Runs an act once and publishes the changed record after the commit. */
  async function act<T>(call: StaffCall, idOf: (answer: T) => string, work: (db: Scoped) => Promise<Effect<T>>): Promise<{ data: T }> {
    const data = await once(call, null, work);
    if (kind.live) call.deps.publisher.changed(call.tenant, kind.live, [idOf(data)]);
    return { data };
  }

  return {
    list: (call, { params, query }) =>
      inTenant(call.deps.database, call.tenant, async (db) => {
        await kind.within?.require(db, call, params, "read");
        const { rows, meta } = await listRecords<Row, Field>(db, call, kind, rowsWithin(call, params), query);
        return { data: rows.map((row) => kind.view(row)), meta };
      }),

    read: (call, { params: { uuid } }) =>
      inTenant(call.deps.database, call.tenant, async (db) => {
        const row = await find(db, call, uuid);
        if (!row) throw new Refusal("not-found");
        const extra = (await kind.detail?.(db, call, row)) ?? ({} as Extra); // no `detail`, no extra
        return { data: { row: kind.view(row), ...extra, history: await historyOf(db, refOf(call, uuid)) } };
      }),

    create: (call, { params, body }) =>
      act(
        call,
        ({ uuid }) => uuid,
        (db) => create(db, call, params, body),
      ),

    update: (call, { params: { uuid }, body }) =>
      act(
        call,
        () => uuid,
        (db) => update(db, call, uuid, body),
      ),

    statusOf: changeStatus,

    changeStatus: (call, { params: { uuid }, body }) =>
      act(
        call,
        () => uuid,
        (db) => changeStatus(db, call, uuid, body),
      ),

    remove: (call, { params: { uuid }, query: { version } }) =>
      act(
        call,
        () => uuid,
        (db) => remove(db, call, uuid, version),
      ),

    perform: (call, { params: { uuid }, body: { version } }, name, work) =>
      act(
        call,
        () => uuid,
        async (db) => {
          const row = await lock(db, call, uuid, version, "update");
          const { columns, after, kept, reason = null } = await work(row, db);
          const earlier = Object.entries(kind.view(row)).filter(([field]) => Object.hasOwn(after, field));
          await change(db, call, uuid, columns);
          await audit(db, refOf(call, uuid), actorOf(call), name, {
            ...(earlier.length > 0 && { before: Object.fromEntries(earlier) }),
            after,
            reason,
          });
          return { answer: { row: kind.view(await known(db, call, uuid)), ...kept } };
        },
      ),
  };
}

function refuse(faults: FieldLines): void {
  if (Object.keys(faults).length > 0) throw new Refusal("request.invalid", faults);
}

function refuseInUse(name: string, uses: Uses): void {
  const found = Object.entries(uses).filter(([, use]) =>
    typeof use === "string" ? Number(use) !== 0 : Array.isArray(use) ? use.length > 0 : use !== 0,
  );
  if (found.length > 0) throw new Refusal("record.in-use", { name, ...Object.fromEntries(found) });
}
