import type { CallbackAttempt, MerchantCallbackDetail } from "../../../contract/merchant-callbacks.ts";
import { formatCount } from "../../../values/counts.ts";
import { Instant } from "../../api/instant.tsx";
import { useText } from "../../kit/texts/texts.ts";
import "./tries.css";

/** Each attempt, the newest first: when it was, what came of it, who asked for it, and what was answered. */
export function TriesOf({ detail: { tries } }: { readonly detail: MerchantCallbackDetail }) {
  const t = useText();
  if (tries.length === 0) return <p className="ln t3">{t("merchant-callback.tries.none")}</p>;
  return (
    <ol className="callback-tries">
      {tries.map((one) => (
        <Try key={one.n} one={one} />
      ))}
    </ol>
  );
}

function Try({ one: { n, at, status, milliseconds, answer, error, by } }: { one: CallbackAttempt }) {
  const t = useText();
  const taken = status !== null && status >= 200 && status < 300;
  const result = status === null ? t("merchant-callback.tries.unanswered") : `HTTP ${status}`;
  return (
    <li>
      <div className="ln">
        <span className="t3">{n}</span>
        <Instant at={at} />
        <b className={taken ? "done" : "fail"}>
          <bdi>{result}</bdi>
        </b>
        <span className="t3">
          <bdi>{`${formatCount(milliseconds)} ms`}</bdi>
        </span>
      </div>
      {by !== null && <p className="t2">{t("merchant-callback.tries.asked-by", { name: by })}</p>}
      {error !== null && (
        <p className="fail">
          <bdi>{error}</bdi>
        </p>
      )}
      {answer !== null && answer !== "" && (
        <pre dir="ltr" aria-label={t("merchant-callback.tries.answer")}>
          {answer}
        </pre>
      )}
    </li>
  );
}
