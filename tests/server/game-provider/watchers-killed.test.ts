import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Answering } from "../../support/answering.ts";
import { startAnswering } from "../../support/answering.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { serverProcess } from "../../support/processes.ts";
import { makeWatcher } from "../../support/score-watchers.ts";
import { settingsFor } from "../../support/settings-for.ts";

const size = long({ share: 60, whole: 2_000 });
const kills = long({ share: 2, whole: 12 });

const db = testDatabase();
let office: Office;
let provider: Answering;
let servers: ServerProcess[];

beforeAll(async () => {
  office = await makeOffice(db, { settings: { loopback_callbacks: true } });
  await db.owner.query(
    `with g as (select id from user_groups where tenant_id = $1 and code = 'owner')
      insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from g on conflict do nothing`,
    [office.tenant.id, office.ann.id],
  );
  provider = await startAnswering();
  // some take a while, so that a kill cuts checks short
  provider.answer = (_, response) => {
    const answer = () => response.end(JSON.stringify({ data: { balance: "1.00", currency: "MYR", credit: true } }));
    setTimeout(answer, provider.asked.length % 3 === 0 ? 200 : 0);
  };
  for (let at = 0; at < size; at++) {
    const account = await makeMasterAccount(db, office.tenant, {
      secrets: office.deps.secrets,
      credentials: { key: "sesame" },
      settings: { check_url: `${provider.url}/${at}` },
    });
    await makeWatcher(db, office.tenant, account, { every_minutes: 60, mail: true, next_at: null });
  }
  servers = await Promise.all([0, 1].map(() => serverProcess({ ...settingsFor(db), DEVELOPMENT: "true" })));
  await Promise.all(servers.map((server) => server.start()));
}, 600_000);
afterAll(async () => {
  for (const server of servers) await server.end();
  await provider.stop();
});

const count = async (what: string): Promise<number> =>
  (await db.owner.query<{ n: number }>(`select count(*)::integer as n from ${what}`, [office.tenant.id])).rows[0]?.n ?? 0;
const looked = () => count("score_watchers where tenant_id = $1 and last_checked_at is not null");

test(
  `${size} watchers on two servers of which one is killed ${kills} times: each turn is made, and asks its provider once, or again because of a kill; one alarm each`,
  { timeout: 3_600_000 },
  async () => {
    const slice = Math.ceil(size / (kills + 1));
    for (let killed = 0; killed <= kills; killed++) {
      // the turns of the next ones have come
      await db.owner.query(
        `update score_watchers set next_at = now() where id in
          (select id from score_watchers where tenant_id = $1 and next_at is null order by id limit $2)`,
        [office.tenant.id, slice],
      );
      if (killed === kills) break;
      const before = provider.asked.length;
      await vi.waitFor(() => expect(provider.asked.length).toBeGreaterThan(before + slice / 3), { timeout: 120_000, interval: 10 });
      const victim = servers[killed % 2];
      await victim?.kill();
      // as if the time had passed in which a server that is gone could have given a sign of life
      await db.owner.query(
        "update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active' and name = 'score-watch'",
      );
      await victim?.start();
    }
    await vi.waitFor(async () => expect(await looked()).toBe(size), { timeout: 600_000, interval: 100 });

    // one check on record of each, however often its job was begun
    const { rows: wrong } = await db.owner.query(
      `select w.id, count(c.id)::integer as checks from score_watchers w
        left join master_account_checks c on c.tenant_id = w.tenant_id and c.master_account_id = w.master_account_id
        where w.tenant_id = $1 group by w.id having count(c.id) <> 1`,
      [office.tenant.id],
    );
    expect(wrong).toEqual([]);
    const asked = new Map<string, number>();
    for (const { request } of provider.asked) asked.set(request.url ?? "", (asked.get(request.url ?? "") ?? 0) + 1);
    expect(asked.size).toBe(size);
    // a job is tried three times; no more are asked again than were under way when a server was killed, or taken from it as lost
    expect(Math.max(...asked.values())).toBeLessThanOrEqual(3);
    expect(provider.asked.length - size).toBeLessThanOrEqual(kills * 2 * 8);
    const owners = await count(
      `user_groups g join membership_groups m on m.tenant_id = g.tenant_id and m.group_id = g.id where g.tenant_id = $1 and g.code = 'owner'`,
    );
    expect(owners).toBeGreaterThan(0);
    expect(await count("mails where tenant_id = $1")).toBe(size * owners);
    expect(await count("score_watchers where tenant_id = $1 and last_notified_at is null")).toBe(0);
  },
);
