import type { MessageKey } from "../texts/messages.ts";
import type { Questions, Services } from "../commands/services.ts";

/** A tenant's rejection reasons as the sheet offers them: its own have a text, the product's are translated. */
export const reasonPresets = (
  reasons: readonly { readonly code: string; readonly text: string | null }[],
  services: Pick<Services, "text">,
): Questions["reason"]["asked"]["presets"] =>
  reasons.map(({ code, text }) => ({ code, text: text ?? services.text(`reason.${code}` as MessageKey) })); // the contract's codes have a text each
