import { createHash } from "node:crypto";
import type { DepositQuery } from "../../contract/deposits.ts";
import type { PinFigures, pinRoutes } from "../../contract/pins.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Answer, Received } from "../../contract/route.ts";
import type { WithdrawalQuery } from "../../contract/withdrawals.ts";
import { readAsked } from "../../values/asked.ts";
import { requireRights } from "../auth/route-rights.ts";
import type { StaffCall } from "../call.ts";
import { sqlState } from "../db/errors.ts";
import type { Database } from "../db/scope.ts";
import { forReading } from "../db/scope.ts";
import { alone, together } from "../db/together.ts";
import { openDeposits } from "../payments/deposits.ts";
import { readOpenTotals } from "../payments/open-totals.ts";
import type { ToldTotals } from "../payments/transaction-list.ts";
import { openWithdrawals } from "../payments/withdrawals.ts";
import { listAskedOf, listCallOf, listHandlerOf } from "../records/list-calls.ts";
import type { ListAsked, ListCall } from "../records/list-calls.ts";

type Asked = Received<typeof pinRoutes.readPinFigures>["body"]["lists"][number];
type Answered = Answer<typeof pinRoutes.readPinFigures>["data"][number];
/** What is read once for all who ask for the same. */
export type ReadFigures = Omit<PinFigures, "as_of">;

/** What PostgreSQL answers where its time for one statement is over. */
const tooLong = "57014";
const uncounted: ReadFigures = { count: null, sums: {}, oldest_at: null };

/**
 * Count, sums and oldest row of each list as its own handler finds them, under the caller's rights. Many who ask for the same list at once
 * are answered from one reading (shared-reads.ts).
 */
export function readPinFigures(call: StaffCall, lists: readonly Asked[]): Promise<Answered[]> {
  const { groups, permissions } = call.caller;
  const rights = createHash("sha256")
    .update([...groups, "", ...[...permissions].toSorted()].join("\n"))
    .digest("base64");
  return Promise.all(
    lists.map((asked) =>
      figuresOf(call, rights, asked).catch((error: unknown): Answered => {
        if (error instanceof Refusal) return { known: false, code: error.code };
        throw error;
      }),
    ),
  );
}

async function figuresOf(call: StaffCall, rights: string, { screen, query, params }: Asked): Promise<Answered> {
  const list = listCallOf(screen);
  requireRights(list.route, call.caller);
  if (list.route.currency && call.currency === "") throw new Refusal("currency.invalid");
  const { figures } = call.deps;
  const database = forReading(call.deps.database);
  const { value, begunAt } = await figures.read(call.tenant, keyOf(call, rights, list, { query, params }), async (wasQuick) => {
    const began = performance.now();
    const asked = listAskedOf(list, { query, params });
    const open = wasQuick ? await readOpen(call, database, list, asked) : null;
    if (open) return open;
    const work = (within: Database) => read(call, within, list, asked);
    // one that is known to take long keeps no other waiting
    return (wasQuick ? together(database, call.tenant, work) : alone(database, call.tenant, work)).catch((error: unknown) => {
      if (sqlState(error) !== tooLong) throw error;
      return { value: uncounted, took: performance.now() - began };
    });
  });
  return { known: true, ...value, as_of: new Date(begunAt).toISOString() };
}

/** Callers with the same rights find the same rows in a list, unless these are asked for as the caller's own. */
function keyOf(
  { tenant, currency, caller }: StaffCall,
  rights: string,
  { name }: ListCall,
  { query, params = {} }: Pick<Asked, "query" | "params">,
): string {
  const sorted = (parts: Asked["query"]) => Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const isOwn = query["view"] === "mine" || readAsked(query["filter[claimed_by]"] ?? "")?.of.includes("me");
  return JSON.stringify([tenant, currency, name, sorted(query), sorted(params), isOwn ? caller.id : null, rights]);
}

interface Timed {
  readonly value: ReadFigures;
  /** ms. */
  readonly took: number;
}

/** What `read` would answer, counted with the other lists of open rows; null: it must be read by itself. */
async function readOpen(call: StaffCall, database: Database, { name }: ListCall, { query }: ListAsked): Promise<Timed | null> {
  const { tenant, currency } = call;
  // each parsed by its list's route
  const [kind, list] =
    name === "listWithdrawals"
      ? (["withdrawal", openWithdrawals(call, query as WithdrawalQuery)] as const)
      : name === "listDeposits"
        ? (["deposit", openDeposits(call, query as DepositQuery)] as const)
        : [null, null];
  const found = list && (await readOpenTotals(database, { tenant, currency, kind }, list));
  return found && { value: figuresIn(found.totals), took: found.took };
}

async function read(call: StaffCall, database: Database, list: ListCall, asked: ListAsked): Promise<Timed> {
  const handler = await listHandlerOf(list);
  const began = performance.now();
  const { meta } = await handler(
    { ...call, deps: { ...call.deps, database } },
    { ...asked, query: { ...asked.query, direction: "next", limit: 0, with: "count,sums,oldest" } },
  );
  return { value: figuresIn(meta), took: performance.now() - began };
}

const figuresIn = ({ count, sums, oldest_at: oldest }: ToldTotals): ReadFigures => ({
  count: count ?? null,
  sums: sums ?? {},
  oldest_at: oldest ?? null,
});
