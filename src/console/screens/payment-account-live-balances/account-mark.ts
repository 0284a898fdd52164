import type { PaymentAccount } from "../../../contract/payment-accounts.ts";
import type { IconName } from "../../kit/look/icon-shapes.ts";
import { markOf } from "../../kit/look/status.tsx";
import type { text } from "../../kit/texts/texts.ts";

interface AccountMark {
  readonly icon: IconName;
  readonly hue: string;
  readonly word: string;
}

/** How an account stands, in one glyph and word: what keeps it from its work, else what its work is. */
export function markOfAccount(
  { status, state, purpose }: Pick<PaymentAccount, "status" | "state" | "purpose">,
  t: typeof text,
): AccountMark {
  if (state !== "normal") return { ...markOf(state), word: t(`status.${state}`) };
  if (status !== "active") return { ...markOf(status), word: t(`status.${status}`) };
  // grey until it matters: that an account works is no news
  if (purpose === "both") return { icon: "approved", hue: "neutral", word: t("status.active") };
  return { icon: purpose, hue: "neutral", word: t(`live-balance.only.${purpose}`) };
}
