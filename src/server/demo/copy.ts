import { once } from "node:events";
import type { ClientBase, Connection, Submittable } from "pg";

/** Methods of pg's connection that its types leave out. */
interface CopyConnection extends Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

const chunkSize = 128 * 1024;
/** Bytes that may wait for the socket, so that PostgreSQL has work while the next lines are made. */
const waitingLimit = 1024 * 1024;

/**
 * Loads rows with PostgreSQL's COPY, many times faster than inserts. Each line is a row in COPY's text format: columns separated by tabs,
 * `\N` for null.
 */
function copyRows(client: ClientBase, table: string, columns: string, lines: Iterable<string>, options = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | null = null;
    const copy = {
      submit: (connection: Connection) => (connection as CopyConnection).query(`copy ${table} (${columns}) from stdin ${options}`), // see CopyConnection
      handleCopyInResponse(connection: CopyConnection) {
        send(connection, lines).then(
          () => connection.endCopyFrom(),
          (error: unknown) => connection.sendCopyFail(error instanceof Error ? error.message : "failed"),
        );
      },
      handleCommandComplete: () => undefined,
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => {
        if (!failure) resolve();
      },
    };
    client.query(copy as Submittable); // pg calls the other methods by name
  });
}

/** Loads frozen rows into tables emptied in this transaction, so that they need no later vacuum. */
export function copyFrozen(client: ClientBase, table: string, columns: string, lines: Iterable<string>): Promise<void> {
  return copyRows(client, table, columns, lines, "with (freeze)");
}

/** Loads rows through a temporary table, because COPY is closed to an owner bound by row-level security. */
export async function copyRowsByInsert(client: ClientBase, table: string, columns: string, lines: Iterable<string>): Promise<void> {
  await client.query(`create temp table incoming on commit drop as select ${columns} from ${table} with no data`);
  await copyRows(client, "incoming", columns, lines);
  await client.query(`insert into ${table} (${columns}) select ${columns} from incoming; drop table incoming`);
}

async function send(connection: CopyConnection, lines: Iterable<string>): Promise<void> {
  let waiting = "";
  const pass = async () => {
    connection.sendCopyFromChunk(Buffer.from(waiting));
    waiting = "";
    if (connection.stream.writableLength > waitingLimit) await once(connection.stream, "drain");
  };
  for (const line of lines) {
    waiting += `${line}\n`;
    if (waiting.length >= chunkSize) await pass();
  }
  if (waiting !== "") await pass();
}

/** One line of columns; null is `\N`. */
export function copyLine(values: readonly (string | number | null | undefined)[]): string {
  return values
    .map((value) => (value === null || value === undefined ? "\\N" : typeof value === "number" ? value : escaped(value)))
    .join("\t");
}

function escaped(text: string): string {
  return /[\\\t\n\r]/.test(text)
    ? text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")
    : text;
}
