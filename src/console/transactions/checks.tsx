import type { Check } from "../../contract/transactions.ts";
import { checkGlyphs, checkTones } from "../kit/look/check-marks.ts";
import { Icon } from "../kit/look/icon.tsx";
import { useText } from "../kit/texts/texts.ts";
import { checkLine } from "./check-lines.ts";

const order = { fail: 0, warn: 1, unknown: 2, notice: 3, pass: 4 } as const;

/** What the server checked before the decision, the worst first. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  const t = useText();
  const count = (result: Check["result"]) => checks.filter((check) => check.result === result).length;
  const sorted = checks.toSorted((a, b) => order[a.result] - order[b.result]);
  return (
    <section className="sec">
      <h2>
        {t("transaction.detail.checks")}
        <span className="end">
          {(["pass", "notice", "warn", "fail", "unknown"] as const).map((result) => (
            <span key={result} className={count(result) > 0 ? checkTones[result] : ""}>
              <Icon name={checkGlyphs[result]} />
              {count(result)}
              <span className="sr">{t(`check.result.${result}`)}</span>
            </span>
          ))}
        </span>
      </h2>
      {sorted.map((check) => {
        const { title, value } = checkLine(check, t);
        const tinted = check.result === "warn" || check.result === "fail" ? ` is-${check.result}` : "";
        return (
          <div key={check.name} className={`ck${tinted}`}>
            <Icon name={checkGlyphs[check.result]} className={checkTones[check.result]} />
            <span>
              <span className="sr">{t(`check.result.${check.result}`)}: </span>
              {title}
            </span>
            <b title={value}>
              <bdi>{value}</bdi>
            </b>
          </div>
        );
      })}
    </section>
  );
}
