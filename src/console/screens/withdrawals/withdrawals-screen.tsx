import type { ClipboardEvent } from "react";
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { useApi } from "../../api/use-api.ts";
import { useKit } from "../../kit/use-kit.ts";
import { DecisionScreen } from "../../transactions/decision-screen.tsx";
import { BankPageContext } from "./bank-page/bank-fields.tsx";
import { createBankPage } from "./bank-page/bank-page.ts";
import { SlipSheet } from "./bank-page/slip-sheet.tsx";
import { takeSlip } from "./bank-page/take-slip.ts";
import { withdrawalColumns } from "./columns.ts";
import { Detail } from "./detail.tsx";
import { useComposer } from "./use-composer.tsx";
import { withdrawals } from "./withdrawals.ts";

/** A bank's slip is compared by pasting it onto the list or the card. */
export function Component() {
  const { call } = useApi();
  const kit = useKit();
  const { services } = kit;
  const [page] = useState(() => createBankPage(services));
  const slip = useStore(page.store, (state) => state.slip);
  const lends = useMemo(() => ({ bankPage: page.desk }), [page]);

  const onPaste = (event: ClipboardEvent) => {
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    const pasted = event.clipboardData.getData("text/plain");
    if (isField || slip !== null || event.clipboardData.files.length > 0 || pasted.trim() === "") return;
    event.preventDefault();
    page.given(pasted);
    kit.run("withdrawal.slip", "key");
    page.given("");
  };

  return (
    <BankPageContext value={page}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the command has a key of its own */}
      <div className="with-bank-page" onPaste={onPaste}>
        <DecisionScreen
          kind={withdrawals}
          columns={withdrawalColumns}
          Detail={Detail}
          lends={lends}
          onRow={page.came}
          useMore={useComposer}
        />
      </div>
      {slip !== null && (
        <SlipSheet
          row={slip.row}
          pasted={slip.text}
          onLeave={page.closeSlip}
          onTake={(reference) => {
            page.closeSlip();
            void takeSlip(slip.row, reference, { call, services });
          }}
        />
      )}
    </BankPageContext>
  );
}
