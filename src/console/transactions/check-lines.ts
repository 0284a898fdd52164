import type { Check } from "../../contract/transactions.ts";
import { shownAmounts } from "../kit/look/amounts.ts";
import { money } from "../../values/money.ts";
import type { MessageKey, Words } from "../kit/texts/messages.ts";
import { spanText } from "../kit/texts/span-text.ts";

type Text = (key: MessageKey, words?: Words) => string;

/** A check's line: what is checked, and its numbers. */
export function checkLine({ name, result, values }: Check, t: Text): { title: string; value: string } {
  const words = shownAmounts(values);
  const title = t(`check.${name}`, { account: words["account"] ?? "", hours: words["hours"] ?? "" });
  if (result === "unknown") return { title, value: t("check.unknown") };
  return { title, value: valueOf(name, values, words, t) };
}

function valueOf(name: Check["name"], values: Check["values"], words: Record<string, string>, t: Text): string {
  const { minimum, maximum, amount = "" } = words;
  switch (name) {
    case "per-transaction":
      if (minimum === undefined && maximum === undefined) return t("check.no-limit");
      return [minimum, amount, maximum].filter((part) => part !== undefined).join(" ≤ ");
    case "daily-headroom":
    case "monthly-headroom":
      return words["limit"] === undefined ? t("check.no-limit") : t("check.left-of", words);
    case "account-balance":
      return `${words["after"] ?? ""} ≥ 0`;
    case "rate-account":
    case "rate-member":
      if (words["max_count"] !== undefined) return t("check.count-of", { ...words, window: spanText(Number(values["minutes"])) });
      if (words["max_turnover"] !== undefined) return t("check.turnover-of", { ...words, window: spanText(Number(values["minutes"])) });
      return t("check.no-limit");
    case "wallet-hold":
      return money(values["held"] ?? "0") >= money(values["needed"] ?? "0")
        ? `${words["held"] ?? ""} ≥ ${words["needed"] ?? ""}`
        : `${words["held"] ?? ""} + ${words["wallet"] ?? ""} ≥ ${words["needed"] ?? ""}`;
    case "merchant-active":
    case "account-status":
      return t(`status.${values["status"] ?? ""}` as MessageKey); // a merchant's or an account's status
    case "line-amount":
      return words["line"] === undefined ? t("check.no-line") : `${amount} ${words["line"] === amount ? "=" : "≠"} ${words["line"]}`;
    case "proof":
      return t(`check.proof.${values["by"] ?? ""}` as MessageKey); // line, receipt or none
    case "reference-used":
    case "same-payer":
    case "same-payee":
      return words["count"] === "0"
        ? t("check.none")
        : t("check.same-payee.others", { count: Number(words["count"]), id: (words["txn_no"] ?? "").slice(-6) });
    case "first-payee":
      return t(words["first"] === "true" ? "check.first-payee.first" : "check.first-payee.known");
    case "name-match":
      return `${words["likeness"] ?? ""} %`;
  }
}
