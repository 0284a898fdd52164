import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SubjectName } from "../../../contract/index.ts";
import { receiptRoutesOf } from "../../../contract/receipts.ts";
import type { Route } from "../../../contract/route.ts";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { useKit } from "../../kit/use-kit.ts";
import { pickFile } from "./pick-file.ts";
import type { ReceiptKind } from "./receipt-work.ts";
import { ReceiptWork } from "./receipt-work.ts";

const isKind = (subject: SubjectName): subject is ReceiptKind => subject in receiptRoutesOf;

/** The receipts of a screen's transactions; null where they have none. `read` reads one with its detail. */
export function useReceipts(subject: SubjectName, read: Route): ReceiptWork | null {
  const { call } = useApi();
  const { services } = useKit();
  const queries = useQueryClient();
  const { tenant, currency } = useSignedIn();
  const [work] = useState(() =>
    isKind(subject)
      ? new ReceiptWork({
          kind: subject,
          call,
          services,
          queries,
          scope: [tenant.id, currency?.code ?? null],
          pickFile,
          async readRow(uuid) {
            const { data } = await call(read, { params: { uuid } } as object, { quiet: true });
            return (data as { row: { uuid: string } }).row; // every detail has its row
          },
        })
      : null,
  );
  return work;
}
