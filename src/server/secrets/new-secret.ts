import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { SecretLife } from "../../contract/secrets.ts";
import type { Scoped } from "../db/scope.ts";

/** A key that names its tenant, so that a request without a session finds it. */
export async function newApiKey(db: Scoped, tenant: string): Promise<string> {
  const { code } = await db.selectFrom("tenants").select("code").where("id", "=", tenant).executeTakeFirstOrThrow();
  return `${code}_${randomBytes(18).toString("base64url")}`;
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

const minutes: Readonly<Record<SecretLife, number>> = { now: 0, hour: 60, day: 24 * 60, week: 7 * 24 * 60 };

/** What is kept of an old secret beside its successor: itself, and until when it is taken. */
export const keptSecret = (life: SecretLife, old: Buffer | null) =>
  life === "now" || old === null
    ? { secret: null, until: null }
    : { secret: old, until: sql`clock_timestamp() + make_interval(mins => ${minutes[life]})` };
