import { parentPort } from "node:worker_threads";
import { cellText } from "./cells.ts";
import type { StatementFile } from "./read-statement.ts";
import { readStatement } from "./read-statement.ts";
import type { Said, TableFile } from "./read-aside.ts";
import { tableOf } from "./table.ts";
import { UnreadableFile } from "./unreadable.ts";

/** Rows of one parcel, as it is handed to the database. */
const parcel = 2_000;

async function read(file: StatementFile | TableFile): Promise<Said> {
  try {
    if ("texts" in file) {
      const { rows } = await tableOf(file.bytes, { encoding: null, delimiter: null, sheet: null });
      return { texts: rows.map(({ n, cells }) => ({ n, cells: cells.map((cell) => cellText(cell)) })) };
    }
    const { entries, ...statement } = await readStatement(file);
    const count = (state: string) => entries.filter((entry) => entry.state === state).length;
    const parcels: string[] = [];
    for (let at = 0; at < entries.length; at += parcel) parcels.push(JSON.stringify(entries.slice(at, at + parcel)));
    const counts = { read: count("read"), unreadable: count("unreadable"), passed: count("passed") };
    return { read: { ...statement, counts, parcels } };
  } catch (error) {
    if (error instanceof UnreadableFile) return { refused: error.message };
    throw error;
  }
}

// a file that fails otherwise ends the thread with its error
parentPort?.on("message", (file: StatementFile | TableFile) => void read(file).then((said) => parentPort?.postMessage(said)));
