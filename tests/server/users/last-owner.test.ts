import { afterAll, beforeAll, expect, test } from "vitest";
import { long } from "../../support/deep.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Person, Tenant } from "../../support/factories.ts";
import { ask, serve, sessionOf } from "../../support/http.ts";
import type { Answered, Served } from "../../support/http.ts";
import { makeOwner, ownerOf } from "../../support/people.ts";

const db = testDatabase();
const pairs = 64;
const rounds = long({ share: 1, whole: 200 });
let served: Served;

beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());

interface Pair {
  readonly tenant: Tenant;
  readonly owners: readonly [Person, Person];
}

type Act = (
  call: (name: "updateUser" | "changeUserStatus" | "deleteUser", asked: object) => Promise<Answered>,
  uuid: string,
) => Promise<Answered>;

/** What ends somebody's being an owner. */
const acts: readonly Act[] = [
  (call, uuid) => call("changeUserStatus", { params: { uuid }, body: { version: 1, status: "suspended", reason: "" } }),
  (call, uuid) => call("changeUserStatus", { params: { uuid }, body: { version: 1, status: "inactive", reason: "" } }),
  (call, uuid) => call("deleteUser", { params: { uuid }, query: { version: "1" } }),
  (call, uuid) => call("updateUser", { params: { uuid }, body: { groups: [], permissions: [], version: 1 } }),
];

/** Both as they were: owners, active, signed in. */
async function restore({ tenant, owners }: Pair): Promise<string[]> {
  const ids = owners.map(({ id }) => id);
  await db.owner.query(
    `insert into memberships (tenant_id, user_id) select $1, unnest($2::uuid[])
      on conflict (tenant_id, user_id) do update set status = 'active', version = 1`,
    [tenant.id, ids],
  );
  await db.owner.query(
    `insert into membership_groups (tenant_id, user_id, group_id)
      select g.tenant_id, unnest($2::uuid[]), g.id from user_groups g where g.tenant_id = $1 and g.code = 'owner' on conflict do nothing`,
    [tenant.id, ids],
  );
  return Promise.all(ids.map(async (id) => (await sessionOf(served.deps, id)).access_token));
}

test(
  `of ${pairs} pairs of acts that together would leave a tenant without an owner one is refused, ${rounds} times`,
  { timeout: 3_600_000 },
  async () => {
    const all: Pair[] = [];
    for (let n = 0; n < pairs; n++) {
      const tenant = await makeTenant(db);
      const second = await makePerson(db, tenant, "Second");
      await makeOwner(db, tenant, second);
      all.push({ tenant, owners: [await ownerOf(db, tenant), second] });
    }
    for (let round = 0; round < rounds; round++) {
      const tokens = await Promise.all(all.map(restore));
      // each pair of kinds in turn, both under way at once
      const outcomes = await Promise.all(
        all.map(({ tenant, owners }, n) =>
          Promise.all(
            ([0, 1] as const).map((who) => {
              const act = acts[(who === 0 ? n + round : Math.floor((n + round) / acts.length)) % acts.length];
              const call = (name: "updateUser" | "changeUserStatus" | "deleteUser", asked: object) =>
                ask(served, name, { ...asked, token: tokens[n]?.[who], tenant: tenant.id });
              return act?.(call, owners[who === 0 ? 1 : 0].id);
            }),
          ),
        ),
      );
      const done = outcomes.map((pair) => pair.filter((answer) => answer?.status === 200).length);
      expect(done, JSON.stringify(outcomes.find((_, n) => done[n] !== 1)?.map((answer) => answer?.text))).toEqual(all.map(() => 1));
      const faults = outcomes.flat().filter((answer) => (answer?.status ?? 500) >= 500);
      expect(faults).toEqual([]);
      const { rows } = await db.owner.query(
        `select t.id from unnest($1::uuid[]) t (id) where (select count(*) from memberships m
          join membership_groups mg on mg.tenant_id = m.tenant_id and mg.user_id = m.user_id
          join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id and g.code = 'owner'
        where m.tenant_id = t.id and m.status = 'active') <> 1`,
        [all.map(({ tenant }) => tenant.id)],
      );
      expect(rows).toEqual([]);
    }
  },
);
