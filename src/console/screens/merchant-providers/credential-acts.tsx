import type { MerchantProviderDetail } from "../../../contract/merchant-providers.ts";
import { CommandButton } from "../../kit/look/command-button.tsx";

/** What can be done about the credentials of a set-up that are kept. */
export function CredentialActs({ detail: { row } }: { readonly detail: MerchantProviderDetail }) {
  return (
    <p className="section-acts">
      {row.has_api_credential && <CommandButton id="merchant-provider.view-api-credential" />}
      {row.has_account_credentials && <CommandButton id="merchant-provider.view-account-credentials" />}
    </p>
  );
}
