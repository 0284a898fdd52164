import { sql } from "kysely";
import type { TransferDetail } from "../../contract/transfers.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { LedgerAccountKind } from "../db/tables/kinds.ts";
import { legsOf } from "./legs.ts";
import type { TransferRow, TransferScope } from "./transfer-rows.ts";
import { transferView } from "./transfer-rows.ts";

type MoneyLine = TransferDetail["money"][number];

interface LedgerRow {
  readonly id: string;
  readonly kind: LedgerAccountKind;
  readonly label: string;
  readonly balance: string;
}

const shownKinds = ["payment-account", "wallet", "hold", "fee-income", "bank-charges", "adjustment", "settlement"] as const;
const isShown = (kind: LedgerAccountKind): kind is MoneyLine["account"] => shownKinds.some((one) => one === kind);

/** What it moves: as its latest posting did, or while it is pending, as its approval would. */
export async function moneyOf(db: Scoped, row: TransferRow): Promise<MoneyLine[]> {
  if (row.status === "rejected") return [];
  return row.status === "pending" ? expected(db, row) : posted(db, row);
}

/** Names of ledger accounts as people know them. */
const label = sql`coalesce(p.code, m.code, '')`;
const owners = sql`left join payment_accounts p on p.tenant_id = a.tenant_id and p.id = a.owner_id and a.kind = 'payment-account'
  left join merchants m on m.tenant_id = a.tenant_id and m.id = a.owner_id and a.kind <> 'payment-account'`;

async function posted(db: Scoped, { tenant_id, id, kind }: TransferRow): Promise<MoneyLine[]> {
  const { rows } = await sql<{ kind: LedgerAccountKind; label: string; before: string; change: string; after: string }>`
    select a.kind, ${label} as label, e.previous_balance as before, e.amount as change, e.balance as after
    from (select g.id from ledger_groups g where g.tenant_id = ${tenant_id} and g.transaction_id = ${id} and g.kind = ${kind}
      order by g.id desc limit 1) g
    join ledger_entries e on e.tenant_id = ${tenant_id} and e.group_id = g.id
    join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id ${owners}`.execute(db);
  return inOrder(
    rows.flatMap(({ kind: account, label: name, before, change, after }) =>
      isShown(account) ? [{ account, label: name, before: amountText(before), change: amountText(change), after: amountText(after) }] : [],
    ),
  );
}

async function expected(db: Scoped, row: TransferRow): Promise<MoneyLine[]> {
  const { tenant_id, currency, source_id, target_id, merchant_id } = row;
  const { rows } = await sql<LedgerRow & { owner_id: string | null }>`select a.id, a.kind, a.owner_id, a.balance, ${label} as label
    from ledger_accounts a ${owners}
    where a.tenant_id = ${tenant_id} and a.currency = ${currency}
      and (a.owner_id in (${source_id}, ${target_id}, ${merchant_id}) or a.owner_id is null)`.execute(db);
  const ledgerOf = (owner: string | null) =>
    rows.find(({ owner_id, kind }) => owner !== null && owner_id === owner && kind === "payment-account")?.id ?? null;
  const legs = legsOf(row, { source: ledgerOf(source_id), target: ledgerOf(target_id) });
  return inOrder(
    legs.flatMap((leg): MoneyLine[] => {
      if (leg.amount === 0n) return [];
      const found = rows.find((one) => ("account" in leg ? one.id === leg.account : one.kind === leg.kind && one.owner_id === leg.owner));
      const account = "account" in leg ? "payment-account" : leg.kind;
      if (!isShown(account)) return [];
      const before = money(found?.balance ?? "0");
      return [
        {
          account,
          label: found?.label ?? "",
          before: moneyText(before),
          change: moneyText(leg.amount),
          after: moneyText(before + leg.amount),
        },
      ];
    }),
  );
}

const inOrder = (lines: readonly MoneyLine[]): MoneyLine[] =>
  lines.toSorted((a, b) => shownKinds.indexOf(a.account) - shownKinds.indexOf(b.account) || (money(a.change) < money(b.change) ? -1 : 1));

interface SideLine {
  readonly side: "source" | "target";
  readonly id: string;
  readonly time: Date;
  readonly amount: string;
  readonly description: string;
  readonly reference: string | null;
  readonly automatic: boolean;
  readonly by: string | null;
}

/** The bank's line of each side that a payment account stands on; `seesLines`: the reader may see bank lines. */
export async function sidesOf(
  db: Scoped,
  { tenant }: TransferScope,
  row: TransferRow,
  seesLines: boolean,
): Promise<TransferDetail["sides"]> {
  const { source, target } = transferView(row);
  const { rows } = await sql<SideLine>`select b.side, l.id, l.time, l.amount, l.description, l.reference, b.automatic, u.name as by
    from bank_matches b
    join bank_lines l on l.tenant_id = b.tenant_id and l.id = b.line_id
    left join users u on u.id = b.by_user
    where b.tenant_id = ${tenant} and b.transfer_id = ${row.id} and b.undone_at is null and ${seesLines}`.execute(db);
  const lineOf = (side: SideLine["side"]) => {
    const found = rows.find((one) => one.side === side);
    if (!found) return null;
    const { id, time, amount, description, reference, automatic, by } = found;
    return { uuid: id, time: time.toISOString(), amount: amountText(amount), description, reference, automatic, by };
  };
  return (
    [
      ["source", source],
      ["target", target],
    ] as const
  ).flatMap(([side, account]) => (account === null ? [] : [{ side, account, line: lineOf(side) }]));
}
