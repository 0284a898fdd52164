import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";

/** The search parameter that names the screen beside the route's: its path and its own search, as one reads them. */
export const besideParam = "beside";

interface Beside {
  readonly screen: ScreenName;
  readonly search: Readonly<Record<string, string>>;
}

const byPath = new Map((Object.keys(screens) as ScreenName[]).map((name) => [screens[name].path as string, name])); // keys widen

/** null where there is none, or none of ours. */
export function readBeside(text: string | null): Beside | null {
  if (text === null) return null;
  const [path = "", search = ""] = text.split("?", 2);
  const screen = byPath.get(path);
  return screen === undefined ? null : { screen, search: Object.fromEntries(new URLSearchParams(search)) };
}

export function writeBeside(screen: ScreenName, search: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams(search);
  params.delete(besideParam);
  return params.size === 0 ? screens[screen].path : `${screens[screen].path}?${params}`;
}

/** A page's search as it holds in another tenant or currency, where the records it names are none. */
export function withoutRecords(search: string): string {
  const params = new URLSearchParams(search);
  params.delete("record");
  const other = readBeside(params.get(besideParam));
  if (other !== null) {
    const { record: _, ...rest } = other.search;
    params.set(besideParam, writeBeside(other.screen, rest));
  }
  return params.size === 0 ? "" : `?${params}`;
}
