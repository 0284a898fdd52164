import type { ClientBase } from "pg";
import { checkInvariants } from "../db/invariants.ts";
import { unreadableSecrets } from "../secrets/sealed-columns.ts";
import type { SecretBox } from "../secrets/secrets.ts";
import { otherDecimals } from "./currency-decimals.ts";
import { checkAnchors } from "./seal.ts";

/** "unverified": nothing is broken, but not everything could be checked. */
export type Verdict = "whole" | "broken" | "unverified";

/** `npm run audit`: prints each invariant with the rows that break it, and what could not be verified. */
export async function audit(owner: ClientBase, secrets: SecretBox, dataDir: string, print: (line: string) => void): Promise<Verdict> {
  const anchors = await checkAnchors(owner, dataDir);
  const results = [
    ...(await checkInvariants(owner)),
    { name: "audit chain agrees with its anchors", rows: anchors.contradicted },
    { name: "every secret opens with the master key", rows: await unreadableSecrets(owner, secrets) },
  ];
  const show = (rows: readonly object[]) => {
    for (const row of rows.slice(0, 5)) print(`         ${JSON.stringify(row)}`);
    if (rows.length > 5) print(`         and ${rows.length - 5} more`);
  };
  for (const { name, rows } of results) {
    print(`${rows.length === 0 ? "ok     " : "BROKEN "} ${name}`);
    show(rows);
  }
  const odd = await otherDecimals(owner);
  if (odd.length > 0) print("NOTE    currencies with other decimals than ISO 4217 has for them");
  show(odd);
  const unverified = anchors.unverified.length > 0 || anchors.unreadable > 0;
  if (unverified) {
    print(`UNSEEN  whether audit rows were cut off: ${dataDir} has no anchors for these`);
    show(anchors.unverified);
    if (anchors.unreadable > 0) print(`         ${anchors.unreadable} lines of the anchors' files are none`);
  }
  const broken = results.filter(({ rows }) => rows.length > 0).length;
  if (broken > 0) print(`${broken} of ${results.length} invariants are broken`);
  else print(unverified ? `no invariant is broken, but not all could be verified` : `all ${results.length} invariants hold`);
  return broken > 0 ? "broken" : unverified ? "unverified" : "whole";
}
