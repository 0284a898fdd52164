import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";

/** Names under which something secret may come, wherever it stands in what is logged. */
const secret = ["password", "current_password", "token", "access_token", "refresh_token", "secret", "authorization", "cookie"];

/** Of an error what says where and why; never a database's detail, which quotes the row, nor a statement's values. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const { code, constraint, table, column, cause } = error as Error & Record<string, unknown>; // what pg and Node add, looked at by name
  return { type: name, message, stack, code, constraint, table, column, ...(cause !== undefined && { cause: errorFacts(cause) }) };
}

/** The server's log: JSON on stderr, without secrets. */
export function openLog(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  const redact = ["", "*.", "*.*."].flatMap((place) => secret.map((name) => `${place}${name}`));
  return pino({ level, redact, serializers: { err: errorFacts } }, destination);
}
