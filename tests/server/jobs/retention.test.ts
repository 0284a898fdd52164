import { expect, test } from "vitest";
import type { Deps } from "../../../src/server/call.ts";
import { removeOld } from "../../../src/server/jobs/retention.ts";
import { testDatabase } from "../../support/database.ts";
import { makeDeps, makePerson, makeTenant } from "../../support/factories.ts";

const db = testDatabase();
const failures = (deps: Deps) => deps.sweeps.all().get("cleaning")?.failures ?? 0;

/**
 * One row per table that is old enough to be removed and one that is not: the columns to insert, the column of the time, and both times.
 */
const cases = [
  ["throttles", "key, count", (n: number) => `'key ${n}', 1`, "resets_at", ["-1 second", "1 minute"]],
  ["realtime_sockets", "socket_id, user_id, tenant_id, session_id", (n: number) => `'${n}', $2, $1, $2`, "at", ["-25 hours", "-23 hours"]],
  ["sign_in_challenges", "hash, user_id", (n: number) => `'\\x0${n}', $2`, "expires_at", ["-25 hours", "-23 hours"]],
  ["password_resets", "hash, user_id", (n: number) => `'\\x0${n}', $2`, "expires_at", ["-25 hours", "-23 hours"]],
  ["two_factor", "user_id, pending", (n: number) => `${n === 0 ? "$2" : "$4"}, '\\x01'`, "pending_until", ["-25 hours", "-23 hours"]],
  ["refresh_tokens", "hash, session_id", (n: number) => `'\\x0${n}', $3`, "issued_at", ["-73 hours", "-71 hours"]],
  ["sessions", "user_id", () => "$2", "expires_at", ["-31 days", "-29 days"]],
  ["seen_signatures", "tenant_id, signature", (n: number) => `$1, '\\x0${n}'`, "at", ["-16 minutes", "-14 minutes"]],
  [
    "idempotency_keys",
    "tenant_id, actor, key, fingerprint",
    (n: number) => `$1, $2, 'key-${n}-abc', '\\x'`,
    "created_at",
    ["-25 hours", "-23 hours"],
  ],
  [
    "mails",
    "tenant_id, recipient, subject, language, shared, state",
    () => "$1, 'a@b.example', 's', 'en', false, 'kept'",
    "created_at",
    ["-8 days", "-6 days"],
  ],
] as const;

test.each(cases)("of %s what has served its time is removed, what has not stays", async (table, columns, values, column, times) => {
  const { id: tenant } = await makeTenant(db);
  const [user, other] = [
    (await makePerson(db, { id: tenant, currency: "MYR" })).id,
    (await makePerson(db, { id: tenant, currency: "MYR" })).id,
  ];
  for (const emptied of new Set(["refresh_tokens", table])) await db.owner.query(`delete from ${emptied}`);
  const { rows } = await db.owner.query<{ id: string }>(
    "insert into sessions (user_id, expires_at) values ($1, now() + interval '1 day') returning id",
    [user],
  );
  for (const [n, time] of times.entries()) {
    const row = values(n)
      .replaceAll("$1", `'${tenant}'`)
      .replaceAll("$2", `'${user}'`)
      .replaceAll("$3", `'${rows[0]?.id}'`)
      .replaceAll("$4", `'${other}'`);
    await db.owner.query(`insert into ${table} (${columns}, ${column}) values (${row}, now() + interval '${time}')`);
  }
  const count = async (where: string) => (await db.owner.query(`select from ${table} where ${where}`)).rowCount;
  const before = await count("true");
  const deps = makeDeps(db);
  await removeOld(deps);
  expect(await count("true")).toBe((before ?? 0) - 1);
  const [, later] = times;
  expect(await count(`${column} > now() + interval '${later}' - interval '10 minutes'`), "the younger one is there").toBeGreaterThanOrEqual(
    1,
  );
  expect(failures(deps)).toBe(0);
});

test("more than a batch goes in one round, and a table that fails stops none of the others", async () => {
  const deps = makeDeps(db);
  const { id: tenant } = await makeTenant(db);
  await db.owner.query("insert into throttles select 'old ' || n, 1, now() - interval '1 second' from generate_series(1, 4500) n");
  await db.owner.query(
    "insert into mails (tenant_id, recipient, subject, language, shared, state, created_at) values ($1, 'a@b.example', 's', 'en', false, 'kept', now() - interval '8 days')",
    [tenant],
  );
  await db.owner.query("revoke delete on password_resets from countinghouse_app");
  try {
    await removeOld(deps);
  } finally {
    await db.owner.query("grant delete on password_resets to countinghouse_app");
  }
  expect(failures(deps)).toBe(1);
  expect((await db.owner.query("select from throttles where key like 'old %'")).rowCount).toBe(0);
  expect((await db.owner.query("select from mails where tenant_id = $1", [tenant])).rowCount).toBe(0);
});
