import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { TransferKind } from "../../contract/transfer-forms.ts";
import type { Money } from "../../values/money.ts";
import { money, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import { sqlState, violated } from "../db/errors.ts";
import type { Last } from "../db/transaction.ts";
import type { LedgerAccountKind, TransactionKind } from "../db/tables/kinds.ts";
import { touch } from "../payments/touched.ts";

/** An amount that counts against a payment account's daily and monthly limits; the day is in the currency's zone. */
export interface LimitUse {
  readonly account: string;
  readonly kind: TransactionKind;
  readonly day: string;
  readonly amount: string;
}

/** The change of one account's balance; above zero raises it. The account is named by kind and owner (created when missing), or by id. */
export type Leg =
  | { readonly kind: LedgerAccountKind; readonly owner: string | null; readonly amount: Money }
  | { readonly account: string; readonly amount: Money };

interface Posting {
  readonly kind: string;
  readonly currency: string;
  readonly transaction: string | null;
  /** null: the system or a merchant. */
  readonly by: string | null;
  readonly reason?: string | null;
  readonly legs: readonly Leg[];
  /** Requires the paying account to be active and to keep its hold and reserve. */
  readonly guard?: true;
  /** Counts against a payment account's limits first; refused as payment-account.over-limit. */
  readonly take?: LimitUse;
}

interface Posted {
  /** null: nothing moved. */
  readonly group: string | null;
  /** The ledger account and its owner, its balance before and after, per account moved. */
  readonly entries: readonly {
    readonly id: string;
    readonly kind: LedgerAccountKind;
    readonly owner: string | null;
    readonly previous: string;
    readonly balance: string;
  }[];
  /** Payment accounts that became critical or ceased to be. */
  readonly flipped: readonly string[];
}

/** What is answered of a posting, as selected. */
interface PostedRow {
  readonly posted: string | null;
  readonly entries: Posted["entries"] | null;
  readonly flipped: string[] | null;
}

function posts(posting: Posting): RawBuilder<PostedRow> {
  const legs = posting.legs.map(({ amount, ...rest }) => ({ ...rest, amount: moneyText(amount) }));
  return sql<PostedRow>`
    select * from post_legs(${posting.kind}, ${posting.currency}, ${posting.transaction}, ${posting.by}, ${posting.reason ?? null},
      ${JSON.stringify(legs)}::jsonb, ${posting.guard ?? false}, ${posting.take ? JSON.stringify(posting.take) : null}::jsonb)`;
}

function refusalOf(error: unknown): unknown {
  if (violated(error) === "no_overdraft") return new Refusal("merchant.insufficient-balance");
  if (sqlState(error) === "CH002") return new Refusal("payment-account.over-limit");
  if (sqlState(error) === "CH001") return new Refusal("payment-account.insufficient");
  if (sqlState(error) === "CH003") return new Refusal("payment-account.unfit");
  return error;
}

function postedOf(db: Scoped, row: PostedRow | undefined): Posted {
  touch(
    db,
    (row?.entries ?? []).flatMap(({ kind, owner }) => (kind === "payment-account" ? [owner] : [])),
  );
  return { group: row?.posted ?? null, entries: row?.entries ?? [], flipped: row?.flipped ?? [] };
}

/**
 * Posts one balanced group, without its zero legs. It is the last check behind every race: refuses merchant.insufficient-balance for an
 * overdrawn wallet or hold, payment-account.insufficient for a guarded payment account, payment-account.unfit when that is no longer
 * active.
 */
export async function post(db: Scoped, posting: Posting): Promise<Posted> {
  const { rows } = await posts(posting)
    .execute(db)
    .catch((error: unknown) => {
      throw refusalOf(error);
    });
  return postedOf(db, rows[0]);
}

/**
 * The same together with the commit, so that the balances, which many others wait for, are locked no longer than PostgreSQL takes.
 * @param posted told of it; the commit may fail yet
 * @param refused what is thrown instead of a refusal
 */
export const lastPost = (
  db: Scoped,
  posting: Posting,
  posted: (posted: Posted) => void,
  refused: (error: unknown) => unknown = (error) => error,
): Last => ({
  statement: posts(posting),
  answered: ([row]) => posted(postedOf(db, row as PostedRow | undefined)), // as selected
  refused: (error) => refused(refusalOf(error)),
});

/** The fields of a transaction a posting needs. */
interface Moved {
  readonly id: string;
  readonly currency: string;
  readonly merchant_id: string;
  readonly fee: string;
  readonly charges: string;
  readonly charges_borne_by: "merchant" | "house";
  readonly final_amount: string;
  readonly merchant_amount: string;
}

const platformCharges = (moved: Moved): Money => (moved.charges_borne_by === "house" ? money(moved.charges) : 0n);

/**
 * What the platform earns of a transaction and bears of its charges, per merchant, because one account of the whole tenant would let all its
 * decisions wait for each other. Those of the tenant itself hold what was posted before, and the charges of its own transfers.
 */
const earnedLegs = (moved: Moved): Leg[] => [
  { kind: "fee-income", owner: moved.merchant_id, amount: money(moved.fee) },
  { kind: "bank-charges", owner: moved.merchant_id, amount: platformCharges(moved) },
];

/** At creation: the cost to the merchant moves from wallet to hold. */
export function holdLegs(moved: Moved): Leg[] {
  const amount = money(moved.merchant_amount);
  return [
    { kind: "wallet", owner: moved.merchant_id, amount: -amount },
    { kind: "hold", owner: moved.merchant_id, amount },
  ];
}

/** At rejection or expiry: the whole hold returns to the wallet. */
export function releaseLegs(moved: Moved): Leg[] {
  return holdLegs(moved).map((leg) => ({ ...leg, amount: -leg.amount }));
}

/**
 * At approval: the hold ends, the account pays amount + charges, the platform earns its fee and bears the charges the merchant does not.
 * `held` is the amount of the hold; if the charges borne by the merchant differ from those held, the wallet gets the difference.
 */
export function settleLegs(moved: Moved, held: Money, payingLedger: string): Leg[] {
  return [
    { kind: "hold", owner: moved.merchant_id, amount: -held },
    { kind: "wallet", owner: moved.merchant_id, amount: held - money(moved.merchant_amount) },
    { account: payingLedger, amount: -money(moved.final_amount) },
    ...earnedLegs(moved),
  ];
}

/** At a deposit's approval: the account and the merchant's wallet are credited. */
export function creditLegs(moved: Moved, receivingLedger: string): Leg[] {
  return [
    { account: receivingLedger, amount: money(moved.final_amount) },
    { kind: "wallet", owner: moved.merchant_id, amount: money(moved.merchant_amount) },
    ...earnedLegs(moved),
  ];
}

/** The legs that reverse the latest settlement of a transaction or transfer, entry by entry, and the amount of the hold it had ended. */
export async function reversalOf(
  db: Scoped,
  { tenant_id, id, kind }: { readonly tenant_id: string; readonly id: string; readonly kind: TransactionKind | TransferKind },
): Promise<{ legs: Leg[]; held: Money }> {
  const { rows } = await sql<{ account_id: string; amount: string; kind: LedgerAccountKind }>`
    select e.account_id, e.amount, a.kind
    from (select id from ledger_groups where tenant_id = ${tenant_id} and transaction_id = ${id} and kind = ${kind}
      order by id desc limit 1) g
    join ledger_entries e on e.tenant_id = ${tenant_id} and e.group_id = g.id
    join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id`.execute(db);
  const hold = rows.find((row) => row.kind === "hold");
  if (rows.length === 0 || (kind === "withdrawal" && !hold)) throw new Error(`${kind} ${id} was never settled`);
  return {
    legs: rows.map(({ account_id, amount }) => ({ account: account_id, amount: -money(amount) })),
    held: hold ? -money(hold.amount) : 0n,
  };
}
