import type { ClientBase } from "pg";
import { historyTables } from "./load.ts";
import { withoutIndexes } from "./indexes.ts";

/**
 * Copies a seeded demo's decided transactions back in time until there are `count`, so that lists, filters, search and counters have many
 * rows. The copies have no history or audit rows, so the invariants do not hold: for benchmarks only; `movements` copies what the ledger
 * has of them, too, which needs an owner who is a superuser. `client` is connected as the owner.
 */
export async function seedMany(client: ClientBase, count: number, { movements = false } = {}): Promise<void> {
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
        id: "t.copy_id",
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
          `create temp table copies on commit drop as
           select t.tenant_id, t.id, uuidv7(-back) as copy_id, round, back
           from (select t.*, round, round * interval '30 days' as back from transactions t, generate_series(1, $1::integer) round
             where status not in ('pending', 'process') order by round, t.created_at limit $2) t`,
          [Math.ceil(missing / decided), missing],
        );
        await client.query(
          `insert into transactions (${columns.join(", ")}) select ${columns.map(value).join(", ")}
           from (select t.*, c.copy_id, c.round, c.back from copies c join transactions t using (tenant_id, id)) t`,
        );
      });
      await client.query("alter table transactions enable trigger search_terms");
      if (movements) await copyMovements(client);
    }
    await client.query("commit");
    await client.query(movements ? "analyze transactions, ledger_groups, ledger_entries" : "analyze transactions");
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

/** An account's copied entries come before its own, so their numbers are below zero. */
async function copyMovements(client: ClientBase): Promise<void> {
  await client.query("set local session_replication_role = replica");
  await client.query(`create temp table group_copies on commit drop as
    select g.tenant_id, g.id, uuidv7(-c.back) as copy_id, c.copy_id as transaction_id, c.back
    from copies c join ledger_groups g on g.tenant_id = c.tenant_id and g.transaction_id = c.id`);
  await withoutIndexes(client, ["ledger_groups", "ledger_entries"], async () => {
    await client.query(`insert into ledger_groups (tenant_id, id, kind, currency, transaction_id, by_user, reason, created_at)
      select g.tenant_id, c.copy_id, g.kind, g.currency, c.transaction_id, g.by_user, g.reason, g.created_at - c.back
      from group_copies c join ledger_groups g using (tenant_id, id)`);
    await client.query(`insert into ledger_entries
        (tenant_id, account_id, seq, group_id, currency, side, amount, previous_balance, balance, account_kind, rare_kind, created_at)
      select e.tenant_id, e.account_id,
        -row_number() over (partition by e.tenant_id, e.account_id order by e.created_at - c.back desc, e.seq desc),
        c.copy_id, e.currency, e.side, e.amount, e.previous_balance, e.balance, e.account_kind, e.rare_kind, e.created_at - c.back
      from group_copies c join ledger_entries e on e.tenant_id = c.tenant_id and e.group_id = c.id`);
  });
  await client.query("set local session_replication_role = origin");
}

async function columnsOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = 'transactions'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum",
  );
  return rows.map(({ name }) => name);
}
