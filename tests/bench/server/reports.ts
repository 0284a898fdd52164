import pg from "pg";
import { routes } from "../../../src/contract/index.ts";
import { hashPassword } from "../../../src/server/auth/passwords.ts";
import { seedMany } from "../../../src/server/demo/many.ts";
import { seedDemo } from "../../../src/server/demo/seed.ts";
import { sessionOf } from "../../support/http.ts";
import { outsideOf } from "../../support/outside.ts";
import { serverProcess } from "../../support/processes.ts";
import { caller, percentile } from "./caller.ts";

export interface ReportFigures {
  readonly what: string;
  /** p95 in ms at each count of entries, in their order. */
  readonly p95: readonly number[];
}

/** The days of a report: the same number whatever the entries are. */
const days = 365;
const rounds = 120;
/** Not counted: plans are made, and pages come into memory. */
const before = 5;

const reports = [
  ["Account days", routes.listAccountDays.path, routes.summarizeAccountDays.path],
  ["Merchant days", routes.listMerchantDays.path, routes.summarizeMerchantDays.path],
  ["Cash flow", routes.listCashFlowDays.path, routes.summarizeCashFlow.path],
] as const;

/** A server with so many ledger entries, spread evenly over a year of days up to today. */
async function serverWith(entries: number, now: Date) {
  const server = await serverProcess();
  await server.start();
  const outside = await outsideOf(server);
  const owner = new pg.Client({ connectionString: await server.connectionString() });
  await owner.connect();
  const began = performance.now();
  const say = (what: string) =>
    process.stderr.write(`  ${entries} entries: ${what} after ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
  const { deps } = outside.served;
  await seedDemo(owner, { secrets: deps.secrets, now, seed: 20_261_121, hashPassword, transactions: 1_000 });
  await seedMany(owner, await transactionsFor(owner, entries), { movements: true, days });
  await owner.query("vacuum analyze transactions, transaction_events, ledger_groups, ledger_entries");
  say("seeded");
  await keepDays(owner);
  say("days kept");
  await untilCounted(owner);
  say("today counted");
  const { rows } = await owner.query<{ user: string; tenant: string; entries: string }>(
    `select u.id as user, t.id as tenant, (select count(*) from ledger_entries) as entries
     from users u, tenants t where u.email = 'farah@demo.example' and t.code = 'MHP'`,
  );
  const [{ user, tenant } = { user: "", tenant: "" }] = rows;
  return {
    entries: Number(rows[0]?.entries),
    /** Signs in when all is seeded, because a token would have expired by then. */
    asker: async () => caller(server.url, (await sessionOf(deps, user)).access_token, tenant, "MYR", 1),
    async end() {
      await owner.end();
      await outside.close();
      await server.end();
    },
  };
}

/** How many transactions there must be, because their copies have as many entries as the decided ones have. */
async function transactionsFor(owner: pg.Client, entries: number): Promise<number> {
  const { rows } = await owner.query<{ transactions: number; entries: number; each: number }>(
    `select (select count(*) from transactions)::float8 as transactions, (select count(*) from ledger_entries)::float8 as entries,
       (select count(e.seq)::float8 / count(distinct t.id) from transactions t
         left join ledger_groups g on g.tenant_id = t.tenant_id and g.transaction_id = t.id
         left join ledger_entries e on e.tenant_id = g.tenant_id and e.group_id = g.id where t.status not in ('pending', 'process')) as each`,
  );
  const [{ transactions, entries: there, each } = { transactions: 0, entries: 0, each: 1 }] = rows;
  return Math.round(transactions + Math.max(0, entries - there) / each);
}

/** Keeps the days that are over at once, as the server would in many short steps; what it knew of the ledger before is of other numbers. */
async function keepDays(owner: pg.Client): Promise<void> {
  await owner.query(`begin; set local session_replication_role = replica;
    truncate account_days, merchant_days, account_day_parts, merchant_day_parts, decided_day_parts, merchant_decided_parts; commit`);
  for (const table of ["account_days", "merchant_days"])
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await owner.query(`insert into ${table} select d.* from currencies c
      cross join lateral ${table}_of(c.tenant_id, c.code, c.zone_minutes, '0001-01-01', local_day(now(), c.zone_minutes) - 1, null) d
      on conflict do nothing`);
  await owner.query("vacuum analyze account_days, merchant_days");
}

/** Waits until the server has counted on what today has. */
async function untilCounted(owner: pg.Client): Promise<void> {
  const left = async () => {
    const { rows } = await owner.query<{ n: string }>(`select count(*) as n from ledger_accounts a
      join currencies c on c.tenant_id = a.tenant_id and c.code = a.currency
      cross join lateral (select local_day(now(), c.zone_minutes) as day) d
      left join account_day_parts p on p.tenant_id = a.tenant_id and p.payment_account_id = a.owner_id and p.day = d.day
      left join merchant_day_parts m on m.tenant_id = a.tenant_id and m.merchant_id = a.owner_id and m.day = d.day
      where a.kind in ('payment-account', 'wallet') and (select count(*) from (select from ledger_entries e
          where e.tenant_id = a.tenant_id and e.account_id = a.id and e.created_at >= day_start(d.day, c.zone_minutes)
            and e.seq > coalesce(p.upto, m.upto, e.seq - 1) limit 20) k) >= 20`);
    return Number(rows[0]?.n);
  };
  while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 1_000)); // oxlint-disable-line no-await-in-loop -- until it is so
  await owner.query("vacuum analyze account_day_parts, merchant_day_parts, decided_day_parts, merchant_decided_parts");
}

/** A year of each report with `counts` ledger entries, asked of servers in turn, so that each figure is taken in the same minutes. */
export async function benchReports(counts: readonly number[]): Promise<{ entries: number[]; figures: ReportFigures[] }> {
  const now = new Date();
  const servers: Awaited<ReturnType<typeof serverWith>>[] = [];
  try {
    for (const count of counts) servers.push(await serverWith(count, now)); // oxlint-disable-line no-await-in-loop -- each with the whole machine
    const ago = (by: number) => new Date(now.getTime() - by * 86_400_000).toISOString();
    const year = `filter%5Bday_from%5D=${encodeURIComponent(ago(days - 1))}`;
    const askers = await Promise.all(servers.map(({ asker }) => asker()));
    const figures: ReportFigures[] = [];
    for (const [report, list, summary] of reports)
      for (const [what, path] of [
        ["first page", `${list}?limit=100&${year}`],
        ["by day, with count and sums", `${list}?limit=100&with=count,sums&filter%5Bby%5D=day&${year}`],
        ["chart and comparison", `${summary}?from=${ago(days - 1).slice(0, 10)}&to=${ago(0).slice(0, 10)}`],
      ] as const) {
        const times = servers.map((): number[] => []);
        for (let round = -before; round < rounds; round++)
          for (const [n, { call }] of askers.entries()) {
            const { status, text, ms } = await call("GET", path); // oxlint-disable-line no-await-in-loop -- calls beside each other would be each other's load
            if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
            if (round >= 0) times[n]?.push(ms);
          }
        figures.push({ what: `${report}, a year: ${what}`, p95: times.map((one) => percentile(one, 0.95)) });
      }
    for (const { close } of askers) close();
    return { entries: servers.map(({ entries }) => entries), figures };
  } finally {
    for (const server of servers) await server.end(); // oxlint-disable-line no-await-in-loop -- one after the other
  }
}
