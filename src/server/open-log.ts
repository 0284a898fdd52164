import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";

/** Field names whose values are redacted, at any depth up to three. */
const secret = ["password", "current_password", "token", "access_token", "refresh_token", "secret", "authorization", "cookie"];

/** What is logged of an error; not a database error's detail, which quotes the row, nor a statement's values. */
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
