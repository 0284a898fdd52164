import pg from "pg";
import type { Closing } from "./commit-query.ts";
import { Commit } from "./commit-query.ts";
import { DriverQuery } from "./driver-query.ts";
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

/** Ways to begin a transaction that each connection prepares; each takes the tenant, which may be "", and how its statements are planned. */
export const beginnings = {
  write: "begin",
  read: "begin read only",
  snapshot: "begin isolation level repeatable read read only",
} as const;
const knownBeginnings: ReadonlySet<string> = new Set(Object.values(beginnings));

/** PostgreSQL's names for planning a prepared statement as it sees fit, or for its values each time. */
export type Planning = "auto" | "force_custom_plan";
export type BeginValues = readonly [tenant: string, planning: Planning];
const hasValues = (values: unknown): boolean => Array.isArray(values) && values.length > 0;
const isBeginValues = (values: unknown): values is BeginValues => Array.isArray(values) && values.length === 2;
const noTenant: BeginValues = ["", "auto"];

interface Beginning {
  readonly text: string;
  readonly values: BeginValues;
}

/** The name of the statement that sets role, limits, tenant and planning for the transaction it is sent in. */
const preambleOf = (role: Role) => `act as ${role}`; // contains the role, because another role's statement must never replace it

const opens = /^\s*(begin|start transaction)\b/i;
const closes = /^\s*(commit|rollback)\b/i;

/** Prepares statements, each under its name, in one message. */
class Preparation extends DriverQuery {
  readonly #statements: ReadonlyMap<string, string>;

  constructor(statements: ReadonlyMap<string, string>) {
    super({ text: "", queryMode: "extended" });
    this.#statements = statements;
  }

  override prepare(connection: pg.Connection): void {
    for (const [name, text] of this.#statements) connection.parse({ name, text, types: [] }, true);
    connection.sync();
  }
}

/**
 * A query that never runs as the login role. The first statement of a transaction is sent with what begins it and with the preamble, which
 * sets role and limits; a statement outside of one is sent with the preamble alone, as one transaction. Each is one message whose rest
 * PostgreSQL skips once a part has failed, so these hold even if a pooler drops start-up options, and cost no round trip.
 */
class RoleQuery extends DriverQuery {
  readonly #status: () => string | null;
  readonly #local: string;
  readonly #preamble: string;
  readonly #beginning: Beginning | null;
  #isFirst = false;
  /** Statements sent before this one whose answers have not come. */
  #before = 0;

  constructor(status: () => string | null, local: string, preamble: string, beginning: Beginning | null, args: readonly unknown[]) {
    super(...(args as [unknown]));
    this.#status = status;
    this.#local = local;
    this.#preamble = preamble;
    this.#beginning = beginning;
  }

  override submit(connection: pg.Connection): Error | null {
    const isInside = this.#status() === "T" || this.#status() === "E";
    const text = this.text ?? "";
    if (!isInside && opens.test(text)) this.text = `${text}; ${this.#local}`;
    else if (!isInside && !closes.test(text)) {
      this.#isFirst = true;
      this.queryMode = "extended";
    }
    return super.submit(connection);
  }

  override prepare(connection: pg.Connection): void {
    if (this.#isFirst) {
      if (this.#beginning) this.#send(connection, { statement: this.#beginning.text });
      this.#send(connection, { statement: this.#preamble, values: [...(this.#beginning?.values ?? noTenant)] });
    }
    super.prepare(connection);
  }

  #send(connection: pg.Connection, statement: pg.BindConfig): void {
    connection.bind(statement, true);
    connection.execute({}, true);
    this.#before++;
  }

  override handleDataRow(message: unknown): void {
    if (this.#before === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#before > 0) this.#before--;
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

/**
 * A client that runs every statement as `role` within `limits`; `prove` runs before its first use. One of `beginnings`, with `BeginValues`
 * or no values, is kept back and sent with the first statement after it; a transaction without statements is not sent at all. "commit" with
 * values, which are `Closing`s, is sent with them.
 */
export function clientOf(role: Role, limits: Limits) {
  const preamble = preambleOf(role);
  const all = { role, ...limits };
  const local = Object.entries(all)
    .map(([name, value]) => `set local ${name} = ${value}`)
    .join("; ");
  const settings = Object.entries(all).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const prepares = new Map([
    [preamble, `select ${settings.join(", ")}, set_config('app.tenant_id', $1, true), set_config('plan_cache_mode', $2, true)`],
    ...Object.values(beginnings).map((text) => [text, text] as const),
  ]);

  class RoleClient extends DriverClient {
    #beginning: Beginning | null = null;

    async prove(): Promise<void> {
      // directly by the driver, because nothing can be sent before it
      await new Promise<void>((resolve, reject) => {
        const preparation = new Preparation(prepares);
        preparation.callback = (error) => (error ? reject(error) : resolve());
        super.query(preparation);
      });
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

    /** Begins the transaction in a message of its own. If that fails, so does what follows, because no transaction is open. */
    #begin(): void {
      if (!this.#beginning) return;
      const { text, values } = this.#beginning;
      this.#beginning = null;
      const [tenant, planning] = values.map(pg.escapeLiteral);
      const whole = `${text}; set local app.tenant_id = ${tenant}; set local plan_cache_mode = ${planning}`;
      const query = new RoleQuery(() => this.getTransactionStatus(), local, preamble, null, [whole]);
      query.callback = () => undefined;
      super.query(query);
    }

    override query(...args: readonly unknown[]): unknown {
      const [text, values] = args;
      if (typeof text === "string" && args.length <= 2 && this.getTransactionStatus() === "I") {
        if (knownBeginnings.has(text) && this.#beginning === null) {
          this.#beginning = { text, values: isBeginValues(values) ? values : noTenant };
          return Promise.resolve(nothing);
        }
        if (closes.test(text) && this.#beginning !== null && !hasValues(values)) {
          this.#beginning = null;
          return Promise.resolve(nothing);
        }
      }
      if (text === "commit" && hasValues(values)) {
        this.#begin();
        const commit = new Commit(() => this.getTransactionStatus(), values as readonly Closing[]); // of transaction.ts
        return new Promise((resolve, reject) => {
          commit.callback = (error, result) => (error ? reject(error) : resolve(result));
          super.query(commit);
        });
      }
      // several commands, or a query of the driver's, cannot be sent together with what begins their transaction
      if (text instanceof DriverQuery || (typeof text === "string" && !hasValues(values) && text.includes(";"))) this.#begin();
      if (text instanceof DriverQuery) return super.query(text);
      const query = new RoleQuery(() => this.getTransactionStatus(), local, preamble, this.#beginning, prepared(args));
      this.#beginning = null;
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

/** The answer of a statement that was not sent. */
const nothing: pg.QueryResult = { command: "", rowCount: null, oid: 0, rows: [], fields: [] };
