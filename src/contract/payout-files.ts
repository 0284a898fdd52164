import { z } from "zod";
import { FileAnswer } from "./downloads.ts";
import { defineRoutes } from "./route.ts";
import { Amount, Instant, RowRef, Uuid } from "./wire.ts";

const base = "/service/payment/api/tenant/v1/payout-files";

/** Most withdrawals of one file. */
export const mostPayoutRows = 1_000;

const Asked = z.strictObject({
  template: Uuid,
  rows: z
    .array(
      z.strictObject({
        ...RowRef.shape,
        /** The account that will pay a withdrawal nobody has approved yet; an approved one names its own. */
        payment_account: Uuid.optional(),
      }),
    )
    .min(1)
    .max(mostPayoutRows)
    .refine((rows) => new Set(rows.map(({ uuid }) => uuid)).size === rows.length, "Appears twice"),
});

/** A file a withdrawal stands in. */
export const PayoutMark = z.object({ uuid: Uuid, name: z.string(), template: z.string(), at: Instant, by: z.string() });
export type PayoutMark = z.infer<typeof PayoutMark>;

const ExportedBefore = z.object({ uuid: Uuid, txn_no: z.string(), at: Instant, by: z.string(), file: z.string() });
const RefusedRow = z.object({
  uuid: Uuid,
  txn_no: z.string(),
  /** `values` are those of the code's text. */
  problem: z.object({ code: z.string(), message: z.string(), values: z.record(z.string(), z.string()) }),
});
export type RefusedPayout = z.infer<typeof RefusedRow>;

export const payoutFileRoutes = defineRoutes({
  /** What a file of these rows would be, before anything is marked. */
  previewPayoutFile: {
    method: "POST",
    path: `${base}/preview`,
    permission: "pas.transaction.withdrawals.payout-file",
    currency: true,
    body: Asked,
    answer: z.object({
      /** The first lines, as they would be written. */
      lines: z.array(z.string()),
      count: z.int(),
      amount: Amount,
      /** The accounts that pay them, and how many rows name none. */
      accounts: z.array(z.object({ code: z.string(), count: z.int(), amount: Amount })),
      /** Rows that stand in a file already, with the newest. */
      exported: z.array(ExportedBefore),
      /** Rows that cannot stand in the file. */
      refused: z.array(RefusedRow),
    }),
  },
  /** Writes the file and marks each of its rows, all or none; a row that stands in a file already needs `again`. */
  exportPayoutFile: {
    method: "POST",
    path: base,
    permission: "pas.transaction.withdrawals.payout-file",
    currency: true,
    body: Asked.extend({ again: z.literal(true).optional() }),
    answer: z.object({ uuid: Uuid, name: z.string(), count: z.int(), amount: Amount }),
    refuses: ["payout-file.rows", "payout-file.exported-before"],
  },
  readPayoutFile: {
    method: "GET",
    path: `${base}/{uuid}`,
    permission: "pas.transaction.withdrawals.payout-file",
    currency: true,
    params: z.strictObject({ uuid: Uuid }),
    download: true,
    answer: FileAnswer,
  },
});
