import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { ClientBase } from "pg";
import { inTenant } from "../db/scope.ts";
import type { Database } from "../db/scope.ts";

/** A head of a tenant's audit chain as it once was, kept outside the database: only this shows a tail cut off with its head. */
export interface Anchor {
  readonly at: string;
  readonly tenant: string;
  readonly seq: number;
  /** Hex. */
  readonly hash: string;
}

const batch = 500;
const anchorsFile = (folder: string) => join(folder, "audit-anchors.jsonl");

/** Chains every audit row that waits, tenant by tenant. Several processes may do so at once: one at a time seals a tenant. */
export async function sealAudit(database: Database): Promise<number> {
  const { rows } = await sql<{ id: string }>`select t.id from tenants t
    where exists (select from audit_unsealed u where u.tenant_id = t.id)`.execute(database.worker);
  let sealed = 0;
  for (const { id } of rows) {
    for (let done = batch; done === batch; sealed += done) {
      done = await inTenant(database, id, async (db) => {
        const answer = await sql<{
          n: number;
        }>`select case when pg_try_advisory_xact_lock(7235403, hashtext(${id})) then audit_seal(${batch}) else 0 end as n`.execute(db);
        return answer.rows[0]?.n ?? 0;
      });
    }
  }
  return sealed;
}

/** Appends the heads that have moved since `known` (tenant → seq), which it brings up to date. */
export async function anchorAudit(database: Database, folder: string, known: Map<string, string>): Promise<void> {
  const tenants = await database.worker.selectFrom("tenants").select("id").execute();
  const lines: string[] = [];
  for (const { id } of tenants) {
    const head = await inTenant(database, id, (db) =>
      db.selectFrom("audit_heads").select(["seq", "hash"]).where("tenant_id", "=", id).executeTakeFirst(),
    );
    if (!head || known.get(id) === head.seq) continue;
    known.set(id, head.seq);
    const anchor: Anchor = { at: new Date().toISOString(), tenant: id, seq: Number(head.seq), hash: head.hash.toString("hex") };
    lines.push(`${JSON.stringify(anchor)}\n`);
  }
  // one write: lines of processes side by side do not mix
  if (lines.length > 0) await appendFile(anchorsFile(folder), lines.join(""), { mode: 0o600 });
}

/** The anchors kept in the data folder; none when there is no file. Throws on a line that is none. */
export async function readAnchors(folder: string): Promise<Anchor[]> {
  const text = await readFile(anchorsFile(folder), "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Anchor); // written above
}

/**
 * The anchors the chain no longer bears out: a row edited with its chain rewritten, a tail cut off with its head, an old
 * copy restored. What lies between the anchors is the invariant's part. `client` is connected as the owner.
 */
export async function verifyAudit(
  client: ClientBase,
  anchors: readonly Anchor[],
): Promise<{ tenant: string; seq: number; at: string; found: string | null }[]> {
  if (anchors.length === 0) return [];
  const { rows } = await client.query<{ tenant: string; seq: string; at: string; found: string | null }>(
    `select a.tenant, a.seq, a.at, encode(c.hash, 'hex') as found
     from jsonb_to_recordset($1) a (tenant uuid, seq bigint, at text, hash text)
     left join audit_chain c on c.tenant_id = a.tenant and c.seq = a.seq
     where a.seq > 0 and encode(c.hash, 'hex') is distinct from a.hash
     order by a.tenant, a.seq`,
    [JSON.stringify(anchors)],
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}
