import pg from "pg";

/** Members of the driver's query that its types leave out. */
export interface DriverQuery {
  text: string | undefined;
  name: string | undefined;
  queryMode: string | undefined;
  callback: ((error: Error | null, result?: pg.QueryResult) => void) | undefined;
  submit(connection: pg.Connection): Error | null;
  prepare(connection: pg.Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
  _getRows(connection: pg.Connection): void;
}
export const DriverQuery = pg.Query as unknown as new (config: unknown, values?: unknown, callback?: unknown) => DriverQuery;
