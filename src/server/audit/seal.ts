import { sql } from "kysely";
import type { ClientBase } from "pg";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { roundRobin, skipFailure } from "../jobs/record.ts";
import { appendAnchors, readAnchors } from "./anchors.ts";
import type { Anchor } from "./anchors.ts";

type Sweeping = Pick<Deps, "database" | "log" | "sweeps">;

const batch = 500;

/**
 * Chains the audit rows not sealed yet, one batch of each tenant in turn. Several processes may run it at once; a lock lets one at a time
 * seal a tenant.
 */
export async function sealAudit(deps: Sweeping): Promise<void> {
  const { rows } = await sql<{ id: string }>`select t.id from tenants t
    where exists (select from audit_unsealed u where u.tenant_id = t.id)`.execute(deps.database.worker);
  const tenants = rows.map(({ id }) => id);
  await roundRobin(deps, "audit sealing", tenants, async (id) => {
    const sealed = await inTenant(deps.database, id, async (db) => {
      const answer = await sql<{
        n: number;
      }>`select case when pg_try_advisory_xact_lock(7235403, hashtext(${id})) then audit_seal(${batch}) else 0 end as n`.execute(db);
      return answer.rows[0]?.n ?? 0;
    });
    return sealed === batch ? "more" : "done";
  });
}

/** Appends the chain heads that have moved since `known` (tenant → seq), and updates `known`. */
export async function anchorAudit(deps: Sweeping, folder: string, known: Map<string, string>): Promise<void> {
  const { database } = deps;
  const tenants = await database.worker.selectFrom("tenants").select("id").execute();
  const moved: Anchor[] = [];
  const heads = new Map<string, string>();
  for (const { id } of tenants) {
    const head = await skipFailure(deps, "audit anchors", { tenant: id }, () =>
      inTenant(database, id, (db) => db.selectFrom("audit_heads").select(["seq", "hash"]).where("tenant_id", "=", id).executeTakeFirst()),
    );
    if (!head || known.get(id) === head.seq) continue;
    heads.set(id, head.seq);
    moved.push({ at: new Date().toISOString(), tenant: id, seq: Number(head.seq), hash: head.hash.toString("hex") });
  }
  await appendAnchors(folder, moved);
  // what could not be written is written the next time
  for (const [id, seq] of heads) known.set(id, seq);
}

/** The head of each tenant's chain at this moment. `owner` sees all tenants. */
export async function chainHeads(owner: ClientBase): Promise<Anchor[]> {
  const { rows } = await owner.query<{ tenant: string; seq: string; hash: string }>(
    "select tenant_id as tenant, seq, encode(hash, 'hex') as hash from audit_heads where seq > 0",
  );
  return rows.map((row) => ({ ...row, at: new Date().toISOString(), seq: Number(row.seq) }));
}

interface Contradicted {
  readonly tenant: string;
  readonly seq: number;
  readonly at: string;
  readonly found: string | null;
}

/**
 * The anchors that contradict the chain: an edited row with a rewritten chain, a tail cut off with its head, or a restored old copy. What
 * lies between two anchors is checked by the invariant. `client` is connected as the owner.
 */
export async function verifyAudit(client: ClientBase, anchors: readonly Anchor[]): Promise<Contradicted[]> {
  if (anchors.length === 0) return [];
  const { rows } = await client.query<Omit<Contradicted, "seq"> & { seq: string }>(
    `select a.tenant, a.seq, a.at, encode(c.hash, 'hex') as found
     from jsonb_to_recordset($1) a (tenant uuid, seq bigint, at text, hash text)
     left join audit_chain c on c.tenant_id = a.tenant and c.seq = a.seq
     where a.seq > 0 and encode(c.hash, 'hex') is distinct from a.hash
     order by a.tenant, a.seq`,
    [JSON.stringify(anchors)],
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

export interface AnchorsVerdict {
  /** Anchors that contradict the chain, at most 100. */
  readonly contradicted: readonly Contradicted[];
  /** Sealed rows after the last anchor of their tenant: they could be cut off with their chain unnoticed. */
  readonly unverified: readonly { readonly tenant: string; readonly rows: number; readonly since: string }[];
  /** Number of lines of the files that are no anchors. */
  readonly unreadable: number;
}

/** A row is anchored within a minute of being sealed; rows of the last ten minutes may still wait. */
const anchoredWithin = "10 minutes";

/** Checks all anchors against the chain, a batch at a time. `client` is connected as the owner. */
export async function checkAnchors(client: ClientBase, folder: string): Promise<AnchorsVerdict> {
  const last = new Map<string, number>();
  const contradicted: Contradicted[] = [];
  let unreadable = 0;
  for await (const batch of readAnchors(folder)) {
    const anchors = batch.filter((anchor) => anchor !== null);
    unreadable += batch.length - anchors.length;
    for (const { tenant, seq } of anchors) last.set(tenant, Math.max(seq, last.get(tenant) ?? 0));
    if (contradicted.length < 100) contradicted.push(...(await verifyAudit(client, anchors)));
  }
  const { rows } = await client.query<{ tenant: string; rows: number; since: string }>(
    `select c.tenant_id as tenant, count(*)::integer as rows, min(e.at)::text as since
     from audit_chain c
     join audit_entries e on e.tenant_id = c.tenant_id and e.id = c.entry_id
     left join jsonb_to_recordset($1) a (tenant uuid, seq bigint) on a.tenant = c.tenant_id
     where c.seq > coalesce(a.seq, 0) and e.at < now() - interval '${anchoredWithin}'
     group by 1 order by 1 limit 100`,
    [JSON.stringify([...last].map(([tenant, seq]) => ({ tenant, seq })))],
  );
  return { contradicted: contradicted.slice(0, 100), unverified: rows, unreadable };
}
