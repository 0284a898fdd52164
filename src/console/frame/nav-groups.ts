import type { CounterName } from "../../contract/notifications.ts";
import { navGroups, screens } from "../../contract/screens.ts";
import type { NavGroup, Screen, ScreenName } from "../../contract/screens.ts";

const groupOf = ([, screen]: [string, Screen]): NavGroup | undefined => screen.group;

/** Groups of the rail, each in the order of the contract; the last one is at the foot. */
export const railGroups: readonly (readonly ScreenName[])[] = navGroups.map(
  (group) => Object.entries<Screen>(screens).flatMap((entry) => (groupOf(entry) === group ? [entry[0] as ScreenName] : [])), // Object.entries widens
);

/** Count on the corner of an item. */
export const navCounts: Readonly<Partial<Record<ScreenName, CounterName>>> = {
  deposits: "deposit",
  withdrawals: "withdraw",
  "payment-accounts": "paymentAccount",
};
