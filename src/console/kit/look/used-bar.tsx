import { money } from "../../../values/money.ts";

/** Used share of a limit in percent, 0–100. */
export function usedShare(used: string, limit: string): number {
  const whole = money(limit);
  return whole <= 0n ? 100 : Math.min(100, Math.max(0, Number((money(used) * 1000n) / whole) / 10));
}

/** Of a limit's use: grey to 90 %, then amber, full red (look.md). */
export const usedHue = (share: number): "full" | "hi" | "" => (share >= 100 ? "full" : share >= 90 ? "hi" : "");

/** The used share of a limit, in percent, as a bar; what it shows stands beside it as text. */
export function UsedBar({ share }: { share: number }) {
  return (
    <span className={`room ${usedHue(share)}`} aria-hidden="true">
      <i style={{ "--v": `${Math.min(100, Math.max(0, share)).toFixed(1)}%` }} />
    </span>
  );
}
