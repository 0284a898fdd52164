import pg from "pg";
import { hashPassword } from "../../../src/server/auth/passwords.ts";
import { routes } from "../../../src/contract/index.ts";
import { seedMany } from "../../../src/server/demo/many.ts";
import { seedDemo } from "../../../src/server/demo/seed.ts";
import { sessionOf } from "../../support/http.ts";
import { outsideOf } from "../../support/outside.ts";
import { serverProcess } from "../../support/processes.ts";
import { caller } from "./caller.ts";
import { timed } from "./lists.ts";

export interface ScreenFigures {
  readonly what: string;
  /** p95 in ms at each count of transactions, in their order. */
  readonly p95: readonly number[];
}

const statement = [
  ["first page", "limit=100"],
  ["filtered by kind", "limit=100&filter%5Bkind%5D=deposit"],
  ["last page", "limit=100&direction=previous"],
  ["first page with count and sums of a day", "limit=100&with=count,sums&filter%5Bcreated_at_from%5D={day}"],
] as const;
const records = [
  ["first page", "limit=100"],
  ["filtered", "limit=100&q=a"],
  ["last page", "limit=100&direction=previous"],
] as const;

const days = [
  ["a year, first page", "limit=100&filter%5Bday_from%5D={year}"],
  ["a year by day, with count and sums", "limit=100&with=count,sums&filter%5Bby%5D=day&filter%5Bday_from%5D={year}"],
] as const;
const summary = [["a year", "from={first}&to={last}"]] as const;

const pages = {
  "Payment accounts": [routes.listPaymentAccounts.path, records],
  "Live balances": [routes.listLiveBalances.path, [["whole", ""]]],
  "Live balances, their days": [routes.listLiveDays.path, [["whole", ""]]],
  "Account transactions": [routes.listAccountStatementLines.path, statement],
  Merchants: [routes.listMerchants.path, records],
  "Merchant transactions": [routes.listMerchantStatementLines.path, statement],
  "Rate-limit groups": [routes.listRateLimitGroups.path, records],
  "Account days": [routes.listAccountDays.path, days],
  "Account days, chart and comparison": [routes.summarizeAccountDays.path, summary],
  "Merchant days": [routes.listMerchantDays.path, days],
  "Cash flow": [routes.listCashFlowDays.path, [["a year, first page", "limit=100&filter%5Bday_from%5D={year}"]]],
} as const;

/** Pages of the screens of payments that are no list of decisions, with `counts` transactions and what the ledger has of them. */
export async function benchScreens(counts: readonly [number, ...number[]]): Promise<ScreenFigures[]> {
  const server = await serverProcess();
  await server.start();
  const outside = await outsideOf(server);
  const owner = new pg.Client({ connectionString: await server.connectionString() });
  await owner.connect();
  try {
    const { deps } = outside.served;
    await seedDemo(owner, { secrets: deps.secrets, now: new Date(), seed: 20_261_121, hashPassword, transactions: counts[0] });
    const { rows } = await owner.query<{ user: string; tenant: string }>(
      "select u.id as user, t.id as tenant from users u, tenants t where u.email = 'farah@demo.example' and t.code = 'MHP'",
    );
    const [{ user, tenant } = { user: "", tenant: "" }] = rows;
    const figures = new Map<string, number[]>();
    for (const count of counts) {
      process.stderr.write(`  ${count} transactions\n`);
      await seedMany(owner, count, { movements: true });
      await owner.query("vacuum analyze transactions, ledger_groups, ledger_entries");
      await keepDays(owner);
      const { access_token: token } = await sessionOf(deps, user);
      const { call, close } = caller(server.url, token, tenant, "MYR", 1);
      const ago = (by: number) => new Date(Date.now() - by * 86_400_000).toISOString();
      const words: Readonly<Record<string, string>> = {
        day: encodeURIComponent(ago(1)),
        year: encodeURIComponent(ago(365)),
        first: ago(365).slice(0, 10),
        last: ago(0).slice(0, 10),
      };
      for (const [screen, [path, queries]] of Object.entries(pages))
        for (const [what, query] of queries) {
          const { p95 } = await timed(call, `${path}?${query.replaceAll(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "")}`);
          const name = `${screen}: ${what}`;
          figures.set(name, [...(figures.get(name) ?? []), p95]);
        }
      close();
    }
    return [...figures].map(([what, p95]) => ({ what, p95 }));
  } finally {
    await owner.end();
    await outside.close();
    await server.end();
  }
}

/** Has the server keep the days anew, because movements were copied to before those it has kept, and waits until it has. */
async function keepDays(owner: pg.Client): Promise<void> {
  await owner.query("begin; set local session_replication_role = replica; truncate account_days, merchant_days; commit");
  const behind = async () => {
    const { rows } = await owner.query<{
      n: string;
    }>(`select count(*) as n from ledger_accounts a join currencies c on c.tenant_id = a.tenant_id and c.code = a.currency
      where a.kind in ('payment-account', 'wallet') and a.last_seq > 0 and not exists (
        select from account_days d where d.tenant_id = a.tenant_id and d.payment_account_id = a.owner_id and d.day >= local_day(now(), c.zone_minutes) - 2
        union all select from merchant_days d where d.tenant_id = a.tenant_id and d.merchant_id = a.owner_id and d.day >= local_day(now(), c.zone_minutes) - 2)`);
    return Number(rows[0]?.n ?? 0);
  };
  while ((await behind()) > 0) await new Promise((resolve) => setTimeout(resolve, 2_000)); // oxlint-disable-line no-await-in-loop -- until it is so
  await owner.query("vacuum analyze account_days, merchant_days");
}
