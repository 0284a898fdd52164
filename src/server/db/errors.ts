/** The SQLSTATE of a database error. */
export function sqlState(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** The constraint a database error names. */
export function violated(error: unknown): string | null {
  return error instanceof Error && "constraint" in error && typeof error.constraint === "string" ? error.constraint : null;
}

/** Whether the database is down, shutting down, full of connections, or lost on the way. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /^(08|53|57P|ECONN|ENOENT|EPIPE|ETIMEDOUT)/.test(sqlState(error) ?? "") ||
    /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message)
  );
}
