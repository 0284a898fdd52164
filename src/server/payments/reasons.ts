import { Refusal } from "../../contract/problems.ts";
import type { TenantSettings } from "../settings/settings.ts";

/** "other": a reason in one's own words. */
const other = "other";

/**
 * What a rejection is recorded by: the preset's code, or the words given. `told` also carries what was added to a preset.
 * Refuses reason.unknown for no preset of the tenant, reason.missing for "other" without a text.
 */
export function reasonOf(reason: { code: string; text?: string | undefined }, settings: TenantSettings): { kept: string; told: string } {
  const text = reason.text ?? "";
  if (reason.code === other) {
    if (text === "") throw new Refusal("reason.missing", { "reason.text": ["Must be filled in"] });
    return { kept: text, told: text };
  }
  if (!settings.reject_reasons.some(({ code }) => code === reason.code))
    throw new Refusal("reason.unknown", { "reason.code": ["Not one of the tenant’s reasons"] });
  return { kept: reason.code, told: text === "" ? reason.code : `${reason.code}: ${text}` };
}
