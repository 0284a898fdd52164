import { z } from "zod";
import { FileAnswer } from "./downloads.ts";
import { defineRoutes } from "./route.ts";
import { Instant, Line, Uuid } from "./wire.ts";

/** What a receipt may be; decided by its content, never by its name. */
export const receiptTypes = ["image/png", "image/jpeg", "image/webp", "application/pdf"] as const;
export type ReceiptType = (typeof receiptTypes)[number];

/** Bytes a receipt may have. */
export const mostReceiptBytes = 5 * 1024 * 1024;

/** Receipts a transaction may have at a time. */
export const mostReceipts = 10;

export const Receipt = z.object({
  uuid: Uuid,
  type: z.enum(receiptTypes),
  /** Bytes of the file. */
  size: z.int(),
  /** sha256 of the file as it was sent, in hexadecimal digits. */
  hash: z.string(),
  name: z.string(),
  at: Instant,
  by: z.string(),
});
export type Receipt = z.infer<typeof Receipt>;

/** The receipts of a transaction, oldest first, and the version an act on it must name from now on. */
const Receipts = z.object({ receipts: z.array(Receipt), version: z.int() });

const params = z.strictObject({ uuid: Uuid });
const one = z.strictObject({ uuid: Uuid, receipt: Uuid });

/** Why a file cannot be a receipt. */
export const fileRefusals = [
  "receipt.type",
  "receipt.damaged",
  "receipt.oversized",
  "receipt.active",
  "receipt.locked",
  "receipt.known",
  "receipt.limit",
] as const;

const deposits = { base: "/service/payment/api/tenant/v1/deposits", area: "pas.transaction.deposits" } as const;
const withdrawals = { base: "/service/payment/api/tenant/v1/withdrawals", area: "pas.transaction.withdrawals" } as const;
const transfers = { base: "/service/payment/api/tenant/v1/transfers", area: "pas.transaction.transfers" } as const;
type Owner = typeof deposits | typeof withdrawals | typeof transfers;

const list = <const O extends Owner>({ base, area }: O) =>
  ({ method: "GET", path: `${base}/{uuid}/receipts`, permission: `${area}.view`, currency: true, params, answer: Receipts }) as const;

const add = <const O extends Owner>({ base, area }: O) =>
  ({
    method: "POST",
    path: `${base}/{uuid}/receipts`,
    permission: `${area}.receipt`,
    currency: true,
    params,
    file: { most: mostReceiptBytes },
    answer: Receipts,
    refuses: [...fileRefusals, "request.in-progress", "request.idempotency-mismatch"],
  }) as const;

const read = <const O extends Owner>({ base, area }: O) =>
  ({
    method: "GET",
    path: `${base}/{uuid}/receipts/{receipt}`,
    permission: `${area}.view`,
    currency: true,
    params: one,
    answer: FileAnswer,
    download: true,
    refuses: ["receipt.unavailable"],
  }) as const;

/** Only while the transaction is not decided. */
const remove = <const O extends Owner>({ base, area }: O) =>
  ({
    method: "POST",
    path: `${base}/{uuid}/receipts/{receipt}/remove`,
    permission: `${area}.receipt`,
    currency: true,
    params: one,
    body: z.strictObject({ reason: Line(500) }),
    answer: Receipts,
    refuses: ["receipt.kept"],
  }) as const;

export const receiptRoutes = defineRoutes({
  listDepositReceipts: list(deposits),
  addDepositReceipt: add(deposits),
  readDepositReceipt: read(deposits),
  removeDepositReceipt: remove(deposits),
  listWithdrawalReceipts: list(withdrawals),
  addWithdrawalReceipt: add(withdrawals),
  readWithdrawalReceipt: read(withdrawals),
  removeWithdrawalReceipt: remove(withdrawals),
  listTransferReceipts: list(transfers),
  addTransferReceipt: add(transfers),
  readTransferReceipt: read(transfers),
  removeTransferReceipt: remove(transfers),
});

/** The routes of the receipts of one kind of transaction. */
export const receiptRoutesOf = {
  deposit: {
    list: receiptRoutes.listDepositReceipts,
    add: receiptRoutes.addDepositReceipt,
    read: receiptRoutes.readDepositReceipt,
    remove: receiptRoutes.removeDepositReceipt,
  },
  withdrawal: {
    list: receiptRoutes.listWithdrawalReceipts,
    add: receiptRoutes.addWithdrawalReceipt,
    read: receiptRoutes.readWithdrawalReceipt,
    remove: receiptRoutes.removeWithdrawalReceipt,
  },
  transfer: {
    list: receiptRoutes.listTransferReceipts,
    add: receiptRoutes.addTransferReceipt,
    read: receiptRoutes.readTransferReceipt,
    remove: receiptRoutes.removeTransferReceipt,
  },
} as const;
