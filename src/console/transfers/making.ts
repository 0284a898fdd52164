import type { z } from "zod";
import type { PaymentAccount } from "../../contract/payment-accounts.ts";
import { paymentAccountRoutes } from "../../contract/payment-accounts.ts";
import type { Answer, Route } from "../../contract/route.ts";
import type { Transfer } from "../../contract/transfers.ts";
import type { Draft, Preview } from "../../contract/transfer-forms.ts";
import { transferRoutes as routes } from "../../contract/transfers.ts";
import {
  AdjustmentForm,
  CashOutForm,
  ClearingForm,
  ManualTransferForm,
  SettlementForm,
  TransferForm,
} from "../../contract/transfer-forms.ts";
import { fitsMinorUnit, money, readAmount } from "../../values/money.ts";
import type { Call } from "../api/call.ts";
import type { RecordRow, TransferSheet } from "../kit/commands/desks.ts";
import { splitReferences } from "../kit/form/codecs.ts";
import { amountDecimals } from "../kit/look/amounts.ts";

/** What was made; of a clearing, the account it suspended, and no transfer where there was nothing to clear. */
export interface Made {
  readonly transfer: Transfer | null;
  readonly account?: PaymentAccount;
}

/** How one kind of transfer is written by hand. */
export interface Making {
  readonly schema: z.ZodType;
  /** The field that names what the form was opened for. */
  readonly of: "source" | "merchant";
  readonly groups: readonly { readonly name: "between" | "amount" | "payee" | "proof"; readonly fields: readonly string[] }[];
  /** Judges what is typed so far. */
  judge(call: Call, draft: Draft, signal: AbortSignal): Promise<Preview>;
  send(call: Call, body: Body, key: string, of: RecordRow | undefined): Promise<Made>;
}
type Body = Readonly<Record<string, unknown>>;

type Judging =
  | typeof routes.previewTransfer
  | typeof routes.previewAdjustment
  | typeof routes.previewSettlement
  | typeof routes.previewClearing;
const judgedBy =
  (route: Judging): Making["judge"] =>
  async (call, draft, signal) =>
    // each of these routes takes drafts of the kinds it is named at below
    (await call(route as typeof routes.previewClearing, { body: draft as Draft & { kind: "clearing" } }, { background: true, signal }))
      .data;

type MakingRoute = Route & { readonly answer: typeof routes.createTransfer.answer };
const sentBy =
  (route: MakingRoute): Making["send"] =>
  async (call, body, idempotencyKey) => {
    const sent: object = { body }; // the route's own schema has just read it
    const { data } = (await call(route, sent as never, { quiet: true, idempotencyKey })) as Answer<typeof routes.createTransfer>;
    return { transfer: data };
  };

const between = { name: "between", fields: ["source", "target"] } as const;
const amount = { name: "amount", fields: ["amount", "charges_type", "charges_value"] } as const;

/** Each kind as its form has it. */
export const makings: Readonly<Record<TransferSheet, Making>> = {
  transfer: {
    schema: TransferForm,
    of: "source",
    groups: [between, amount, { name: "proof", fields: ["reference_no", "remark"] }],
    judge: judgedBy(routes.previewTransfer),
    send: sentBy(routes.createTransfer),
  },
  "manual-transfer": {
    schema: ManualTransferForm,
    of: "source",
    groups: [between, amount, { name: "proof", fields: ["payment_date", "reference_no", "remark"] }],
    judge: judgedBy(routes.previewTransfer),
    send: sentBy(routes.createManualTransfer),
  },
  clearing: {
    schema: ClearingForm,
    of: "source",
    groups: [
      { name: "between", fields: ["target"] },
      { name: "amount", fields: ["charges_type", "charges_value"] },
      { name: "proof", fields: ["reason"] },
    ],
    judge: judgedBy(routes.previewClearing),
    async send(call, body, idempotencyKey, of) {
      if (of === undefined) throw new Error("only an account that is named is cleared");
      const sent = { params: { uuid: of.uuid }, body: { ...(body as ClearingForm), version: of.version } }; // as above
      const { data } = await call(paymentAccountRoutes.clearPaymentAccount, sent, { quiet: true, idempotencyKey });
      return { transfer: data.transfer, account: data.row };
    },
  },
  adjustment: {
    schema: AdjustmentForm,
    of: "merchant",
    groups: [
      { name: "amount", fields: ["merchant", "direction", "amount"] },
      { name: "proof", fields: ["reason", "reference_no"] },
    ],
    judge: judgedBy(routes.previewAdjustment),
    send: sentBy(routes.adjustWallet),
  },
  settlement: {
    schema: SettlementForm,
    of: "merchant",
    groups: [
      { name: "amount", fields: ["merchant", "amount", "source", "charges_type", "charges_value"] },
      { name: "payee", fields: ["bank", "account_number", "holder"] },
      { name: "proof", fields: ["reference_no", "remark"] },
    ],
    judge: judgedBy(routes.previewSettlement),
    send: sentBy(routes.createSettlement),
  },
  "cash-out": {
    schema: CashOutForm,
    of: "merchant",
    groups: [
      { name: "amount", fields: ["merchant", "amount"] },
      { name: "proof", fields: ["reference_no", "remark"] },
    ],
    judge: judgedBy(routes.previewSettlement),
    send: sentBy(routes.createCashOut),
  },
};

type Typed = Readonly<Record<string, string>>;

/** A typed amount or rate that is none below zero, and no finer than it may be; undefined: none yet. */
function readSum(typed: string | undefined, decimals: number): string | undefined {
  const read = readAmount(typed ?? "");
  return read === null || money(read) < 0n || !fitsMinorUnit(money(read), decimals) ? undefined : read;
}

/** What is typed as far as it can be judged; null where it names nobody yet. `of`: what is cleared. */
export function draftOf(kind: TransferSheet, typed: Typed, of: RecordRow | undefined): Draft | null {
  const record = (name: "source" | "target" | "merchant") => splitReferences(typed[name] ?? "").chosen[0];
  const parties = { source: kind === "clearing" ? of?.uuid : record("source"), target: record("target"), merchant: record("merchant") };
  if (Object.values(parties).every((uuid) => uuid === undefined)) return null;
  const { direction, charges_type: type } = typed;
  const said = {
    ...parties,
    direction: direction === "credit" || direction === "debit" ? direction : undefined,
    amount: readSum(typed["amount"], amountDecimals()),
    charges_type: type === "fixed" || type === "percent" ? type : undefined,
    charges_value: readSum(typed["charges_value"], type === "percent" ? 4 : amountDecimals()),
  };
  return { kind, ...(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as Omit<Draft, "kind">) }; // those said
}
