import type { ReactNode } from "react";
import "./limit-line.css";

interface LimitLineProps {
  readonly title: ReactNode;
  readonly used: string;
  readonly limit: string;
  /** What is left, or how much is used. */
  readonly note: ReactNode;
  /** Used share in percent. */
  readonly share: number;
}

/** Of a limit's use: grey to 90 %, then amber, full red (look.md). */
export const usedHue = (share: number): "full" | "hi" | "" => (share >= 100 ? "full" : share >= 90 ? "hi" : "");

/** One limit with what is used of it, and a bar beneath. */
export function LimitLine({ title, used, limit, note, share }: LimitLineProps) {
  const hue = usedHue(share);
  return (
    <div className="limit-line">
      <span className="cut">{title}</span>
      <span className="of">
        <b className={hue === "full" ? "fail" : hue === "hi" ? "warn" : "strong"}>
          <bdi>{used}</bdi>
        </b>{" "}
        / <bdi>{limit}</bdi>
      </span>
      <span className="note">{note}</span>
      <span className={`room ${hue}`} aria-hidden="true">
        <i style={{ "--v": `${Math.min(100, Math.max(0, share)).toFixed(1)}%` }} />
      </span>
    </div>
  );
}
