import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { StatementLine, merchantTransactionRoutes } from "../../contract/merchant-transactions.ts";
import { merchantTransactionColumns as columns } from "../../contract/merchant-transactions.ts";
import { Refusal } from "../../contract/problems.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import type { ListQuery, RecordList } from "../records/record-list.ts";
import { findRecords, listRecords } from "../records/record-list.ts";

interface MovementRow {
  readonly id: string;
  readonly created_at: Date;
  readonly kind: string;
  readonly reason: string | null;
  readonly merchant_id: string;
  readonly merchant_code: string;
  readonly merchant_name: string;
  readonly transaction_id: string | null;
  readonly transaction_kind: TransactionKind | null;
  readonly txn_no: string | null;
  readonly merchant_txn_no: string | null;
  readonly reference_no: string | null;
  readonly amount_in: string | null;
  readonly amount_out: string | null;
  readonly fee: string | null;
  readonly previous_balance: string;
  readonly balance: string;
  readonly by: string | null;
}

type Scope = Pick<StaffCall, "tenant" | "currency">;

/** What a posting earned: a deposit approved again may have had another amount. */
const postedFee = sql`coalesce((select f.amount from ledger_entries f
  join ledger_accounts i on i.tenant_id = f.tenant_id and i.id = f.account_id and i.kind = 'fee-income'
  where f.tenant_id = g.tenant_id and f.group_id = g.id), 0)`;

/**
 * The entries of all merchants' wallets, each named by its posting, which moves a wallet once. A withdrawal costs its fee when it is held
 * and gets it back when it is released, so that the fees of a day are those the merchants bore.
 */
const movementsOf = ({ tenant, currency }: Scope) => sql`select g.id, e.seq, e.created_at, g.kind, g.reason, u.name as by,
    m.id as merchant_id, m.code as merchant_code, m.name as merchant_name,
    x.id as transaction_id, x.kind as transaction_kind, x.txn_no, x.merchant_txn_no, x.reference_no,
    case when e.amount > 0 then e.amount end as amount_in, case when e.amount < 0 then -e.amount end as amount_out,
    case when g.kind = 'deposit' and x.recalls = 0 or g.kind = 'withdrawal.hold' then x.fee
      when g.kind = 'withdrawal.release' then -x.fee when g.kind in ('deposit', 'deposit.recall') then ${postedFee} end as fee,
    e.previous_balance, e.balance
  from ledger_accounts a
  join merchants m on m.tenant_id = a.tenant_id and m.id = a.owner_id
  join ledger_entries e on e.tenant_id = a.tenant_id and e.account_id = a.id
  join ledger_groups g on g.tenant_id = e.tenant_id and g.id = e.group_id
  left join transactions x on x.tenant_id = g.tenant_id and x.id = g.transaction_id
  left join users u on u.id = g.by_user
  where a.tenant_id = ${tenant} and a.currency = ${currency} and a.kind = 'wallet'`;

const amountOrNull = (amount: string | null): string | null => (amount === null ? null : amountText(amount));

const movementView = (row: MovementRow): StatementLine => ({
  uuid: row.id,
  version: 1,
  created_at: row.created_at.toISOString(),
  kind: row.kind,
  merchant_uuid: row.merchant_id,
  merchant_code: row.merchant_code,
  merchant_name: row.merchant_name,
  transaction:
    row.transaction_id === null || row.transaction_kind === null ? null : { uuid: row.transaction_id, kind: row.transaction_kind },
  txn_no: row.txn_no,
  merchant_txn_no: row.merchant_txn_no,
  reference_no: row.reference_no,
  amount_in: amountOrNull(row.amount_in),
  amount_out: amountOrNull(row.amount_out),
  fee: amountOrNull(row.fee),
  previous_balance: amountText(row.previous_balance),
  balance: amountText(row.balance),
  by: row.by,
  reason: row.reason,
});

const list: RecordList<keyof typeof columns> = {
  columns,
  stored: {
    created_at: {
      sort: [
        { name: "created_at", type: "timestamptz" },
        { name: "seq", type: "bigint" },
      ],
    },
  },
};

type Asked = ListQuery & {
  readonly "filter[created_at_from]"?: string | undefined;
  readonly "filter[created_at_to]"?: string | undefined;
  readonly "filter[merchant_code]"?: string | undefined;
};

/** What leaves the statement whole. */
const whole = ["filter[created_at_from]", "filter[created_at_to]", "filter[merchant_code]"];

/**
 * The wallets' balance when the window opens and when it closes, from their balance now and what moved since; none where some of the
 * movements between are left out.
 */
function balancesOf({ tenant, currency }: Scope, asked: Asked): Readonly<Record<string, RawBuilder<unknown>>> {
  const isPart = Object.entries(asked).some(
    ([name, value]) => value !== undefined && (name === "q" || name.startsWith("filter[")) && !whole.includes(name),
  );
  if (isPart) return {};
  const code = asked["filter[merchant_code]"]?.trim() ?? "";
  const wallets = sql`a.tenant_id = ${tenant} and a.currency = ${currency} and a.kind = 'wallet'
    ${code === "" ? sql`` : sql`and exists (select from merchants m where m.tenant_id = a.tenant_id and m.id = a.owner_id and lower(m.code) = lower(${code}::text))`}`;
  const since = (at: RawBuilder<unknown>) => sql`select sum(a.balance - coalesce((select sum(e.amount) from ledger_entries e
    where e.tenant_id = a.tenant_id and e.account_id = a.id and e.created_at >= ${at}), 0)) from ledger_accounts a where ${wallets}`;
  const [from, to] = [asked["filter[created_at_from]"], asked["filter[created_at_to]"]];
  return {
    previous_balance: from === undefined ? sql`select 0` : since(sql`${from}::timestamptz`),
    balance: to === undefined ? sql`select sum(a.balance) from ledger_accounts a where ${wallets}` : since(sql`${to}::timestamptz`),
  };
}

/** A merchant's statement: the ledger as its wallet saw it. */
export const merchantTransactionHandlers: Handlers<typeof merchantTransactionRoutes, StaffCall> = {
  listStatementLines: (call, { query }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const figures = balancesOf(call, query);
      const { rows, meta } = await listRecords<MovementRow, keyof typeof columns>(db, call, { ...list, figures }, movementsOf(call), query);
      return { data: rows.map(movementView), meta };
    }),

  readStatementLine: (call, { params: { uuid } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const [row] = await findRecords<MovementRow>(db, movementsOf(call), [uuid]);
      if (!row) throw new Refusal("not-found");
      return { data: { row: movementView(row) } };
    }),
};
