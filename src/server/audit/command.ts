import type { ClientBase } from "pg";
import { checkInvariants } from "../db/invariants.ts";
import { readAnchors, verifyAudit } from "./seal.ts";

/** `npm run audit`: prints every invariant and what breaks it; answers whether all hold. */
export async function audit(owner: ClientBase, dataDir: string, print: (line: string) => void): Promise<boolean> {
  const results = [
    ...(await checkInvariants(owner)),
    { name: "audit chain agrees with its anchors", rows: await verifyAudit(owner, await readAnchors(dataDir)) },
  ];
  for (const { name, rows } of results) {
    print(`${rows.length === 0 ? "ok     " : "BROKEN "} ${name}`);
    for (const row of rows.slice(0, 5)) print(`         ${JSON.stringify(row)}`);
    if (rows.length > 5) print(`         and ${rows.length - 5} more`);
  }
  const broken = results.filter(({ rows }) => rows.length > 0).length;
  print(broken === 0 ? `all ${results.length} invariants hold` : `${broken} of ${results.length} invariants are broken`);
  return broken === 0;
}
