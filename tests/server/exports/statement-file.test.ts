import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Export, ExportRequest } from "../../../src/contract/exports.ts";
import { permissions } from "../../../src/contract/permissions.ts";
import { exportJob } from "../../../src/server/exports/export-job.ts";
import { exportHandlers } from "../../../src/server/exports/exports.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { plainRequest } from "../../support/exports.ts";
import { readFile } from "../../support/exported.ts";
import { makeAccount, makeGroup, makeMerchant, staffCall } from "../../support/factories.ts";
import type { Merchant } from "../../support/factories.ts";
import { startJobServer } from "../../support/job-server.ts";
import type { JobServer } from "../../support/job-server.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
const soon = { timeout: 60_000, interval: 25 };
let office: Office;
let shop: Merchant;
let server: JobServer;

beforeAll(async () => {
  office = await makeOffice(db, { settings: { recall_seconds: 0 } });
  await db.owner.query("update memberships set permissions = $2 where user_id = $1", [office.ann.id, permissions]);
  shop = await makeMerchant(db, office.tenant, { code: "SHOP", name: "Night Market", wallet: "1000", deposit_rate: "1.5" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant, { balance: "5000" })], [shop]);
  await office.credited(shop, { amount: "400.00" });
  const { uuid, version } = await office.claimed(shop, { amount: "100.00" });
  await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid, version }], reason: { code: "duplicate" } }));
  server = startJobServer(db, [exportJob]);
});
afterAll(() => server.stop());

const column = (title: string, field: string, as: ExportRequest["columns"][number]["cell"]["as"], words?: string[]) => ({
  title,
  width: 120,
  cell: { field, as, ...(words && { words }) },
});
const request: ExportRequest = {
  ...plainRequest,
  query: { sort: "created_at", "filter[merchant_code]": "SHOP" },
  columns: [
    column("Time", "created_at", "time"),
    column("Type", "kind", "choice", ["statement.kind."]),
    column("Out", "amount_out", "amount"),
    column("In", "amount_in", "amount"),
    column("Fee", "fee", "amount"),
    column("Balance", "balance", "amount"),
  ],
  filters: [["Merchant", "SHOP"]],
  statement: true,
};
const call = () => staffCall(server.deps, office.tenant, office.ann);
const start = async (asked: ExportRequest): Promise<Export> =>
  (await exportHandlers.startMerchantTransactionsExport(call(), body(asked))).data;

test("a statement's file has its opening balance, its lines, its closing balance, and the totals by type", async () => {
  const { uuid } = await start(request);
  await vi.waitFor(async () => {
    const { data } = await exportHandlers.listExports(call(), { params: undefined, query: undefined, body: undefined });
    expect(data.find((one) => one.uuid === uuid)).toMatchObject({ state: "done" });
  }, soon);
  const { data } = await exportHandlers.downloadExport(call(), { params: { uuid }, query: undefined, body: undefined });
  const pieces: Uint8Array[] = [];
  for await (const piece of data.bytes as AsyncIterable<Uint8Array>) pieces.push(piece); // the server answers pieces
  const { rows, about } = await readFile(Buffer.concat(pieces));
  const told = rows.map((row) => ["Type", "Out", "In", "Fee", "Balance"].map((title) => row[title] ?? "").join(" | "));
  expect(told).toEqual([
    "Opening balance |  |  |  | 0",
    "Opening balance |  | 1000 |  | 1000",
    "Deposit |  | 394 | 6 | 1394",
    "Withdrawal held | 100 |  | 0 | 1294",
    "Withdrawal returned |  | 100 | 0 | 1394",
    "Closing balance |  |  |  | 1394",
    "Total: Deposit | 0 | 394 | 6 | ",
    "Total: Opening balance | 0 | 1000 | 0 | ",
    "Total: Withdrawal held | 100 | 0 | 0 | ",
    "Total: Withdrawal returned | 0 | 100 | 0 | ",
  ]);
  expect(about).toMatchObject({ Rows: "4", "Filter: Merchant": "SHOP" });
});

test("is refused of nobody, in another order, with movements left out, and of a list that is no statement", async () => {
  const { sort: _, ...unsorted } = request.query;
  for (const [query, field] of [
    [{ sort: "created_at" }, "query.filter[merchant_code]"],
    [unsorted, "query.sort"],
    [{ ...request.query, "filter[kind]": "deposit" }, "query.filter[kind]"],
    [{ ...request.query, q: "tan" }, "query.q"],
  ] as const)
    await expect(start({ ...request, query: query as Record<string, string> })).rejects.toMatchObject({
      code: "request.invalid",
      detail: { [field]: expect.any(Array) },
    });
  const ofMerchants = exportHandlers.startMerchantsExport(call(), body({ ...plainRequest, statement: true as const }));
  await expect(ofMerchants).rejects.toMatchObject({ code: "request.invalid", detail: { statement: ["Unknown field"] } });
});
