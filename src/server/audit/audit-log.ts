import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { AuditedEntity, AuditEntry, auditLogRoutes } from "../../contract/audit-log.ts";
import { auditedEntities, auditLogColumns as columns } from "../../contract/audit-log.ts";
import { holdsAny } from "../../contract/permissions.ts";
import { Refusal } from "../../contract/problems.ts";
import { screens } from "../../contract/screens.ts";
import type { Asked } from "../../values/asked.ts";
import type { StaffCall } from "../call.ts";
import { whereAsked } from "../db/asked.ts";
import { dataFolder } from "../db/embedded-host.ts";
import { inTenant } from "../db/scope.ts";
import { projectFolder } from "../installation.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { findRecords, listRecords } from "../records/record-list.ts";
import { checkChain } from "./chain.ts";
import { recordKey, recordsOf } from "./entity-names.ts";

interface EntryRow {
  readonly id: string;
  readonly created_at: Date;
  readonly by: string;
  readonly by_kind: "user" | "merchant" | "system";
  readonly act: string;
  readonly entity: string;
  readonly of: string | null;
  readonly reason: string | null;
  readonly ip: string | null;
  readonly request_id: string | null;
}

interface EntryDetail extends EntryRow {
  readonly code: string;
  readonly actor_id: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** As `actWord` of the contract. */
const act = sql`case e.act when 'bank-import.start' then 'start-import' else regexp_replace(e.act, '^.*\\.', '') end`;
const entry = sql`e.id, e.at as created_at, e.actor_name as by, e.actor_kind as by_kind, ${act} as act,
  e.entity, e.entity_id as of, e.reason, e.ip, e.request_id`;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The entries of these records, found by their index, or those of no such record. */
const ofRecords = (asked: Asked | undefined): RawBuilder<unknown> =>
  asked === undefined
    ? sql``
    : sql`and ${whereAsked(asked, (record) => (uuid.test(record) ? sql`e.entity_id = ${record}::uuid` : sql`false`))}`;

/** The entries of a request, of a record by its uuid, or of what has exactly this number, code or e-mail: each found by an index. */
function matching({ tenant }: StaffCall, q: string | undefined): RawBuilder<unknown> {
  const wanted = q?.trim() ?? "";
  if (wanted === "") return sql``;
  const records = uuid.test(wanted)
    ? sql`select ${wanted}::uuid`
    : sql`select id from transactions where tenant_id = ${tenant} and txn_no = upper(${wanted})
      union all select id from transfers where tenant_id = ${tenant} and txn_no = upper(${wanted})
      union all select id from merchants where tenant_id = ${tenant} and lower(code) = lower(${wanted})
      union all select id from payment_accounts where tenant_id = ${tenant} and lower(code) = lower(${wanted})
      union all select user_id from memberships m join users u on u.id = m.user_id
        where m.tenant_id = ${tenant} and lower(u.email) = lower(${wanted})`;
  return sql`and e.id in (select id from audit_entries where tenant_id = ${tenant} and request_id = ${wanted}
    union all select id from audit_entries where tenant_id = ${tenant} and entity_id = any(array(${records})))`;
}

/** Whether the reader may see such records, and so what an entry says of one. */
const sees = ({ caller }: StaffCall, entity: string): entity is AuditedEntity =>
  Object.hasOwn(auditedEntities, entity) && holdsAny(caller.permissions, screens[auditedEntities[entity as AuditedEntity]].permission); // as just asked

async function views(db: Scoped, call: StaffCall, rows: readonly EntryRow[]): Promise<AuditEntry[]> {
  const { tenant } = call;
  const found = await recordsOf(
    db,
    call,
    rows.flatMap(({ entity, of }) => (of !== null && sees(call, entity) ? [{ entity, id: of }] : [])),
  );
  // the list of mails is a place of its own, for owners alone
  const ofMails = sees(call, "outgoing-mail") && call.caller.groups.includes("owner") ? auditedEntities["outgoing-mail"] : null;
  const foundOf = ({ entity, of }: EntryRow) => found.get(recordKey({ entity, id: of }));
  const screenOf = (row: EntryRow) => (row.of === null && row.entity === "outgoing-mail" ? ofMails : (foundOf(row)?.screen ?? null));
  const ids = rows.map(({ id }) => id);
  const chained = await sql<{ id: string; seal: string }>`select entry_id as id, seq as seal from audit_chain
    where tenant_id = ${tenant} and entry_id = any(${ids}::uuid[])`.execute(db);
  const seals = new Map(chained.rows.map(({ id, seal }) => [id, Number(seal)]));
  return rows.map((row) => ({
    uuid: row.id,
    version: 1,
    created_at: row.created_at.toISOString(),
    by: row.by,
    by_kind: row.by_kind,
    act: row.act,
    entity: row.entity,
    of: row.of,
    name: foundOf(row)?.name ?? null,
    screen: screenOf(row),
    params: foundOf(row)?.params ?? {},
    reason: row.reason,
    ip: row.ip,
    request_id: row.request_id,
    seal: seals.get(row.id) ?? null,
  }));
}

function changesOf({ before, after }: EntryDetail) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }));
}

const list = {
  columns,
  stored: { created_at: { sort: [{ name: "created_at", type: "timestamptz" }] } },
} as const;

export const auditLogHandlers: Handlers<typeof auditLogRoutes, StaffCall> = {
  listAuditEntries: (call, { query }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const { q, "filter[of]": of, ...others } = query;
      const rows = sql`select ${entry} from audit_entries e where e.tenant_id = ${call.tenant} ${ofRecords(of)} ${matching(call, q)}`;
      const found = await listRecords<EntryRow, keyof typeof columns>(db, call, list, rows, others);
      return { data: await views(db, call, found.rows), meta: found.meta };
    }),

  readAuditEntry: (call, { params }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const rows = sql`select ${entry}, e.act as code, e.actor_id, e.before, e.after from audit_entries e where e.tenant_id = ${call.tenant}`;
      const [found] = await findRecords<EntryDetail>(db, rows, [params.uuid]);
      const [row] = found ? await views(db, call, [found]) : [];
      if (!found || !row) throw new Refusal("not-found");
      const changes = sees(call, found.entity) ? changesOf(found) : null;
      return { data: { row, code: found.code, by_uuid: found.actor_id, changes } };
    }),

  checkAuditChain: (call, { query: { after } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({
      data: await checkChain(db, call.tenant, after, dataFolder(projectFolder, call.deps.config.dataDir)),
    })),
};
