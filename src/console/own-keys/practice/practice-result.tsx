import { useEffect, useRef, useState } from "react";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { isBetter } from "./best-result.ts";
import type { BestResult } from "./best-result.ts";
import type { PracticeRun } from "./practice-run.ts";

/** The result, the mistakes with their reasons, and the best result so far. */
export function PracticeResult({ run, best, onAgain }: { run: PracticeRun; best: BestResult; onAgain: () => void }) {
  const t = useText();
  const again = useRef<HTMLButtonElement>(null);
  const [{ result, before }] = useState(() => ({ result: run.result(), before: best.read() }));
  const isBest = isBetter(result, before);
  useEffect(() => {
    best.offer(result);
    again.current?.focus();
  }, [best, result]);
  const { mistakes } = run.getState();
  return (
    <aside className="detail practice-result" aria-label={t("practice.result")}>
      <div className="body" tabIndex={-1}>
        <section className="sec">
          <h2>{t("practice.result")}</h2>
          <p className="practice-line">{t("practice.result.line", { count: result.decided, seconds: result.seconds })}</p>
          {result.over > 0 && <p className="t2">{t("practice.result.over", { count: result.over })}</p>}
          {result.over === 0 && result.wrong === 0 && <p className="t2">{t("practice.result.least")}</p>}
          {isBest && <p className="pass">{t("practice.result.best")}</p>}
          {!isBest && before !== null && (
            <p className="t2">{t("practice.result.before", { seconds: before.seconds, wrong: before.wrong, over: before.over })}</p>
          )}
        </section>
        <section className="sec">
          <h2>{t("practice.result.mistakes", { count: mistakes.length })}</h2>
          {mistakes.length === 0 && <p className="pass">{t("practice.result.none-wrong")}</p>}
          <ul>
            {mistakes.map(({ uuid, txnNo, right }) => (
              <li key={uuid}>
                <bdi className="mono">…{txnNo.slice(-6)}</bdi> {t(`practice.right.${right}`)}
              </li>
            ))}
          </ul>
        </section>
      </div>
      <div className="acts">
        <div className="bar">
          <button ref={again} type="button" className="btn go" onClick={onAgain}>
            {t("practice.again")}
            <KeyCap chord="Enter" />
          </button>
        </div>
      </div>
    </aside>
  );
}
