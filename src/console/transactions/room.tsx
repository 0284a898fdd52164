import { money } from "../../values/money.ts";
import { useText } from "../kit/texts/texts.ts";

/** Used share of a limit in percent, 0–100. */
export function usedShare(used: string, limit: string): number {
  const whole = money(limit);
  return whole <= 0n ? 100 : Math.min(100, Number((money(used) * 1000n) / whole) / 10);
}

/** Grey to 90 % of the limit, then amber; full is red. */
export const roomClass = (share: number): string => (share >= 100 ? "room full" : share >= 90 ? "room hi" : "room");

interface RoomProps {
  readonly used: string;
  readonly limit: string;
  /** What the limit is for. */
  readonly of: "day" | "month";
  /** At the end of its line. */
  readonly end?: boolean;
}

/** A bar of how much of a limit is used. */
export function Room({ used, limit, of, end = false }: RoomProps) {
  const t = useText();
  const share = usedShare(used, limit);
  return (
    <span
      className={`${roomClass(share)} wide${end ? " end" : ""}`}
      title={t(`transaction.used-share.${of}`, { percent: Math.round(share) })}
    >
      <i style={{ "--v": `${share}%` }} />
    </span>
  );
}
