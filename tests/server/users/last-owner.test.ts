import { randomUUID } from "node:crypto";
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

type Call = (name: "updateUser" | "changeUserStatus" | "deleteUser", asked: object) => Promise<Answered>;
type Act = (call: Call, uuid: string) => Promise<Answered>;

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

/** Whether somebody is an active owner by what is committed now. */
async function isActiveOwner(tenant: Tenant, user: string): Promise<boolean> {
  const { rows } = await db.owner.query(
    `select from memberships m join membership_groups mg on mg.tenant_id = m.tenant_id and mg.user_id = m.user_id
      join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id and g.code = 'owner'
      where m.tenant_id = $1 and m.user_id = $2 and m.status = 'active'`,
    [tenant.id, user],
  );
  return rows.length > 0;
}

/** How many answers asked to come again, over all rounds. */
let busy = 0;
/** How often one act may be answered so, before it counts as never answered. */
const mostTries = 100;

/**
 * Sends an act until it is answered otherwise than 503, each time under the same Idempotency-Key. A server that has no time may say so, but
 * it says when to come again, and it has done nothing: the other, whom nobody else touches, is an owner still.
 */
async function sent(pair: Pair, who: number, token: string | undefined, act: Act): Promise<Answered> {
  const other = pair.owners[who === 0 ? 1 : 0];
  const headers = { "idempotency-key": randomUUID() };
  const call: Call = (name, asked) => ask(served, name, { ...asked, headers, token, tenant: pair.tenant.id });
  for (let tries = 0; tries < mostTries; tries++) {
    // oxlint-disable-next-line no-await-in-loop -- one try after the other
    const answer = await act(call, other.id);
    if (answer.status !== 503) return answer;
    busy++;
    expect(Number(answer.retryAfter), answer.text).toBeGreaterThan(0);
    // oxlint-disable-next-line no-await-in-loop -- before the next try
    expect(await isActiveOwner(pair.tenant, other.id), `answered ${answer.code}, and done nevertheless`).toBe(true);
  }
  throw new Error(`an act was answered 503 ${mostTries} times`);
}

/** Each does it to the other at the same time; `kinds` chooses one of the sixteen ways the two may be. */
async function clash(pair: Pair, tokens: readonly string[], kinds: number): Promise<Answered[]> {
  const ways = [acts[kinds % acts.length], acts[Math.floor(kinds / acts.length) % acts.length]];
  return Promise.all(
    ways.map((act, who) => {
      if (!act) throw new Error("there are four ways");
      return sent(pair, who, tokens[who], act);
    }),
  );
}

test(
  `of ${pairs} pairs of acts that together would leave a tenant without an owner one is refused, ${rounds} times`,
  { timeout: 7_200_000 },
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
      const outcomes = await Promise.all(all.map((pair, n) => clash(pair, tokens[n] ?? [], n + round)));
      const done = outcomes.map((pair) => pair.filter(({ status }) => status === 200).length);
      expect(done, JSON.stringify(outcomes.find((_, n) => done[n] !== 1)?.map(({ text }) => text))).toEqual(all.map(() => 1));
      expect(outcomes.flat().filter(({ status }) => status >= 500)).toEqual([]);
      const { rows } = await db.owner.query(
        `select t.id from unnest($1::uuid[]) t (id) where (select count(*) from memberships m
          join membership_groups mg on mg.tenant_id = m.tenant_id and mg.user_id = m.user_id
          join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id and g.code = 'owner'
        where m.tenant_id = t.id and m.status = 'active') <> 1`,
        [all.map(({ tenant }) => tenant.id)],
      );
      expect(rows).toEqual([]);
    }
    console.info(`${rounds * pairs} pairs; ${busy} answers of 503, each sent again`);
  },
);
