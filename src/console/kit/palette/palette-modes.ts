import { latinTwin } from "../keys/key-reading.ts";

/** In the order of Tab. */
export const modes = ["all", "row", "go", "grid", "amount", "views", "keys"] as const;
export type PaletteMode = (typeof modes)[number];

/** What one types first; nothing for everything. */
export const prefixes: Readonly<Record<PaletteMode, string>> = {
  all: "",
  row: ".",
  go: ":",
  grid: "/",
  amount: "=",
  views: "*",
  keys: "?",
};

/** `>` `@` `#` of other palettes; they cannot be typed on a Russian layout, hence aliases only. */
const aliases: Readonly<Record<string, PaletteMode>> = { ">": "row", "@": "go", "#": "amount" };

/** Mode and the text after its prefix; full-width and Arabic signs count as their Latin twins. A mode not offered is text. */
export function readMode(typed: string, offered: ReadonlySet<PaletteMode>): { mode: PaletteMode; text: string } {
  const [first = ""] = typed;
  const sign = latinTwin(first);
  // "#049809" is a number's end as people write it, no amount
  if (/^[#＃]\s*\d{5,}$/.test(typed.trim())) return { mode: "all", text: typed };
  const mode = modes.find((name) => prefixes[name] !== "" && prefixes[name] === sign) ?? aliases[sign];
  if (mode === undefined || !offered.has(mode)) return { mode: "all", text: typed };
  return { mode, text: typed.slice(first.length) };
}

/** The text with the prefix of the mode next to (or before) this one. */
export function turnMode(mode: PaletteMode, text: string, offered: ReadonlySet<PaletteMode>, by: 1 | -1): string {
  const there = modes.filter((name) => offered.has(name));
  const next = there[(there.indexOf(mode) + by + there.length) % there.length] ?? "all";
  return prefixes[next] + text;
}
