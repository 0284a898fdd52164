import pg from "pg";
import { prepared } from "./prepared.ts";

export type Role = "countinghouse_app" | "countinghouse_worker";

/** Ms a statement may take, wait for a lock, or leave its transaction idle. */
export interface Limits {
  readonly lock_timeout: number;
  readonly statement_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/** Limits of requests: a few seconds, after which the caller is asked to try again. */
export const requestLimits: Limits = { lock_timeout: 2_000, statement_timeout: 15_000, idle_in_transaction_session_timeout: 10_000 };

/** Limits of work nobody waits for, which writes what it reads to a file between two statements. */
export const backgroundLimits: Limits = { lock_timeout: 10_000, statement_timeout: 120_000, idle_in_transaction_session_timeout: 120_000 };

/** Members of the driver's query that its types leave out. */
interface DriverQuery {
  text: string | undefined;
  queryMode: string | undefined;
  callback: ((error: Error | null, result?: pg.QueryResult) => void) | undefined;
  submit(connection: pg.Connection): Error | null;
  prepare(connection: pg.Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}
const DriverQuery = pg.Query as unknown as new (config: unknown, values?: unknown, callback?: unknown) => DriverQuery;

/** The name of the statement every connection prepares first; it sets role and limits for the transaction it is sent in. */
const preambleOf = (role: Role) => `act as ${role}`; // contains the role, because another role's statement must never replace it

const opens = /^\s*(begin|start transaction)\b/i;
const closes = /^\s*(commit|rollback)\b/i;

/**
 * A query that never runs as the login role: a statement that begins a transaction sets role and limits in the same message, and a
 * statement outside of one is sent together with them as one transaction. So they hold even if a pooler drops start-up options, and cost no
 * round trip.
 */
class RoleQuery extends DriverQuery {
  readonly #status: () => string | null;
  readonly #local: string;
  readonly #preamble: string;
  #isAlone = false;
  #isPreamble = false;

  constructor(status: () => string | null, local: string, preamble: string, args: readonly unknown[]) {
    super(...(args as [unknown]));
    this.#status = status;
    this.#local = local;
    this.#preamble = preamble;
  }

  override submit(connection: pg.Connection): Error | null {
    const isInside = this.#status() === "T" || this.#status() === "E";
    const text = this.text ?? "";
    if (!isInside && opens.test(text)) this.text = `${text}; ${this.#local}`;
    else if (!isInside && !closes.test(text)) {
      this.#isAlone = true;
      this.queryMode = "extended";
    }
    return super.submit(connection);
  }

  override prepare(connection: pg.Connection): void {
    if (this.#isAlone) {
      this.#isPreamble = true;
      connection.bind({ statement: this.#preamble }, true);
      connection.execute({}, true);
    }
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (!this.#isPreamble) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isPreamble) this.#isPreamble = false;
    else super.handleCommandComplete(message, connection);
  }
}

interface Proof {
  role: string;
  row_security: string;
  is_super: boolean;
  bypasses: boolean;
  owns: boolean;
  statement_timeout: string;
}

/** The driver's client with one signature for all the overloads of its `query`, because a method that stands for them has no other. */
const DriverClient = pg.Client as unknown as new (config?: string | pg.ClientConfig) => Omit<pg.Client, "query"> & {
  query(...args: readonly unknown[]): unknown;
};

interface ProvenClient extends pg.Client {
  /** Throws unless statements run as the role, under row-level security, with the limits. */
  prove(): Promise<void>;
}

/** A client that runs every statement as `role` within `limits`; `prove` runs before its first use. */
export function clientOf(role: Role, limits: Limits) {
  const preamble = preambleOf(role);
  const all = { role, ...limits };
  const local = Object.entries(all)
    .map(([name, value]) => `set local ${name} = ${value}`)
    .join("; ");
  const text = `select ${Object.entries(all)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(", ")}`;

  class RoleClient extends DriverClient {
    async prove(): Promise<void> {
      // directly by the driver, because nothing can be sent before it
      await super.query({ name: preamble, text });
      const answer = await this.query(
        `select current_user::text as role, current_setting('row_security') as row_security, r.rolsuper as is_super,
           r.rolbypassrls as bypasses, pg_has_role(r.oid, c.relowner, 'member') as owns,
           (select setting from pg_settings where name = 'statement_timeout') as statement_timeout
         from pg_roles r, pg_class c where r.rolname = current_user and c.oid = 'tenants'::regclass`,
      );
      const [found] = (answer as pg.QueryResult<Proof>).rows; // as selected
      const faults = [
        found?.role !== role && `it runs as ${found?.role}, not as ${role}`,
        found?.row_security !== "on" && "row-level security is off",
        found?.is_super && `${found.role} is a superuser`,
        found?.bypasses && `${found.role} has BYPASSRLS`,
        found?.owns && `${found.role} owns the tables, or is a member of the role that does`,
        found?.statement_timeout !== String(limits.statement_timeout) && `statement_timeout is ${found?.statement_timeout}`,
      ].filter(Boolean);
      if (faults.length > 0) throw new Error(`the database's connection does not keep tenants apart: ${faults.join("; ")}`);
    }

    override query(...args: readonly unknown[]): unknown {
      const [first] = args;
      if (first instanceof DriverQuery) return super.query(first);
      const query = new RoleQuery(() => this.getTransactionStatus(), local, preamble, prepared(args));
      if (query.callback) return super.query(query);
      return new Promise((resolve, reject) => {
        query.callback = (error, result) => (error ? reject(error) : resolve(result));
        super.query(query);
      }).catch((error: unknown) => {
        // the caller's stack trace, not the socket's
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      });
    }
  }
  return RoleClient as unknown as new (config?: string | pg.ClientConfig) => ProvenClient; // takes what each of the driver's overloads takes
}
