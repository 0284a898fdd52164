import type { ReactNode } from "react";
import "./limit-line.css";
import { UsedBar, usedHue } from "./used-bar.tsx";

interface LimitLineProps {
  readonly title: ReactNode;
  readonly used: string;
  readonly limit: string;
  /** What is left, or how much is used. */
  readonly note: ReactNode;
  /** Used share in percent. */
  readonly share: number;
}

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
      <bdi className="note">{note}</bdi>
      <UsedBar share={share} />
    </div>
  );
}
