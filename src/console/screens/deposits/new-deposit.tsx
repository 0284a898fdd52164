import type { Deposit } from "../../../contract/deposits.ts";
import { ManualDeposit } from "../../../contract/deposits.ts";
import { depositRoutes } from "../../../contract/deposit-routes.ts";
import { useApi } from "../../api/use-api.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { hasText, useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import type { CreateProps } from "../../transactions/decision-screen.tsx";
import { NewRecord } from "../../transactions/new-record.tsx";
import { newDepositSections } from "./new-deposit-sections.ts";

/** A deposit by hand, for money that came without its merchant asking for it. */
export function NewDeposit({ onCreated, onLeave }: CreateProps<Deposit>) {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  return (
    <NewRecord
      title={t("deposit.new")}
      schema={ManualDeposit}
      words={{
        label(name) {
          const key = `deposit.field.${name}`;
          return hasText(key) ? t(key) : name;
        },
        hint: () => null,
        choice: (_, value) => value,
      }}
      groups={newDepositSections.map(({ name, fields }) => ({ title: t(`deposit.section.${name}`), fields }))}
      send={async (body, idempotencyKey) => {
        const sent = { body: body as ManualDeposit }; // the route's own schema has just read it
        const { data } = await call(depositRoutes.createManualDeposit, sent, { idempotencyKey, quiet: true });
        onCreated(data);
        services.say(
          "deposit.said.created",
          { id: `…${data.txn_no.slice(-6)}`, amount: `${shownAmount(data.amount)} ${data.currency}` },
          "done",
        );
      }}
      onLeave={onLeave}
    />
  );
}
