import type { ScreenName } from "../../../contract/screens.ts";
import type { AnyCommand } from "./command.ts";

/** Commands that apply on these screens only, in a chunk that comes with each of them. */
export interface ScreenCommands {
  readonly screens: readonly ScreenName[];
  load(): Promise<readonly AnyCommand[]>;
}

/** Every command in palette order: those of any screen, and in their place those that come with a screen. */
export type CommandList = readonly (AnyCommand | ScreenCommands)[];

/** Commands that come with a screen, or with any of several. */
export const comingWith = (screens: ScreenName | readonly ScreenName[], load: ScreenCommands["load"]): ScreenCommands => ({
  screens: [screens].flat(),
  load,
});

export const comesLater = (part: AnyCommand | ScreenCommands): part is ScreenCommands => "load" in part;

/** Commands that are there, and those that come later. */
export interface LateCommands {
  present(): readonly AnyCommand[];
  /** Fetches those of a screen, or of all; what did not come is fetched again the next time. */
  fetch(screen: ScreenName | "all"): Promise<void>;
}

export function lateCommands(list: CommandList): LateCommands {
  const came = new Map<ScreenCommands, readonly AnyCommand[]>();
  return {
    present: () => list.flatMap((part) => (comesLater(part) ? (came.get(part) ?? []) : [part])),
    async fetch(screen) {
      const absent = list.filter(comesLater).filter((part) => !came.has(part) && (screen === "all" || part.screens.includes(screen)));
      await Promise.all(absent.map(async (part) => came.set(part, await part.load())));
    },
  };
}

/** All of them, for what looks at every screen's. */
export async function everyCommand(list: CommandList): Promise<readonly AnyCommand[]> {
  const late = lateCommands(list);
  await late.fetch("all");
  return late.present();
}
