import { createContext, useContext } from "react";
import type { ScreenName } from "../../contract/screens.ts";
import type { Appearance } from "./appearance.ts";

/** What the parts of the shell share. */
interface Shell {
  readonly appearance: Appearance;
  readonly routed: ReadonlySet<ScreenName>;
  setLanguage(language: string): Promise<void>;
  /** To a screen's path, or any other path of the console. */
  navigate(path: string): void;
}

export const ShellContext = createContext<Shell | null>(null);

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error("no shell above");
  return shell;
}
