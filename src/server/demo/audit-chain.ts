import { createHash } from "node:crypto";
import type { Past } from "./history.ts";
import { iso } from "./instants.ts";
import type { Random } from "./random.ts";
import type { PastEvent } from "./past-events.ts";

interface AuditLine {
  readonly tenant: string;
  readonly id: string;
  readonly at: number;
  readonly one: Past;
  readonly event: PastEvent;
}

/** An audit row for each event and the chain over them, as audit_seal() would make them; the lines for COPY must be read in this order. */
export function makeAuditChain(rows: readonly { readonly one: Past; readonly events: readonly PastEvent[] }[], random: Random) {
  const lines: AuditLine[] = [];
  for (const { one, events } of rows) {
    for (const event of events) lines.push({ tenant: one.book.tenant, id: random.uuid(event.at), at: event.at, one, event });
  }
  lines.sort((a, b) => (a.tenant < b.tenant ? -1 : a.tenant > b.tenant ? 1 : a.id < b.id ? -1 : 1));
  const hashes: string[] = [];
  const heads = new Map<string, { seq: number; hash: Buffer }>();
  function* entries(): Iterable<string> {
    for (const { tenant, id, at, one, event } of lines) {
      const kind = event.by !== null ? "user" : event.byMerchant ? "merchant" : "system";
      const actor = event.by ?? (event.byMerchant ? one.merchant.id : null);
      const act = `${one.kind}.${event.act}`;
      const before = event.from === "" ? null : `{"status": "${event.from}"}`;
      const after = `{"status": "${event.to}"}`;
      // the same bytes as the database's audit_payload()
      const payload = `["${tenant}", "${id}", ${(at / 1000).toFixed(3)}000, "${kind}", ${json(actor)}, ${json(event.actor)}, "${act}", "${one.kind}", "${one.id}", ${event.n}, ${before}, ${after}, ${json(event.reason)}, null, null]`;
      const head = heads.get(tenant) ?? { seq: 0, hash: Buffer.alloc(0) };
      const hash = createHash("sha256").update(head.hash).update(payload).digest();
      heads.set(tenant, { seq: head.seq + 1, hash });
      hashes.push(hash.toString("hex"));
      yield `${tenant}\t${id}\t${iso(at)}\t${kind}\t${actor ?? none}\t${event.actor}\t${act}\t${one.kind}\t${one.id}\t${event.n}\t${before ?? none}\t${after}\t${event.reason ?? none}`;
    }
  }
  function* chain(): Iterable<string> {
    let [tenant, seq, previous] = ["", 0, ""];
    for (const [n, line] of lines.entries()) {
      if (line.tenant !== tenant) [tenant, seq, previous] = [line.tenant, 0, ""];
      seq += 1;
      const hash = hashes[n] ?? "";
      yield `${tenant}\t${seq}\t${line.id}\t\\\\x${previous}\t\\\\x${hash}`;
      previous = hash;
    }
  }
  function* headLines(): Iterable<string> {
    for (const [tenant, { seq, hash }] of heads) yield `${tenant}\t${seq}\t\\\\x${hash.toString("hex")}`;
  }
  return {
    entryColumns: "tenant_id, id, at, actor_kind, actor_id, actor_name, act, entity, entity_id, event_n, before, after, reason",
    entries: entries(),
    chain: chain(),
    heads: headLines(),
  };
}

const none = "\\N";
const json = (value: string | null) => JSON.stringify(value);
