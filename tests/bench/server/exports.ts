import ExcelJS from "exceljs";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { routes } from "../../../src/contract/index.ts";
import type { Export, ExportRequest } from "../../../src/contract/exports.ts";
import { aLine, bookLines, bookMany } from "../../support/bank-lines.ts";
import { plainRequest } from "../../support/exports.ts";
import { makeAccount } from "../../support/factories.ts";
import type { Asked } from "../../support/http.ts";
import { ask, sessionOf } from "../../support/http.ts";
import { outsideOf } from "../../support/outside.ts";
import { makeOffice } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import { caller, percentile } from "./caller.ts";

export interface ExportFigures {
  readonly rows: number;
  /** Of other lines, each in a transaction of its own, while it was written. */
  readonly writesPerSecond: number;
  /** ms from the request to the first rows written, to the whole file, and from asking for the file to its first byte. */
  readonly firstRows: number;
  readonly whole: number;
  readonly firstByte: number;
  readonly fileBytes: number;
  /** Bytes of the server's memory before, and the most of it meanwhile. */
  readonly before: number;
  readonly most: number;
  /** p95 of a page of the same list before and meanwhile. */
  readonly calm: number;
  readonly beside: number;
  /** Whether count and sum are those SQL has of the lines there were when it began. */
  readonly isRight: boolean;
}

const writesPerSecond = 200;
const cell = (field: string, as: ExportRequest["columns"][number]["cell"]["as"]) => ({ title: field, width: 100, cell: { field, as } });
const columns = [
  cell("reference", "text"),
  cell("uuid", "text"),
  cell("payment_account.code", "text"),
  cell("time", "time"),
  cell("direction", "text"),
  cell("amount", "amount"),
  cell("description", "text"),
  cell("status", "text"),
  cell("source", "text"),
  cell("created_at", "time"),
];

/** Bank lines of one account exported while others are written, for each count of them. */
export async function benchExports(counts: readonly number[]): Promise<ExportFigures[]> {
  const server = await serverProcess();
  await server.start();
  const outside = await outsideOf(server);
  try {
    const { db, served } = outside;
    const office = await makeOffice(db);
    const list = routes.listBankLines;
    const rights = [list.permission, routes.startBankTransactionsExport.permission];
    await db.owner.query("update memberships set permissions = $2 where user_id = $1", [office.ann.id, rights]);
    const { access_token: token } = await sessionOf(served.deps, office.ann.id);
    const call = async <T>(name: "startBankTransactionsExport" | "listExports", asked: Asked = {}): Promise<T> => {
      const answer = await ask(served, name, { token, tenant: office.tenant.id, currency: office.tenant.currency, ...asked });
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`);
      return answer.data as T; // by its route
    };
    const memory = async (): Promise<number> => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
    };
    const pages = caller(server.url, token, office.tenant.id, office.tenant.currency, 1);
    const page = async (account: string) => (await pages.call("GET", `${list.path}?filter%5Bpayment_account%5D=${account}&limit=100`)).ms;

    const figures: ExportFigures[] = [];
    for (const rows of counts) {
      process.stderr.write(`  ${rows} bank lines\n`);
      const [account, other] = [(await makeAccount(db, office.tenant)).id, (await makeAccount(db, office.tenant)).id];
      await bookMany(office, account, rows, `bench-${rows}`);
      await db.owner.query("vacuum analyze bank_lines");
      const calm: number[] = [];
      for (let round = 0; round < 60; round++) calm.push(await page(account));
      const before = await memory();
      let most = before;
      let over = false;
      const began = performance.now();
      let written = 0;
      // of the exported account, too: one in ten, which the file must not have
      const write = async () => {
        for (; !over; written++) {
          const due = began + (written * 1_000) / writesPerSecond - performance.now();
          if (due > 0) await delay(due);
          await bookLines(office, written % 10 === 0 ? account : other, [aLine({ reference: `W-${rows}-${written}`, amount: "0.01" })]);
        }
      };
      const writers = Promise.all([write(), write(), write(), write()]);
      await delay(500);
      const asked = performance.now();
      const { uuid } = await call<Export>("startBankTransactionsExport", {
        body: { ...plainRequest, columns, query: { "filter[payment_account]": account } },
      });
      const beside: number[] = [];
      let firstRows = 0;
      let now: Export | undefined;
      do {
        beside.push(await page(account));
        most = Math.max(most, await memory());
        now = (await call<Export[]>("listExports")).find((one) => one.uuid === uuid);
        if (firstRows === 0 && (now?.done ?? 0) > 0) firstRows = performance.now() - asked;
        await delay(50);
      } while (now?.state === "waiting" || now?.state === "running");
      const whole = performance.now() - asked;
      const wrote = written / ((performance.now() - began) / 1_000);
      over = true;
      await writers;
      if (now?.state !== "done") throw new Error(`the export is ${now?.state}: ${now?.failure}`);
      const downloading = performance.now();
      const answer = await fetch(`${server.url}${routes.downloadExport.path.replace("{uuid}", uuid)}`, {
        headers: { authorization: `Bearer ${token}`, "x-tenant-id": office.tenant.id },
      });
      const firstByte = performance.now() - downloading;
      const read = await readBack(answer);
      const { rows: told } = await db.owner.query<{ count: string; cents: string }>(
        `select count(*), sum(amount * 100)::bigint::text as cents from bank_lines
          where payment_account_id = $1 and created_at <= (select as_of from exports where id = $2)`,
        [account, uuid],
      );
      most = Math.max(most, await memory());
      figures.push({
        rows,
        writesPerSecond: wrote,
        firstRows,
        whole,
        firstByte,
        fileBytes: now.bytes ?? 0,
        before,
        most,
        calm: percentile(calm, 0.95),
        beside: percentile(beside, 0.95),
        // a write that committed after the moment although it began before it is not in the file: at most as many as write at a time
        isRight: Math.abs(Number(told[0]?.count) - read.count) <= 4 && Math.abs(Number(told[0]?.cents) - read.cents) <= 4,
      });
    }
    pages.close();
    return figures;
  } finally {
    await outside.close();
    await server.end();
  }
}

/** Count and sum of the file's rows, by a reader of another make that holds no more than a row. */
async function readBack(answer: Response): Promise<{ count: number; cents: number }> {
  if (answer.body === null) throw new Error("a file has bytes");
  const reader = new ExcelJS.stream.xlsx.WorkbookReader(Readable.from(answer.body), {});
  let [count, cents] = [0, 0];
  for await (const sheet of reader) {
    for await (const row of sheet) {
      const amount = row.getCell(6).value;
      if (typeof amount !== "number") continue;
      count += 1;
      cents += Math.round(amount * 100);
    }
  }
  return { count, cents };
}
