import { useEffect } from "react";
import type { DecisionRow } from "../../contract/decisions.ts";
import type { ClaimKeeper } from "./claim-keeper.ts";

/** ms between renewals: a third of the lease. */
const interval = 30_000;
/** Signs that somebody is here. What the page does by itself, as live rows coming in, is none. */
const signs = ["keydown", "pointerdown", "wheel", "scroll", "touchmove"] as const;

/** Keeps the claims of whoever works here alive while they work; those of one who left lapse by themselves. */
export function useRenewals<Row extends DecisionRow>(keeper: ClaimKeeper<Row>): void {
  useEffect(() => {
    const touched = () => keeper.touched();
    for (const sign of signs) window.addEventListener(sign, touched, { capture: true, passive: true });
    const timer = setInterval(() => void keeper.round(), interval);
    return () => {
      clearInterval(timer);
      for (const sign of signs) window.removeEventListener(sign, touched, { capture: true });
    };
  }, [keeper]);
}
