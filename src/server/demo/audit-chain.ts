import { createHash } from "node:crypto";
import type { Past } from "./history.ts";
import { iso } from "./instants.ts";
import type { Random } from "./random.ts";
import type { Told } from "./story.ts";

interface Line {
  readonly tenant: string;
  readonly id: string;
  readonly at: number;
  readonly one: Past;
  readonly told: Told;
}

/** An audit row for each event and the chain over them, as audit_seal() would have made it: lines for COPY, to be read in this order. */
export function makeAuditChain(rows: readonly { readonly one: Past; readonly story: readonly Told[] }[], random: Random) {
  const lines: Line[] = [];
  for (const { one, story } of rows) {
    for (const told of story) lines.push({ tenant: one.book.tenant, id: random.uuid(told.at), at: told.at, one, told });
  }
  lines.sort((a, b) => (a.tenant < b.tenant ? -1 : a.tenant > b.tenant ? 1 : a.id < b.id ? -1 : 1));
  const hashes: string[] = [];
  const heads = new Map<string, { seq: number; hash: Buffer }>();
  function* entries(): Iterable<string> {
    for (const { tenant, id, at, one, told } of lines) {
      const kind = told.by !== null ? "user" : told.byMerchant ? "merchant" : "system";
      const actor = told.by ?? (told.byMerchant ? one.merchant.id : null);
      const act = `${one.kind}.${told.act}`;
      const before = told.from === "" ? null : `{"status": "${told.from}"}`;
      const after = `{"status": "${told.to}"}`;
      // the bytes of the database's audit_payload()
      const payload = `["${tenant}", "${id}", ${(at / 1000).toFixed(3)}000, "${kind}", ${json(actor)}, ${json(told.actor)}, "${act}", "${one.kind}", "${one.id}", ${told.n}, ${before}, ${after}, ${json(told.reason)}, null, null]`;
      const head = heads.get(tenant) ?? { seq: 0, hash: Buffer.alloc(0) };
      const hash = createHash("sha256").update(head.hash).update(payload).digest();
      heads.set(tenant, { seq: head.seq + 1, hash });
      hashes.push(hash.toString("hex"));
      yield `${tenant}\t${id}\t${iso(at)}\t${kind}\t${actor ?? none}\t${told.actor}\t${act}\t${one.kind}\t${one.id}\t${told.n}\t${before ?? none}\t${after}\t${told.reason ?? none}`;
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
