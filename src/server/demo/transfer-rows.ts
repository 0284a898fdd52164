import { moneyText } from "../../values/money.ts";
import type { Money } from "../../values/money.ts";
import type { BookAccount } from "./books.ts";
import type { PastPosting } from "./past-events.ts";
import type { PastTransfer } from "./transfers.ts";
import { actOf, createdAt, heldFor, leaving, postedAt, statusOf } from "./transfers.ts";

const minute = 60_000;

/** The postings of a transfer, in order. */
export function transferPostings(one: PastTransfer): PastPosting[] {
  const { book, kind, source, target, merchant, amount, charges, fee } = one;
  const [made] = one.acts;
  const at = postedAt(one);
  const posted = one.acts.find((act) => act.at === at)?.by ?? null;
  const bankCharges: PastPosting["legs"] = charges === 0n ? [] : [[book.chargesId, charges]];
  if (kind === "adjustment") {
    const change = one.direction === "credit" ? amount : -amount;
    const legs = [
      [merchant?.walletId ?? "", change],
      [book.adjustmentId, change],
    ] as const;
    return at === null ? [] : [{ kind, at, by: posted?.id ?? null, legs }];
  }
  if (kind === "settlement") {
    const held = heldFor(one);
    const [wallet, hold] = [merchant?.walletId ?? "", merchant?.holdId ?? ""];
    const holding: PastPosting = {
      kind: "settlement.hold",
      at: made.at,
      by: made.by?.id ?? null,
      legs: [
        [wallet, -held],
        [hold, held],
      ],
    };
    if (at === null) return [holding];
    const legs: PastPosting["legs"] = [[hold, -held], [source?.ledgerId ?? "", -leaving(one)], [book.feeId, fee], ...bankCharges];
    return [holding, { kind, at, by: posted?.id ?? null, legs }];
  }
  if (at === null) return [];
  const legs: PastPosting["legs"] = [[source?.ledgerId ?? "", -leaving(one)], [target?.ledgerId ?? "", amount], ...bankCharges];
  return [{ kind, at, by: posted?.id ?? null, legs }];
}

/** What it counts against an account's limits. */
export function transferUses(
  one: PastTransfer,
): { readonly account: BookAccount; readonly kind: "deposit" | "withdrawal"; readonly amount: Money }[] {
  if (statusOf(one) === "rejected") return [];
  return [
    ...(one.source ? [{ account: one.source, kind: "withdrawal" as const, amount: leaving(one) }] : []),
    ...(one.target ? [{ account: one.target, kind: "deposit" as const, amount: one.amount }] : []),
  ];
}

export const transferColumns = [
  "tenant_id uuid",
  "id uuid",
  "kind text",
  "txn_no text",
  "status text",
  "currency text",
  "source_id uuid",
  "target_id uuid",
  "merchant_id uuid",
  "direction text",
  "bank text",
  "account_number text",
  "holder text",
  "amount numeric",
  "fee numeric",
  "charges numeric",
  "final_amount numeric",
  "merchant_amount numeric",
  "tier smallint",
  "reference_no text",
  "reason text",
  "remark text",
  "payment_date timestamptz",
  "previous_balance numeric",
  "limit_day date",
  "first_approved_by uuid",
  "first_approved_at timestamptz",
  "created_at timestamptz",
  "created_by uuid",
  "approved_at timestamptz",
  "approved_by uuid",
  "rejected_at timestamptz",
  "rejected_by uuid",
  "reject_reason text",
  "completed_at timestamptz",
  "last_action_at timestamptz",
  "last_action_by uuid",
  "last_actor text",
  "version integer",
  "updated_at timestamptz",
];

/** The day of its creation in the currency's zone. */
export const transferDay = (one: PastTransfer): string =>
  new Date(createdAt(one) + one.book.facts.zoneMinutes * minute).toISOString().slice(0, 10);

/** A row of `transfers`; `number` counts on after the transactions. */
export function transferValues(one: PastTransfer, number: number, previous: ReadonlyMap<string, string>): readonly unknown[] {
  const [made] = one.acts;
  const last = one.acts.at(-1) ?? made;
  const at = postedAt(one);
  const posted = one.acts.find((act) => act.at === at);
  const rejected = actOf(one, "reject");
  const completed = one.acts.find(({ to }) => to === "completed");
  const uses = transferUses(one);
  return [
    one.book.tenant,
    one.id,
    one.kind,
    `T${transferDay(one).slice(2).replaceAll("-", "")}${String(number).padStart(7, "0")}`,
    statusOf(one),
    one.book.facts.currency,
    one.source?.id,
    one.target?.id,
    one.merchant?.id,
    one.direction,
    one.payee?.bank,
    one.payee?.number,
    one.payee?.holder,
    moneyText(one.amount),
    moneyText(one.fee),
    moneyText(one.charges),
    moneyText(leaving(one)),
    one.kind === "settlement" ? moneyText(heldFor(one)) : null,
    one.tier,
    one.reference,
    one.reason,
    one.remark,
    one.kind === "manual-transfer" ? new Date(made.at - 30 * minute) : null,
    previous.get(one.id),
    uses.length > 0 ? transferDay(one) : null,
    one.tier === 3 ? made.by?.id : null,
    one.tier === 3 ? new Date(made.at) : null,
    new Date(made.at),
    made.by?.id,
    at === null ? null : new Date(at),
    posted?.by?.id,
    rejected && new Date(rejected.at),
    rejected?.by?.id,
    rejected?.reason,
    completed && new Date(completed.at),
    new Date(last.at),
    last.by?.id,
    last.by?.name ?? "system",
    one.acts.length,
    new Date(last.at),
  ];
}
