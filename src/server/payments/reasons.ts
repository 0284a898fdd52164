import { Refusal } from "../../contract/problems.ts";
import type { TenantSettings } from "../settings/settings.ts";

/** The code of a reason in the operator's own words. */
const other = "other";

/**
 * The reason stored with the rejection (the preset's code, or the text of "other"), and the reason of its event, which adds the text given
 * to a preset. Refuses reason.unknown for a code that is no preset of the tenant, reason.missing for "other" without a text.
 */
export function reasonOf(
  reason: { code: string; text?: string | undefined },
  settings: TenantSettings,
): { rejectReason: string; eventReason: string } {
  const text = reason.text ?? "";
  if (reason.code === other) {
    if (text === "") throw new Refusal("reason.missing", { "reason.text": ["Must be filled in"] });
    return { rejectReason: text, eventReason: text };
  }
  if (!settings.reject_reasons.some(({ code }) => code === reason.code))
    throw new Refusal("reason.unknown", { "reason.code": ["Not one of the tenant’s reasons"] });
  return { rejectReason: reason.code, eventReason: text === "" ? reason.code : `${reason.code}: ${text}` };
}
