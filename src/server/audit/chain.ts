import { sql } from "kysely";
import type { ChainPart } from "../../contract/audit-log.ts";
import type { Scoped } from "../db/scope.ts";
import { readAnchors } from "./anchors.ts";

/** Entries gone through at once: a part of a second. */
const atOnce = 10_000;

/**
 * Goes through the next part of a tenant's chain after this number: each entry must hash to what it was sealed with, on what stood before
 * it, without a gap, and the last to what the head says.
 */
export async function checkChain(db: Scoped, tenant: string, after: number, folder: string): Promise<ChainPart> {
  // first, because the chain grows meanwhile
  const heads = await sql<{ seq: string; agrees: boolean }>`select h.seq, coalesce(c.hash = h.hash, h.seq = 0) as agrees from audit_heads h
    left join audit_chain c on c.tenant_id = h.tenant_id and c.seq = h.seq where h.tenant_id = ${tenant}`.execute(db);
  const { rows } = await sql<{ seq: string; entry_id: string | null; whole: boolean }>`
    select seq, e.id as entry_id, coalesce(c.seq = c.seq_before + 1 and c.previous = c.hash_before
        and c.hash = sha256(c.previous || audit_payload(e)), false) as whole
      from (select *, lag(seq, 1, case when ${after}::bigint = 0 then 0::bigint end) over w as seq_before,
          lag(hash, 1, case when ${after}::bigint = 0 then '\\x'::bytea end) over w as hash_before
        from (select * from audit_chain where tenant_id = ${tenant} and seq >= ${after} order by seq limit ${atOnce + 1}) part
        window w as (order by seq)) c
      left join audit_entries e on e.tenant_id = ${tenant} and e.id = c.entry_id
      where c.seq > ${after} order by c.seq`.execute(db);
  const waiting = await sql<{ n: number; since: Date | null }>`select count(*)::integer as n, min(e.at) as since from audit_unsealed u
    join audit_entries e on e.tenant_id = u.tenant_id and e.id = u.entry_id where u.tenant_id = ${tenant}`.execute(db);
  const sealed = Number(heads.rows[0]?.seq ?? 0);
  const checked = Number(rows.at(-1)?.seq ?? after);
  const first = rows.find(({ whole }) => !whole);
  const isCut = rows.length < atOnce && (checked < sealed || heads.rows[0]?.agrees === false);
  return {
    checked,
    head: Math.max(sealed, checked),
    broken: first ? { seal: Number(first.seq), uuid: first.entry_id } : isCut ? { seal: Math.max(sealed, 1), uuid: null } : null,
    anchored: checked >= sealed ? await anchorsOf(db, tenant, folder) : null,
    waiting: waiting.rows[0]?.n ?? 0,
    waiting_since: waiting.rows[0]?.since?.toISOString() ?? null,
  };
}

/** How far the anchors of this machine vouch for the chain, and the first that it contradicts; null: there are none of the tenant. */
async function anchorsOf(db: Scoped, tenant: string, folder: string): Promise<ChainPart["anchored"]> {
  let last: { seal: number; at: string } | null = null;
  let contradicted: number | null = null;
  for await (const some of readAnchors(folder)) {
    const own = some.filter((anchor) => anchor?.tenant === tenant && anchor.seq > 0);
    if (own.length === 0) continue;
    for (const anchor of own) if (anchor !== null && anchor.seq >= (last?.seal ?? 0)) last = { seal: anchor.seq, at: anchor.at };
    const { rows } = await sql<{ seq: string | null }>`select min(a.seq) as seq
      from jsonb_to_recordset(${JSON.stringify(own)}::jsonb) a (seq bigint, hash text)
      left join audit_chain c on c.tenant_id = ${tenant} and c.seq = a.seq
      where encode(c.hash, 'hex') is distinct from a.hash`.execute(db);
    const first = rows[0]?.seq ?? null;
    if (first !== null) contradicted = Math.min(contradicted ?? Infinity, Number(first));
  }
  return last === null ? null : { ...last, contradicted };
}
