import type { ScreenName } from "../../contract/screens.ts";

/** Screens whose first view leaves out what is decided. */
const worked: readonly ScreenName[] = ["deposits", "withdrawals", "transfers"];

/** Search parameters that show a record on its screen. */
export const shownBy = (screen: ScreenName, name: string, uuid: string): Readonly<Record<string, string>> => ({
  ...(worked.includes(screen) && { view: "all" }),
  q: name,
  record: uuid,
});
