import type { ScreenName } from "../../contract/screens.ts";
import { iconShapes } from "./icon-shapes.ts";
import type { IconName } from "./icon-shapes.ts";

export type { IconName } from "./icon-shapes.ts";

/** 16 px; "s" 14, "xs" 12. Decoration: the word beside it carries the meaning. */
export function Icon({ name, size, className, flips }: { name: IconName; size?: "s" | "xs"; className?: string; flips?: boolean }) {
  const classes = ["i", size, flips === true ? "flip" : undefined, className].filter((part) => part !== undefined).join(" ");
  return <svg className={classes} viewBox="0 0 16 16" aria-hidden="true" dangerouslySetInnerHTML={{ __html: iconShapes[name] }} />;
}

export const screenIcons: Readonly<Record<ScreenName, IconName>> = {
  dashboard: "dashboard",
  deposits: "deposit",
  withdrawals: "withdrawal",
  "bank-transactions": "bank",
  "payment-accounts": "account",
  "payment-account-live-balances": "pulse",
  "payment-groups": "groups",
  "payment-account-transactions": "ledger",
  merchants: "store",
  "merchant-transactions": "ledger",
  "payment-account-daily-reports": "bars",
  "merchant-daily-reports": "bars",
  "cash-flow-reports": "flow",
  "rate-limit-groups": "gauge",
  users: "users",
  "user-groups": "users",
  vendors: "box",
  "vendor-categories": "box",
  "vendor-items": "box",
  "game-merchants": "game",
  "master-accounts": "user",
  "master-account": "user",
  "merchant-providers": "game",
  "merchant-provider": "game",
  "provider-games": "game",
  "downtime-schedule": "clock",
  "score-watchers": "eye",
  setting: "settings",
  profile: "user",
  "profile-edit": "user",
};
