import { setTimeout as delay } from "node:timers/promises";
import ExcelJS from "exceljs";
import type { BankImport } from "../../../src/contract/bank-imports.ts";
import { routes } from "../../../src/contract/index.ts";
import { statementText } from "../../support/bank-imports.ts";
import { makeAccount, makePerson } from "../../support/factories.ts";
import type { Asked } from "../../support/http.ts";
import { ask, sessionOf } from "../../support/http.ts";
import { outsideOf } from "../../support/outside.ts";
import { makeOffice } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";

export interface ImportFigures {
  readonly what: string;
  /** ms from the upload to its preview, and from the start to its end. */
  readonly preview: number;
  readonly whole: number;
  /** Bytes of the server's memory before, and the most of it meanwhile. */
  readonly before: number;
  readonly most: number;
  readonly added: number;
  readonly known: number;
}

const lines = 50_000;

/** Fifty thousand lines as CSV, the same file again, and as a workbook of which half is added when the server is killed. */
export async function benchImports(): Promise<ImportFigures[]> {
  const server = await serverProcess();
  await server.start();
  let outside = await outsideOf(server);
  try {
    const { db } = outside;
    const office = await makeOffice(db);
    const person = await makePerson(db, office.tenant, "Importer");
    await db.owner.query("update memberships set permissions = $2 where user_id = $1", [person.id, [routes.uploadBankFile.permission]]);
    const scope = { tenant: office.tenant.id, currency: office.tenant.currency };
    const call = async (name: "uploadBankFile" | "startBankImport" | "readBankImport", asked: Asked): Promise<BankImport> => {
      const { access_token: token } = await sessionOf(outside.served.deps, person.id);
      const answer = await ask(outside.served, name, { token, ...scope, ...asked });
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`);
      return answer.data as BankImport; // by its route
    };
    const memory = async (): Promise<number> => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
    };

    const measure = async (what: string, account: string, name: string, bytes: Uint8Array, killAt?: number): Promise<ImportFigures> => {
      const before = await memory();
      let most = before;
      const watch = setInterval(
        () =>
          void memory()
            .then((now) => (most = Math.max(most, now)))
            .catch(() => undefined),
        100,
      );
      const began = performance.now();
      const staged = await call("uploadBankFile", { query: { account }, file: { name, bytes } });
      const preview = performance.now() - began;
      const started = performance.now();
      await call("startBankImport", { params: { uuid: staged.uuid }, body: { version: staged.version } });
      let isKilled = killAt === undefined;
      for (;;) {
        const now = await call("readBankImport", { params: { uuid: staged.uuid } });
        if (now.state !== "running") {
          clearInterval(watch);
          return { what, preview, whole: performance.now() - started, before, most, added: now.counts.new, known: now.counts.known };
        }
        if (!isKilled && now.done >= (killAt ?? 0)) {
          isKilled = true;
          await server.kill();
          await outside.close();
          await server.start();
          outside = await outsideOf(server);
        }
        await delay(50);
      }
    };

    const [one, other] = [(await makeAccount(db, office.tenant)).id, (await makeAccount(db, office.tenant)).id];
    const csv = Buffer.from(statementText(lines));
    const book = await workbook();
    return [
      await measure("CSV", one, "statement.csv", csv),
      await measure("the same CSV again", one, "statement.csv", csv),
      await measure("XLSX, the server killed half-way", other, "statement.xlsx", book, lines / 2),
      await measure("the same XLSX again", other, "statement.xlsx", book),
    ];
  } finally {
    await outside.close();
    await server.end();
  }
}

async function workbook(): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet("Statement");
  for (const line of statementText(lines).split("\n")) sheet.addRow(line.replaceAll('"', "").split(","));
  return Buffer.from(await book.xlsx.writeBuffer());
}
