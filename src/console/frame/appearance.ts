import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { Jar } from "../api/jar.ts";
import { cookieDays } from "../api/jar.ts";

export const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

export interface Appearance {
  readonly store: StoreApi<{ theme: Theme }>;
  setTheme(theme: Theme): void;
}

/** The theme; kept in a cookie, because a sign-out clears both storages. Our tokens and Blueprint's class change together. */
export function createAppearance(jar: Jar, document: Document, dark: MediaQueryList): Appearance {
  const store = createStore<{ theme: Theme }>(() => ({ theme: themes.find((theme) => theme === jar.get("theme")) ?? "system" }));
  const apply = () => {
    const { theme } = store.getState();
    const root = document.documentElement;
    if (theme === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = theme;
    document.body.classList.toggle("bp6-dark", theme === "dark" || (theme === "system" && dark.matches));
  };
  apply();
  dark.addEventListener("change", apply);
  return {
    store,
    setTheme(theme) {
      jar.set("theme", theme, cookieDays.preference);
      store.setState({ theme });
      apply();
    },
  };
}
