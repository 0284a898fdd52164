import { sql } from "kysely";
import { expect, test } from "vitest";
import { plannedAnew, prepareAnew, prepared } from "../../src/server/db/prepared.ts";
import { inTenant } from "../../src/server/db/scope.ts";
import { testDatabase } from "../support/database.ts";
import { makeTenant } from "../support/factories.ts";

const db = testDatabase();

test("repeated statements are prepared once; after another process migrates they are prepared again and no transaction fails", async () => {
  // what other files of this process have had prepared takes no room here
  prepareAnew();
  const { id } = await makeTenant(db);
  const read = () =>
    inTenant(db.database, id, async (scoped) => {
      const { rows } = await sql<Record<string, unknown>>`select * from currencies where tenant_id = ${id}`.execute(scoped);
      const prepared = await sql<{ n: number }>`select count(*)::integer as n from pg_prepared_statements
        where statement like 'select * from currencies where tenant_id%'`.execute(scoped);
      return { columns: Object.keys(rows[0] ?? {}), prepared: prepared.rows[0]?.n };
    });
  const before = await read();
  // which of its connections the pool gives is not said: each prepares at its first use, and never twice
  await expect.poll(async () => (await read()).prepared).toBe(1);
  await expect.poll(async () => (await read()).prepared).toBe(1);
  await db.owner.query("alter table currencies add column symbol text");
  expect((await read()).columns).toEqual([...before.columns, "symbol"]);
});

test("a statement that is planned for its values is never prepared", async () => {
  prepareAnew();
  const asked = (is: boolean) => sql<{ n: number }>`${plannedAnew(is)}select ${1}::integer as n`.compile(db.database.open).sql;
  const thirdOf = (text: string) => [1, 2, 3].map((n) => prepared([text, [n]])[0]).at(-1);
  expect(thirdOf(asked(true))).toBe(asked(true));
  expect(thirdOf(asked(false))).toMatchObject({ name: expect.any(String), text: asked(false) });
});
