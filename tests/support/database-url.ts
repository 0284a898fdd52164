import type { ClientConfig } from "pg";

/** DATABASE_URL of a test's database, for servers in processes of their own. */
export function databaseUrl({ host = "", port, database }: ClientConfig): string {
  const url = new URL(`postgresql://app@localhost/${database}`);
  url.searchParams.set("host", host);
  if (port) url.searchParams.set("port", String(port));
  return url.href;
}
