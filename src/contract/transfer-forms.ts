import { z } from "zod";
import { parseMoney } from "../values/money.ts";
import { inCurrency } from "./amounts.ts";
import { control } from "./controls.ts";
import { AccountNumber, Amount, Instant, Line, Name, PositiveAmount, Uuid } from "./wire.ts";

/**
 * transfer: between two payment accounts, once it is confirmed or the bank's lines of both prove it · manual-transfer: one that was done
 * already · clearing: the whole balance of an account that is suspended · adjustment: of a merchant's wallet · settlement: out of a wallet to
 * the merchant's bank, or as a cash-out.
 */
export const transferKinds = ["transfer", "manual-transfer", "clearing", "adjustment", "settlement"] as const;
export type TransferKind = (typeof transferKinds)[number];

export const adjustmentDirections = ["credit", "debit"] as const;

const text = (most: number, kind: "text" | "lines" = "text") => z.string().trim().max(most).meta(control(kind));
const Account = Uuid.meta(control("reference", "payment-accounts"));
const MerchantRef = Uuid.meta(control("reference", "merchants"));
const charges = {
  charges_type: z.enum(["fixed", "percent"]).meta(control("choice")),
  /** An amount, or percent with up to 4 decimals; empty: none. */
  charges_value: inCurrency(
    z
      .string()
      .trim()
      .max(21)
      .refine(
        (typed) => typed === "" || (Amount.safeParse(typed).success && !typed.startsWith("-")),
        "Must be an amount, or empty for none",
      )
      .meta(control("amount")),
    { charges_type: "fixed" },
  ),
};
const amount = inCurrency(PositiveAmount.meta(control("amount")));

const between = { source: Account, target: Account, amount, ...charges, reference_no: text(60), remark: text(500, "lines") };

export const TransferForm = z.strictObject(between);
export type TransferForm = z.infer<typeof TransferForm>;

/** A transfer that was done already, and when. */
export const ManualTransferForm = z.strictObject({
  ...between,
  reference_no: Line(60).meta(control("text")),
  payment_date: Instant.meta(control("moment")),
});
export type ManualTransferForm = z.infer<typeof ManualTransferForm>;

export const AdjustmentForm = z.strictObject({
  merchant: MerchantRef,
  direction: z.enum(adjustmentDirections).meta(control("choice")),
  amount,
  reason: Line(500).meta(control("lines")),
  reference_no: text(60),
});
export type AdjustmentForm = z.infer<typeof AdjustmentForm>;

/** A settlement to the merchant's bank, which one of our accounts pays. */
export const SettlementForm = z.strictObject({
  merchant: MerchantRef,
  amount,
  source: Account,
  bank: Name(60),
  account_number: AccountNumber,
  holder: Name(120),
  ...charges,
  reference_no: text(60),
  remark: text(500, "lines"),
});
export type SettlementForm = z.infer<typeof SettlementForm>;

/** A settlement that leaves by no payment account, known by its reference. */
export const CashOutForm = z.strictObject({
  merchant: MerchantRef,
  amount,
  reference_no: Line(60).meta(control("text")),
  remark: text(500, "lines"),
});
export type CashOutForm = z.infer<typeof CashOutForm>;

/** Where the whole balance of a suspended account goes: to another account, or empty, to adjustment. */
export const ClearingForm = z.strictObject({
  target: z.union([Account, z.literal("")]).meta(control("reference", "payment-accounts")),
  ...charges,
  reason: Line(500).meta(control("lines")),
});
export type ClearingForm = z.infer<typeof ClearingForm>;

/** What is about to be made, as far as it is typed. */
const draft = {
  source: Uuid.optional(),
  target: Uuid.optional(),
  merchant: Uuid.optional(),
  direction: z.enum(adjustmentDirections).optional(),
  amount: Amount.optional(),
  charges_type: charges.charges_type.optional(),
  charges_value: charges.charges_value.optional(),
} as const;
const draftKinds = [...transferKinds, "cash-out"] as const;
type DraftKind = (typeof draftKinds)[number];
const Draft = z.strictObject({ kind: z.enum(draftKinds), ...draft });
export type Draft = z.infer<typeof Draft>;
export const draftOf = <const K extends readonly [DraftKind, ...DraftKind[]]>(...kinds: K) =>
  z.strictObject({ kind: z.enum(kinds), ...draft });

/** What a draft would come to: it may be more than an amount may be, because nothing has refused the draft yet. */
const Figure = inCurrency(z.string().refine((text) => parseMoney(text) !== null));
const Use = z.object({ used: Figure, after: Figure, limit: Figure.nullable() });

/** One side of what is about to be made: what it has, and would keep. */
const DraftSide = z.object({
  side: z.enum(["source", "target", "wallet"]),
  uuid: Uuid,
  code: z.string(),
  name: z.string(),
  balance: Figure,
  balance_after: Figure,
  /** What it may still pay: of a wallet its balance. */
  payable: Figure,
  payable_after: Figure,
  /** The limits it counts against; null: none. */
  daily: Use.nullable(),
  monthly: Use.nullable(),
  /** What its bank takes of a payment; null where it pays none. */
  charges: z.object({ charges_type: z.enum(["fixed", "percent"]), charges_value: z.string() }).nullable(),
});

/** Judged by the rules that make it; nothing is kept. */
export const Preview = z.object({
  tier: z.int().min(1).max(3),
  amount: Figure,
  charges: Figure,
  fee: Figure,
  final_amount: Figure,
  merchant_amount: Figure.nullable(),
  /** The least a settlement may be, and the most the wallet can pay with its fee; null: no settlement. */
  least: Figure.nullable(),
  most: Figure.nullable(),
  /** Whom the merchant's last settlement paid; null: there was none. */
  payee: z.object({ bank: z.string(), account_number: z.string(), holder: z.string() }).nullable(),
  sides: z.array(DraftSide),
  /** Why it would be refused as it stands; null: it would not. */
  refusal: z.object({ code: z.string(), message: z.string(), data: z.unknown().optional() }).nullable(),
});
export type Preview = z.infer<typeof Preview>;
