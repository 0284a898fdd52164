import { judgeArrived } from "../../src/server/bank-lines/auto-match.ts";
import { suggestForLine } from "../../src/server/bank-lines/suggestions.ts";
import type { Deps } from "../../src/server/call.ts";
import { inTenant } from "../../src/server/db/scope.ts";
import { bookLines } from "./bank-lines.ts";
import { insertDeposits, makeNoise } from "./bank-noise.ts";
import type { TestDatabase } from "./database.ts";
import { makeAccount, makeMerchant } from "./factories.ts";
import type { Account, Tenant } from "./factories.ts";

interface Matching {
  readonly deposits: number;
  readonly lines: number;
  /** Lines matched automatically, and those of them that did not pay what they were matched to. */
  readonly automatic: number;
  readonly wrong: readonly { readonly line: string; readonly transaction: string }[];
  /** Of what was left though it paid one deposit: how many were asked for, and how many had it among the first five. */
  readonly asked: number;
  readonly right: number;
  readonly milliseconds: number;
}

const accounts = 10;
const windowMs = 72 * 3_600_000;

/** Books noisy lines beside noisy deposits, lets the automatic matcher run until it rests, and asks for suggestions for what it left. */
export async function playNoise(book: { db: TestDatabase; tenant: Tenant; deps: Deps }, seed: number, count: number): Promise<Matching> {
  const { db, tenant, deps } = book;
  const all: Account[] = [];
  for (let n = 0; n < accounts; n++) all.push(await makeAccount(db, tenant));
  const noise = makeNoise({ seed, count, accounts, now: Date.now() });
  await insertDeposits(db, tenant, await makeMerchant(db, tenant), all, noise.deposits);
  const truth = new Map<string, readonly string[]>();
  for (const [n, account] of all.entries()) {
    const own = noise.lines.filter((line) => line.account === n);
    const { ids } = await bookLines(
      book,
      account.id,
      own.map(({ line }) => line),
    );
    // in the order they were booked
    for (const [at, id] of ids.entries()) truth.set(id, own[at]?.paid ?? []);
  }
  // as autovacuum does within its minute
  await db.owner.query("analyze transactions, bank_lines, bank_matches, bank_line_turns");
  const began = performance.now();
  const waiting = async () => (await db.owner.query("select from bank_line_turns where tenant_id = $1 limit 1", [tenant.id])).rowCount;
  while (await waiting()) await judgeArrived(deps, tenant.id, 100);
  const milliseconds = performance.now() - began;
  const { rows: made } = await db.owner.query<{ line: string; transaction: string }>(
    "select line_id as line, transaction_id as transaction from bank_matches where tenant_id = $1",
    [tenant.id],
  );
  const taken = new Set(made.map(({ transaction }) => transaction));
  const { rows: left } = await db.owner.query<{ id: string; time: Date }>(
    "select id, time from bank_lines where tenant_id = $1 and status = 'unmatched' order by id limit 300",
    [tenant.id],
  );
  let [asked, right] = [0, 0];
  for (const { id, time } of left) {
    const deposit = noise.deposits.find((one) => one.id === truth.get(id)?.[0]);
    if (!deposit || taken.has(deposit.id) || time.getTime() - deposit.createdAt.getTime() > windowMs) continue;
    asked++;
    const scope = { tenant: tenant.id, currency: tenant.currency };
    const suggestions = await inTenant(db.database, tenant.id, (scoped) => suggestForLine(scoped, scope, id));
    if (suggestions.some(({ transactions }) => transactions.some(({ uuid }) => uuid === deposit.id))) right++;
  }
  const wrong = made.filter(({ line, transaction }) => !truth.get(line)?.includes(transaction));
  return { deposits: noise.deposits.length, lines: noise.lines.length, automatic: made.length, wrong, asked, right, milliseconds };
}
