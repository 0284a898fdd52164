import { accountMark } from "../../../contract/derived-cells.ts";
import type { PaymentAccount } from "../../../contract/payment-accounts.ts";
import type { IconName } from "../../kit/look/icon-names.ts";
import { markOf } from "../../kit/look/status.tsx";
import type { text } from "../../kit/texts/texts.ts";

interface AccountMark {
  readonly icon: IconName;
  readonly hue: string;
  readonly word: string;
}

/** How an account stands, in one glyph and word: what keeps it from its work, else what its work is. */
export function markOfAccount(row: Pick<PaymentAccount, "status" | "state" | "purpose">, t: typeof text): AccountMark {
  const mark = accountMark(row);
  // grey until it matters: that an account works is no news
  if (mark === "active") return { icon: "approved", hue: "neutral", word: t("status.active") };
  if (mark === "deposit" || mark === "withdrawal") return { icon: mark, hue: "neutral", word: t(`live-balance.only.${mark}`) };
  return { ...markOf(mark), word: t(`status.${mark}`) };
}
