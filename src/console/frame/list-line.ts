import { isAllowed } from "../../contract/permissions.ts";
import { places, screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Api } from "../api/api.ts";
import type { Completion } from "../kit/query/complete.ts";

/** A query line typed in the palette: "wd pending >5000". */
export interface ListLine {
  /** The screen whose code the text begins with. */
  readonly screen: ScreenName;
  /** What is asked there. */
  readonly line: string;
}

/** What the part of a line before the caret may become. The palette's text `typed` ends with the line; its characters are counted. */
export type LineCompletions = (line: string, typed: string, caret: number) => readonly Completion[] | Promise<readonly Completion[]>;

/** The query line that a text of the palette is; null: it is none, or of a screen the user has not. */
export function asksList(typed: string, may: (screen: ScreenName) => boolean): ListLine | null {
  const [, code = "", line = ""] = /^\s*([a-z]{2,3})\s+(\S.*)$/is.exec(typed) ?? [];
  const screen = places.find((name) => (screens[name].codes as readonly string[]).includes(code.toLowerCase()));
  return screen !== undefined && screens[screen].subject !== null && may(screen) ? { screen, line } : null;
}

/** Whether a screen is there for the user. */
export const maySee =
  (api: Api, routed: ReadonlySet<ScreenName>) =>
  (screen: ScreenName): boolean =>
    routed.has(screen) && isAllowed(api.session.store.getState().at?.context.permissions ?? {}, screens[screen].permission);
