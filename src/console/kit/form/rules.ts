import { formatCount } from "../../../values/counts.ts";
import type { text } from "../texts/texts.ts";
import { ruleText } from "../texts/rule-text.ts";
import { amountDecimals, notAmountLine, tooFineLine } from "../look/amounts.ts";
import type { SayRule } from "./fields.ts";

/** What a form says of its fields, in the operator's words; `path` of a row's cell is "attributes.name". */
export interface FormWords {
  label(path: string): string;
  /** What may be written there, where its rule needs words. */
  hint(path: string): string | null;
  /** One of several. */
  choice(path: string, value: string): string;
  /** What is shown while nothing is written there; left out or null: what its control shows. */
  example?(path: string): string | null;
}

/** How a broken rule is said of a field. */
export function ruleSayer(t: typeof text, hintOf: (name: string) => string | null): SayRule {
  return (field, issue) => {
    const { control, required, maximum, between } = field;
    const [least, most] = between;
    if (issue.code === "not_json") {
      const [line = "", column = ""] = issue.message.split(":");
      return t("record.rule.json", { line, column });
    }
    if (issue.code === "not_chosen") return t("form.reference.not-chosen");
    if (issue.code === "missing") return t("record.rule.required");
    if ((control === "count" || control === "minutes") && issue.code !== "custom") {
      return least === null || most === null
        ? t("record.rule.whole")
        : t("record.rule.between", { min: formatCount(least), max: formatCount(most) });
    }
    if (issue.code === "too_small" || (required && issue.code === "invalid_value")) return t("record.rule.required");
    if (issue.code === "too_big" && maximum !== null) return t("record.rule.too-long", { count: maximum });
    if (issue.code === "too_fine") return tooFineLine(t, amountDecimals());
    if (control === "amount") return notAmountLine(t, amountDecimals());
    if (control === "rate" || control === "url") return t(`record.rule.${control}`);
    if (control === "email") return t("record.rule.email");
    if (control === "moment") return t("record.rule.moment");
    if (control === "reference") return t("record.rule.required");
    const hint = hintOf(field.name);
    return hint ?? ruleText(issue.message);
  };
}
