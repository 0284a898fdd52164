import type { ClientBase } from "pg";
import { historyTables } from "./load.ts";
import { withoutIndexes } from "./indexes.ts";

/**
 * Copies a seeded demo's decided transactions back in time until there are `count`, so that lists, filters, search and counters have many
 * rows. The copies have no ledger, history or audit rows, so the invariants do not hold: for benchmarks only. `client` is connected as the
 * owner.
 */
export async function seedMany(client: ClientBase, count: number): Promise<void> {
  await client.query("begin");
  try {
    const { rows } = await client.query<{ all: string; decided: string }>(
      "select count(*) as all, count(*) filter (where status not in ('pending', 'process')) as decided from transactions",
    );
    const missing = count - Number(rows[0]?.all);
    const decided = Number(rows[0]?.decided);
    if (missing > 0 && decided === 0) throw new Error("there is no demo to multiply");
    if (missing > 0) {
      const columns = await columnsOf(client);
      const changed: Record<string, string> = {
        id: "uuidv7(-t.back)",
        txn_no: "left(t.txn_no, 1) || to_char(t.created_at - t.back, 'YYMMDD') || nextval('transaction_numbers')",
        merchant_txn_no: "t.merchant_txn_no || '-' || t.round",
        limit_day: "null",
      };
      const value = (name: string) =>
        changed[name] ?? (name.endsWith("_at") || name.endsWith("_until") || name === "payment_date" ? `t.${name} - t.back` : `t.${name}`);
      // the copies have no new names or payees
      await client.query("alter table transactions disable trigger search_terms");
      await withoutIndexes(client, historyTables, async () => {
        await client.query(
          `insert into transactions (${columns.join(", ")})
           select ${columns.map(value).join(", ")}
           from (select t.*, round, round * interval '30 days' as back from transactions t, generate_series(1, $1::integer) round
             where status not in ('pending', 'process') order by round, t.created_at limit $2) t`,
          [Math.ceil(missing / decided), missing],
        );
      });
      await client.query("alter table transactions enable trigger search_terms");
    }
    await client.query("commit");
    await client.query("analyze transactions");
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

async function columnsOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = 'transactions'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum",
  );
  return rows.map(({ name }) => name);
}
