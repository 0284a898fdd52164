import { screens } from "./screens.ts";
import type { ScreenName } from "./screens.ts";

/** The records a screen's path names, and its search parameters. */
export interface Whereto {
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
}

const named = /\{(\w+)\}/g;

/** A screen's path and search; addresses are built nowhere else. @throws when `params` lacks a record its path names */
export function addressOf(screen: ScreenName, { params = {}, search = {} }: Whereto = {}): string {
  const path = screens[screen].path.replaceAll(named, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new Error(`the way to ${screen} needs ${name}`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(search);
  return query.size === 0 ? path : `${path}?${query}`;
}

const shapes = Object.entries(screens).map(([screen, { path }]) => ({
  screen: screen as ScreenName, // Object.entries widens
  names: [...path.matchAll(named)].map(([, name = ""]) => name),
  shape: new RegExp(`^${path.replaceAll(named, "([^/]+)")}$`),
}));

/** The screen at a path, and the records in it; null: there is none. */
export function screenAt(path: string): { readonly screen: ScreenName; readonly params: Readonly<Record<string, string>> } | null {
  for (const { screen, names, shape } of shapes) {
    const found = shape.exec(path);
    if (found) return { screen, params: Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? "")])) };
  }
  return null;
}
