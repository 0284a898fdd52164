import { createHash } from "node:crypto";
import type { Past } from "./history.ts";
import { iso } from "./instants.ts";
import type { Random } from "./random.ts";
import type { PastEvent } from "./past-events.ts";
import type { PastTransfer } from "./transfers.ts";

interface AuditLine {
  readonly tenant: string;
  readonly id: string;
  readonly at: number;
  readonly fact: () => AuditFact;
}

/** What an audit row says, made when it is written, because there are hundreds of thousands. */
interface AuditFact {
  readonly kind: "user" | "merchant" | "system";
  readonly actor: string | null;
  readonly name: string;
  readonly act: string;
  readonly entity: string;
  readonly of: string;
  readonly n: number | null;
  readonly from: string;
  readonly to: string;
  readonly reason: string | null;
}

const eventFact = (one: Past, event: PastEvent): AuditFact => ({
  kind: event.by !== null ? "user" : event.byMerchant ? "merchant" : "system",
  actor: event.by ?? (event.byMerchant ? one.merchant.id : null),
  name: event.actor,
  act: `${one.kind}.${event.act}`,
  entity: one.kind,
  of: one.id,
  n: event.n,
  from: event.from,
  to: event.to,
  reason: event.reason,
});

function transferFact({ id, acts }: PastTransfer, n: number): AuditFact {
  const { act, by, to, reason } = acts[n] ?? acts[0];
  return {
    kind: by === null ? "system" : "user",
    actor: by?.id ?? null,
    name: by?.name ?? "system",
    act: `transfer.${act}`,
    entity: "transfer",
    of: id,
    n: null,
    from: n === 0 ? "" : (acts[n - 1]?.to ?? ""),
    to,
    reason: reason ?? null,
  };
}

/** An audit row for each event and the chain over them, as audit_seal() would make them; the lines for COPY must be read in this order. */
export function makeAuditChain(
  rows: readonly { readonly one: Past; readonly events: readonly PastEvent[] }[],
  transfers: readonly PastTransfer[],
  random: Random,
) {
  const lines: AuditLine[] = [];
  for (const { one, events } of rows) {
    for (const event of events)
      lines.push({ tenant: one.book.tenant, id: random.uuid(event.at), at: event.at, fact: () => eventFact(one, event) });
  }
  for (const one of transfers) {
    for (const [n, { at }] of one.acts.entries())
      lines.push({ tenant: one.book.tenant, id: random.uuid(at), at, fact: () => transferFact(one, n) });
  }
  lines.sort((a, b) => (a.tenant < b.tenant ? -1 : a.tenant > b.tenant ? 1 : a.id < b.id ? -1 : 1));
  const hashes: string[] = [];
  const heads = new Map<string, { seq: number; hash: Buffer }>();
  function* entries(): Iterable<string> {
    for (const { tenant, id, at, fact } of lines) {
      const { kind, actor, name, act, entity, of, n, from, to, reason } = fact();
      const before = from === "" ? null : `{"status": "${from}"}`;
      const after = `{"status": "${to}"}`;
      // the same bytes as the database's audit_payload()
      const payload = `["${tenant}", "${id}", ${(at / 1000).toFixed(3)}000, "${kind}", ${json(actor)}, ${json(name)}, "${act}", "${entity}", "${of}", ${n}, ${before}, ${after}, ${json(reason)}, null, null]`;
      const head = heads.get(tenant) ?? { seq: 0, hash: Buffer.alloc(0) };
      const hash = createHash("sha256").update(head.hash).update(payload).digest();
      heads.set(tenant, { seq: head.seq + 1, hash });
      hashes.push(hash.toString("hex"));
      yield `${tenant}\t${id}\t${iso(at)}\t${kind}\t${actor ?? none}\t${name}\t${act}\t${entity}\t${of}\t${n ?? none}\t${before ?? none}\t${after}\t${reason ?? none}`;
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
