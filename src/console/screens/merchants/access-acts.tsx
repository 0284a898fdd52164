import type { MerchantDetail } from "../../../contract/merchants.ts";
import { CommandButton } from "../../kit/look/command-button.tsx";

interface OfMerchant {
  readonly detail: MerchantDetail;
}

/** What can be done about the secrets a merchant signs with. */
export function KeyActs({ detail: { row } }: OfMerchant) {
  return (
    <p className="section-acts">
      <CommandButton id="merchant.view-secret" />
      <CommandButton id="merchant.reset-credentials" />
      {row.old_secret_until !== null && <CommandButton id="merchant.revoke-old-secret" look="no" />}
    </p>
  );
}

/** What can be done about the address callbacks go to. */
export function CallbackActs({ detail: { endpoint } }: OfMerchant) {
  if (endpoint.state === "none") return null;
  return (
    <p className="section-acts">
      <CommandButton id="merchant.test-callback" />
      {endpoint.state === "disabled" && <CommandButton id="merchant.enable-callbacks" />}
    </p>
  );
}
