import { describeFailure } from "../api/failure.ts";
import type { CallFailure } from "../api/failure.ts";
import { CommandKey } from "../kit/look/command-button.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { problemText } from "../kit/messages/problem-text.ts";
import { useText } from "../kit/texts/texts.ts";
import "./lists.css";

/** What went wrong, the key that tries again, and the request's id for support. */
export function Failure({ failure, onRetry, title }: { failure: CallFailure; onRetry: () => void; title?: string }) {
  const t = useText();
  const described = describeFailure(failure, { text: t, problem: problemText });
  return (
    <div className="empty">
      <Icon name="warn" className="fail" />
      {title !== undefined && <p className="strong">{title}</p>}
      <p className="t2">
        {described.title} {described.text}
      </p>
      {failure.requestId !== null && (
        <p className="label">
          {t("record.request-id")} <bdi className="mono selectable">{failure.requestId}</bdi>
        </p>
      )}
      <button type="button" className="btn" onClick={onRetry}>
        {t("page.retry")}
        <CommandKey id="console.refresh" />
      </button>
    </div>
  );
}
