import { EntityScreen } from "../../entity/entity-screen.tsx";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { merchantCallbacks } from "./merchant-callbacks-entity.ts";

/** What merchants were told of, and what did not reach them. */
export function Component() {
  return <EntityScreen entity={merchantCallbacks} acts={<CommandButton id="merchant-callback.resend-failed" />} />;
}
