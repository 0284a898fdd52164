import { screens } from "../../contract/screens.ts";
import { addressOf, screenAt } from "../../contract/addresses.ts";
import type { Screen, ScreenName } from "../../contract/screens.ts";
import type { Whereto } from "../../contract/addresses.ts";

/** Search parameter that names the second screen: its path and its own search, in readable form. */
export const besideParam = "beside";

interface Beside extends Required<Whereto> {
  readonly screen: ScreenName;
}

/** null where the parameter is missing or names no screen of ours. */
export function readBeside(text: string | null): Beside | null {
  if (text === null) return null;
  const [path = "", search = ""] = text.split("?", 2);
  const there = screenAt(path);
  return there && { ...there, search: Object.fromEntries(new URLSearchParams(search)) };
}

/** What is put beside a screen first: what its records are matched to, where that may be seen, else the same screen. */
export function firstBeside(screen: ScreenName, path: string, may: (screen: ScreenName) => boolean): Beside {
  const { beside }: Screen = screens[screen];
  const other = readBeside(beside ?? null);
  return other !== null && may(other.screen) ? other : { screen, params: screenAt(path)?.params ?? {}, search: {} };
}

export function writeBeside(screen: ScreenName, { params = {}, search = {} }: Whereto): string {
  const { [besideParam]: _, ...own } = search;
  return addressOf(screen, { params, search: own });
}

/** A page's search without record ids, because another tenant or currency does not have these records. */
export function withoutRecords(search: string): string {
  const params = new URLSearchParams(search);
  params.delete("record");
  const other = readBeside(params.get(besideParam));
  if (other !== null) {
    const { record: _, ...rest } = other.search;
    params.set(besideParam, writeBeside(other.screen, { ...other, search: rest }));
  }
  return params.size === 0 ? "" : `?${params}`;
}
