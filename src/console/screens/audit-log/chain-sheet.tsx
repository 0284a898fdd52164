import { useEffect, useState } from "react";
import type { ChainPart } from "../../../contract/audit-log.ts";
import { auditLogRoutes as routes } from "../../../contract/audit-log.ts";
import { formatCount } from "../../../values/counts.ts";
import { Instant } from "../../api/instant.tsx";
import { usePlace } from "../../api/place.ts";
import { useApi } from "../../api/use-api.ts";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { useText } from "../../kit/texts/texts.ts";
import "./audit-log.css";

/** Goes through the chain part after part, to its head, and says how far it is whole; where it is broken, leads to the entry. */
export function ChainSheet({ onClose }: { onClose(): void }) {
  const t = useText();
  const place = usePlace();
  const { call } = useApi();
  const [part, setPart] = useState<ChainPart | null>(null);
  const [failed, setFailed] = useState(false);
  const [round, setRound] = useState(0);

  useEffect(() => {
    let isLeft = false;
    async function go(after: number): Promise<void> {
      const { data } = await call(routes.checkAuditChain, { query: { after } });
      if (isLeft) return;
      setPart(data);
      if (data.broken === null && data.checked < data.head) await go(data.checked);
    }
    // the failure has been told
    go(0).catch(() => setFailed(!isLeft));
    return () => {
      isLeft = true;
    };
  }, [call, round]);

  const again = () => {
    setPart(null);
    setFailed(false);
    setRound(round + 1);
  };
  const broken = part?.broken ?? null;
  const anchored = part?.anchored ?? null;
  const denied = anchored?.contradicted ?? null;
  const isDone = part !== null && (broken !== null || part.checked >= part.head);
  return (
    <SheetFrame
      dialog={{ name: "form", aimless: true, acts: { close: onClose, confirm: onClose, toggle: () => undefined } }}
      title={t("audit-entry.chain.title")}
      foot={
        <button type="button" className="btn go" onClick={onClose}>
          {t("sheet.close")}
          <KeyCap chord="Escape" />
        </button>
      }
    >
      <div className="chain" role="status">
        {failed && (
          <p className="fail">
            {t("audit-entry.chain.failed")}{" "}
            <button type="button" className="btn" onClick={again}>
              {t("page.retry")}
            </button>
          </p>
        )}
        {!failed && !isDone && (
          <p>
            {part === null
              ? t("audit-entry.chain.begun")
              : t("audit-entry.chain.going", { n: formatCount(part.checked), of: formatCount(part.head) })}
          </p>
        )}
        {isDone && broken === null && denied === null && (
          <p className="whole">
            <Icon name="tick" size="s" />
            {t("audit-entry.chain.whole", { n: formatCount(part.head) })}
          </p>
        )}
        {broken !== null && (
          <p className="fail">
            <Icon name="warn" size="s" />
            {t(broken.uuid === null ? "audit-entry.chain.gone" : "audit-entry.chain.broken", { n: formatCount(broken.seal) })}
          </p>
        )}
        {denied !== null && (
          <p className="fail">
            <Icon name="warn" size="s" />
            {t("audit-entry.chain.denied", { n: formatCount(denied) })}
          </p>
        )}
        {isDone && broken === null && denied === null && (
          <p className="t2">
            {anchored === null ? t("audit-entry.chain.no-anchor") : t("audit-entry.chain.anchored", { n: formatCount(anchored.seal) })}{" "}
            {anchored !== null && <Instant at={anchored.at} />}
          </p>
        )}
        {part !== null && part.waiting > 0 && (
          <p className="t2">
            {t("audit-entry.chain.waiting", { n: formatCount(part.waiting) })}{" "}
            {part.waiting_since !== null && <Instant at={part.waiting_since} />}
          </p>
        )}
      </div>
      {part !== null && !isDone && <progress className="chain-bar" max={part.head} value={part.checked} aria-hidden="true" />}
      {broken !== null && broken.uuid !== null && (
        <button
          type="button"
          className="btn"
          onClick={() => {
            onClose();
            place.set({ created_at: "2000-01-01..", record: broken.uuid ?? "" });
          }}
        >
          {t("audit-entry.chain.show")}
        </button>
      )}
    </SheetFrame>
  );
}
