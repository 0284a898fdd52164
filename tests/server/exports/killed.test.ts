import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Export } from "../../../src/contract/exports.ts";
import { permissions } from "../../../src/contract/permissions.ts";
import { bookMany } from "../../support/bank-lines.ts";
import { long } from "../../support/deep.ts";
import { readFile } from "../../support/exported.ts";
import { plainRequest } from "../../support/exports.ts";
import { makeAccount } from "../../support/factories.ts";
import type { Asked } from "../../support/http.ts";
import { ask, sessionOf } from "../../support/http.ts";
import { outsideOf } from "../../support/outside.ts";
import type { Outside } from "../../support/outside.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import type { ServerProcess } from "../../support/processes.ts";

const rows = 20_000;
const kills = long({ share: 1, whole: 10 });
const soon = { timeout: 60_000, interval: 20 };

let server: ServerProcess;
let outside: Outside;
let office: Office;

beforeAll(async () => {
  server = await serverProcess();
  await server.start();
  outside = await outsideOf(server);
  office = await makeOffice(outside.db);
  await outside.db.owner.query("update memberships set permissions = $2 where user_id = $1", [office.ann.id, permissions]);
  const account = await makeAccount(outside.db, office.tenant);
  await bookMany(office, account.id, rows, "kill");
});
afterAll(async () => {
  await outside.close();
  await server.end();
});

type Name = "startBankTransactionsExport" | "listExports" | "downloadExport";
const call = async (name: Name, asked: Asked = {}) => {
  const { access_token: token } = await sessionOf(outside.served.deps, office.ann.id);
  return ask(outside.served, name, { token, tenant: office.tenant.id, currency: office.tenant.currency, ...asked });
};
const known = async (uuid: string): Promise<Export> => {
  const { data } = await call("listExports");
  const found = (data as readonly Export[]).find((one) => one.uuid === uuid); // by its route
  if (!found) throw new Error("the export is not listed");
  return found;
};

test("killed half-way, an export is never done with a broken file: it is written anew, whole, by the next process", async () => {
  for (let kill = 0; kill < kills; kill++) {
    const { data } = await call("startBankTransactionsExport", {
      body: {
        ...plainRequest,
        columns: ["reference", "uuid", "payment_account.code", "amount"].map((field) => ({
          title: field,
          width: 100,
          cell: { field, as: field === "amount" ? "amount" : "text" },
        })),
      },
    });
    const { uuid } = data as Export; // by its route
    await vi.waitFor(async () => expect((await known(uuid)).done).toBeGreaterThan(500), soon);
    await server.kill();
    await server.start();
    const half = await known(uuid);
    expect([half.state, half.name, half.bytes]).toEqual(["running", null, null]);
    expect((await call("downloadExport", { params: { uuid } })).status).toBe(409);
    // as if the time had passed in which a process that is gone could have given a sign of life
    await outside.db.owner.query("update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'");
    await vi.waitFor(async () => expect((await known(uuid)).state).toBe("done"), soon);
    expect(await known(uuid)).toMatchObject({ done: rows, total: rows, failure: null });
    const { access_token: token } = await sessionOf(outside.served.deps, office.ann.id);
    const answer = await fetch(`${server.url}/service/centralize-authenticate/api/tenant/v1/exports/${uuid}/file`, {
      headers: { authorization: `Bearer ${token}`, "x-tenant-id": office.tenant.id },
    });
    const file = await readFile(new Uint8Array(await answer.arrayBuffer()));
    expect(new Set(file.rows.map((row) => row["reference"])).size).toBe(rows);
  }
});
