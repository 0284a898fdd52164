import { money } from "../../values/money.ts";
import type { PaymentAccount } from "../../contract/payment-accounts.ts";
import { HoldForm as schema, paymentAccountRoutes } from "../../contract/payment-accounts.ts";
import { useApi } from "../api/use-api.ts";
import { fieldAmount } from "../kit/look/amounts.ts";
import { useText } from "../kit/texts/texts.ts";
import { NewRecord } from "../transactions/new-record.tsx";

export interface HoldFormProps {
  readonly account: PaymentAccount;
  onHeld(account: PaymentAccount): void;
  onLeave(): void;
}

/** An amount of an account that nothing may be paid from, why, and until when; over the hold it has. */
export function HoldForm({ account, onHeld, onLeave }: HoldFormProps) {
  const t = useText();
  const { call } = useApi();
  const { uuid, version, code, hold_amount, hold_reason, hold_until } = account;
  const isHeld = money(hold_amount) > 0n;
  return (
    <NewRecord
      title={t(isHeld ? "transfer.hold.change" : "transfer.hold.title", { name: code })}
      act={t("transfer.hold.act")}
      schema={schema}
      words={{
        label: (name) =>
          name === "amount" ? t("transfer.hold.amount") : name === "until" ? t("transfer.hold.until") : t("transfer.hold.reason"),
        hint: (name) => (name === "until" ? t("transfer.hold.until-hint") : null),
        choice: (_, value) => value,
        example: (name) => (name === "until" ? t("transfer.hold.until-example") : null),
      }}
      groups={[{ title: t("transfer.hold.group"), fields: ["amount", "until", "reason"] }]}
      values={isHeld ? { amount: fieldAmount(hold_amount), reason: hold_reason ?? "", until: hold_until ?? "" } : {}}
      send={async (body, idempotencyKey) => {
        const sent = { params: { uuid }, body: { ...(body as typeof schema._output), version } }; // the route's own schema has just read it
        onHeld((await call(paymentAccountRoutes.holdPaymentAccount, sent, { quiet: true, idempotencyKey })).data);
      }}
      onLeave={onLeave}
    />
  );
}
