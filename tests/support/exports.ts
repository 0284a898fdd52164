import { randomUUID } from "node:crypto";
import type { ExportRequest, ExportState } from "../../src/contract/exports.ts";
import type { TestDatabase } from "./database.ts";
import type { Person, Tenant } from "./factories.ts";

/** What is asked of any list: its rows' ids. */
export const plainRequest: ExportRequest = {
  params: {},
  query: {},
  columns: [{ title: "Id", width: 100, cell: { field: "uuid", as: "text" } }],
  filters: [],
  zone: 480,
};

/** An export of withdrawals as it is when its job has come to a state; of a done one the file is these bytes. */
export async function makeExport(
  { owner }: TestDatabase,
  tenant: Tenant,
  person: Person,
  state: ExportState,
  { screen = "withdrawals", bytes = Buffer.from("not read"), name = "withdrawals.xlsx", age = "0" } = {},
): Promise<string> {
  const id = randomUUID();
  const hasEnded = state !== "waiting" && state !== "running";
  await owner.query(
    `insert into jobs (tenant_id, id, kind, queued_as, state, started_by, failure, ended_at)
      values ($1, $2, 'export', gen_random_uuid(), $3, $4, $5, $6::interval + now())`,
    [tenant.id, id, state, person.id, state === "failed" ? "lost" : null, hasEnded ? `-${age}` : null],
  );
  const [file, part] = [randomUUID(), randomUUID()];
  const whole = state === "done" ? [name, 1, bytes.length, new Date(), file] : [null, null, null, null, null];
  await owner.query(
    `insert into exports (tenant_id, id, user_id, screen, currency, request, name, rows, bytes, as_of, file, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + interval '7 days' - $12::interval)`,
    [tenant.id, id, person.id, screen, tenant.currency, JSON.stringify({ ...plainRequest, language: "en" }), ...whole, age],
  );
  if (state !== "done") return id;
  await owner.query("insert into stored_files (tenant_id, id, bytes) values ($1, $2, $3)", [tenant.id, part, bytes]);
  await owner.query("insert into export_parts (tenant_id, export_id, file, n, stored_as, bytes) values ($1, $2, $3, 0, $4, $5)", [
    tenant.id,
    id,
    file,
    part,
    bytes.length,
  ]);
  return id;
}
