import { routes } from "../../../src/contract/index.ts";
import { seedMany } from "../../../src/server/demo/many.ts";
import { sessionOf } from "../../support/http.ts";
import { caller } from "./caller.ts";
import { demoHouse } from "./demo-house.ts";
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

const pages = {
  "Payment accounts": [routes.listPaymentAccounts.path, records],
  "Live balances": [routes.listLiveBalances.path, [["whole", ""]]],
  "Live balances, their days": [routes.listLiveDays.path, [["whole", ""]]],
  "Account transactions": [routes.listAccountStatementLines.path, statement],
  Merchants: [routes.listMerchants.path, records],
  "Merchant transactions": [routes.listMerchantStatementLines.path, statement],
  "Rate-limit groups": [routes.listRateLimitGroups.path, records],
} as const;

/** Pages of the screens of payments that are no list of decisions, with `counts` transactions and what the ledger has of them. */
export async function benchScreens(counts: readonly [number, ...number[]]): Promise<ScreenFigures[]> {
  const { server, outside, owner, close: closeHouse } = await demoHouse(counts[0]);
  try {
    const { deps } = outside.served;
    const { rows } = await owner.query<{ user: string; tenant: string }>(
      "select u.id as user, t.id as tenant from users u, tenants t where u.email = 'farah@demo.example' and t.code = 'MHP'",
    );
    const [{ user, tenant } = { user: "", tenant: "" }] = rows;
    const figures = new Map<string, number[]>();
    for (const count of counts) {
      process.stderr.write(`  ${count} transactions\n`);
      await seedMany(owner, count, { movements: true });
      await owner.query("vacuum analyze transactions, ledger_groups, ledger_entries");
      const { access_token: token } = await sessionOf(deps, user);
      const { call, close } = caller(server.url, token, tenant, "MYR", 1);
      const day = encodeURIComponent(new Date(Date.now() - 86_400_000).toISOString());
      for (const [screen, [path, queries]] of Object.entries(pages))
        for (const [what, query] of queries) {
          const { p95 } = await timed(call, `${path}?${query.replace("{day}", day)}`);
          const name = `${screen}: ${what}`;
          figures.set(name, [...(figures.get(name) ?? []), p95]);
        }
      close();
    }
    return [...figures].map(([what, p95]) => ({ what, p95 }));
  } finally {
    await closeHouse();
  }
}
