import { useKit } from "../kit/use-kit.ts";
import { HoldForm } from "./hold-form.tsx";
import { TransferForm } from "./transfer-form.tsx";
import type { OpenSheet } from "./use-transfers.tsx";

/** The form that is open. */
export function TransferSheets({ open, onClose }: { open: OpenSheet; onClose(): void }) {
  const { services } = useKit();
  if (open.as === "hold") return <HoldForm account={open.account} onHeld={(held) => open.answer(held)} onLeave={onClose} />;
  const { kind, of, answer } = open;
  return (
    <TransferForm
      kind={kind}
      {...(of && { of })}
      onMade={({ transfer, account }) => {
        if (account !== undefined) {
          services.changed("payment-account", [account]);
          services.say("payment-account.said.suspended", { name: account.code }, "done");
        }
        answer(transfer);
      }}
      onLeave={onClose}
    />
  );
}
