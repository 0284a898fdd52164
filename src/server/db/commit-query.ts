import type pg from "pg";
import { DriverQuery } from "./driver-query.ts";
import { prepared } from "./prepared.ts";

/** A statement sent together with the commit of its transaction. */
export interface Closing {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Exactly one of these is called, before the commit is answered; `failed` also where it was not run, because one before it failed. */
  readonly answered: (result: pg.QueryResult) => void;
  readonly failed: (error: Error) => void;
}

/** A statement within a message that does not end with it. */
class Part extends DriverQuery {
  override _getRows(connection: pg.Connection): void {
    connection.execute({}, true);
  }
}

/** Statements and the commit after them in one message: once one has failed, PostgreSQL skips the rest, and nothing is committed. */
export class Commit extends DriverQuery {
  readonly #parts: readonly DriverQuery[];
  readonly #status: () => string | null;
  #answer: pg.QueryResult | undefined;
  #at = 0;
  #isBroken = false;

  constructor(status: () => string | null, closings: readonly Closing[]) {
    super({ text: "commit", queryMode: "extended" });
    this.#status = status;
    const parts = closings.map(({ text, values, answered, failed }) => {
      const part = new Part(...(prepared([text, values]) as [unknown]));
      part.callback = (error, result) => (result ? answered(result) : failed(error ?? new Error("the database did not answer")));
      return part;
    });
    const commit = new Part({ name: "commit", text: "commit" });
    // what was answered to it is the answer of the whole
    commit.callback = (_, result) => void (this.#answer = result);
    this.#parts = [...parts, commit];
  }

  override submit(connection: pg.Connection): Error | null {
    // outside of a transaction they would run as the login role
    return this.#status() === "T" ? super.submit(connection) : new Error("the transaction could not begin, or has failed");
  }

  override prepare(connection: pg.Connection): void {
    for (const part of this.#parts) {
      part.handleError = (error) => this.handleError(error, connection);
      part.prepare(connection);
      // its values could not be written, and the driver has ended the message before the commit
      if (this.#isBroken) return;
    }
    connection.sync();
    this.#turnTo(0);
  }

  /** The driver takes what is answered next for an answer to the statement of this name and text. */
  #turnTo(at: number): void {
    this.#at = at;
    this.name = this.#parts[at]?.name;
    this.text = this.#parts[at]?.text ?? "";
  }

  override handleRowDescription(message: unknown): void {
    if (!this.#isBroken) this.#parts[this.#at]?.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    if (!this.#isBroken) this.#parts[this.#at]?.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isBroken) return;
    const part = this.#parts[this.#at];
    part?.handleCommandComplete(message, connection);
    this.#turnTo(this.#at + 1);
    part?.handleReadyForQuery(connection);
  }

  override handleReadyForQuery(): void {
    if (!this.#isBroken) this.callback?.(null, this.#answer);
  }

  override handleError(error: Error, connection: pg.Connection): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const { submittedNamedStatements: sent } = connection as unknown as { submittedNamedStatements: Record<string, string> };
    for (const part of this.#parts.slice(this.#at)) {
      if (part.name !== undefined) delete sent[part.name];
      part.callback?.(error);
    }
    this.callback?.(error);
  }
}
