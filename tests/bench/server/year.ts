import pg from "pg";
import type { Outside } from "../../support/outside.ts";
import { outsideOf } from "../../support/outside.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { serverProcess } from "../../support/processes.ts";
import { percentile } from "./caller.ts";
import type { ClaimedWithdrawals } from "./claimed-withdrawals.ts";
import { claimedWithdrawals } from "./claimed-withdrawals.ts";

export interface YearFigures {
  /** Approvals a second on a new server, and on one with a year's rows: the median of the rounds. */
  readonly fresh: number;
  readonly aged: number;
  /** The second as a share of the first, of each pair of rounds. */
  readonly ratios: readonly number[];
  /** Rows that stood in the side tables. */
  readonly rows: number;
}

const connections = 32;
const warm = 400;
const aRound = 250;
const rounds = 8;

/**
 * What a year of a house with 1,000,000 transactions and 300 people leaves in the tables that grow beside the transactions, once what is old
 * was removed (server/jobs/retention.ts): callbacks and their attempts are kept, keys for a day, sessions for a month and so on. Nothing of it names a transaction, person or master account that there is.
 */
const yearOf = (tenant: string): Readonly<Record<string, string>> => ({
  outbox: `insert into outbox (tenant_id, id, merchant_id, transaction_id, event_n, url, body, state, attempts, created_at, delivered_at)
    select ${tenant}, uuidv7(ago), wallets[1 + n % cardinality(wallets)], uuidv7(ago), 3, 'https://merchant.example/notify', repeat(md5(n::text), 18), 'delivered', 1,
      now() + ago, now() + ago
    from generate_series(1, 1000000) n, lateral (select -n * interval '1 year' / 1000000) a (ago),
      (select array_agg(id) from merchants where tenant_id = ${tenant}) m (wallets)`,
  callback_attempts: `insert into callback_attempts (tenant_id, outbox_id, n, at, status, milliseconds, answer)
    select tenant_id, id, 1, created_at, 200, 80, 'OK' from outbox on conflict do nothing`,
  idempotency_keys: `insert into idempotency_keys (tenant_id, actor, key, fingerprint, status, packed, created_at)
    select ${tenant}, md5((n % 300)::text)::uuid, gen_random_uuid(), sha256(n::text::bytea), 200, decode(repeat(md5(n::text), 20), 'hex'),
      now() - n * interval '1 day' / 20000
    from generate_series(1, 20000) n`,
  seen_signatures: `insert into seen_signatures (tenant_id, signature, at)
    select ${tenant}, sha256(n::text::bytea), now() - n * interval '15 minutes' / 500 from generate_series(1, 500) n`,
  sessions: `insert into sessions (id, user_id, started_at, expires_at, ended_at, ended_why)
    select uuidv7(ago), md5((n % 300)::text)::uuid, now() + ago, now() + ago + interval '2 days', now() + ago + interval '9 hours', 'signed-out'
    from generate_series(1, 27000) n, lateral (select -n * interval '30 days' / 27000) a (ago)`,
  refresh_tokens: `insert into refresh_tokens (hash, session_id, issued_at, used_at)
    select sha256((id::text || n)::bytea), id, started_at + n * interval '10 minutes', started_at + n * interval '10 minutes'
    from sessions, generate_series(1, 50) n where started_at > now() - interval '3 days'`,
  throttles: `insert into throttles (key, count, resets_at)
    select 'login ' || n, 3, now() + interval '1 hour' from generate_series(1, 5000) n`,
  mails: `insert into mails (tenant_id, recipient, subject, language, shared, state, attempts, created_at)
    select ${tenant}, n || '@house.example', 'Reset your password', 'en', false, 'sent', 1, now() - n * interval '7 days' / 700
    from generate_series(1, 700) n`,
  jobs: `insert into jobs (tenant_id, kind, queued_as, state, attempt, created_at, began_at, ended_at)
    select ${tenant}, 'export', gen_random_uuid(), 'done', 1, ended, ended, ended
    from generate_series(1, 6000) n, lateral (select now() - n * interval '30 days' / 6000) e (ended)`,
  master_account_checks: `insert into master_account_checks (tenant_id, master_account_id, at, milliseconds, http_status, balance)
    select ${tenant}, md5((n % 20)::text)::uuid, now() - n * interval '90 days' / 100000, 120, 200, 1000
    from generate_series(1, 100000) n`,
});

async function growOld(server: ServerProcess, { tenant }: ClaimedWithdrawals): Promise<number> {
  const owner = new pg.Client({ connectionString: await server.connectionString() });
  await owner.connect();
  try {
    await owner.query("set session_replication_role = replica"); // nothing is looked up or told for rows that name nothing
    let rows = 0;
    for (const [table, insert] of Object.entries(yearOf(`'${tenant}'::uuid`))) {
      const { rowCount } = await owner.query(insert); // oxlint-disable-line no-await-in-loop -- one connection
      if (!rowCount) throw new Error(`nothing was written to ${table}`);
      rows += rowCount;
    }
    await owner.query("vacuum analyze");
    return rows;
  } finally {
    await owner.end();
  }
}

/** Approvals over 20 wallets on a server without and on one with a year of side tables, in turns, because a machine's speed changes. */
export async function benchYear(): Promise<YearFigures> {
  const opened: { readonly server: ServerProcess; readonly outside: Outside }[] = [];
  const begin = async () => {
    const server = await serverProcess();
    await server.start();
    const outside = await outsideOf(server);
    opened.push({ server, outside });
    const count = warm + rounds * aRound;
    const work = await claimedWithdrawals(server.url, outside, {
      merchants: 20,
      count,
      connections,
      amountOf: (n) => `${100 + (n % 50)}.00`,
    });
    return { server, outside, work };
  };
  const perSecond = async ({ approve, uuids }: ClaimedWithdrawals, round: number): Promise<number> => {
    const began = performance.now();
    const { length } = await approve(uuids.slice(warm + round * aRound, warm + (round + 1) * aRound));
    return length / ((performance.now() - began) / 1_000);
  };
  try {
    const fresh = await begin();
    const aged = await begin();
    const rows = await growOld(aged.server, aged.work);
    for (const { work, outside } of [fresh, aged]) {
      await work.approve(work.uuids.slice(0, warm)); // oxlint-disable-line no-await-in-loop -- each alone
      await outside.db.owner.query("analyze"); // oxlint-disable-line no-await-in-loop -- as above
    }
    const rates: { fresh: number; aged: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const pair = { fresh: 0, aged: 0 };
      const order = round % 2 === 0 ? (["fresh", "aged"] as const) : (["aged", "fresh"] as const);
      // oxlint-disable-next-line no-await-in-loop -- each alone
      for (const which of order) pair[which] = await perSecond({ fresh, aged }[which].work, round);
      rates.push(pair);
    }
    for (const { work } of [fresh, aged]) work.close();
    const median = (which: "fresh" | "aged") =>
      percentile(
        rates.map((pair) => pair[which]),
        0.5,
      );
    return { fresh: median("fresh"), aged: median("aged"), ratios: rates.map((pair) => pair.aged / pair.fresh), rows };
  } finally {
    for (const { server, outside } of opened) {
      await outside.close(); // oxlint-disable-line no-await-in-loop -- in order
      await server.end(); // oxlint-disable-line no-await-in-loop -- as above
    }
  }
}
