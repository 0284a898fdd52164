import { latinTwin } from "../keys/key-reading.ts";

/** In the order of Tab. */
export const modes = ["all", "row", "go", "grid", "amount", "views", "keys"] as const;
export type PaletteMode = (typeof modes)[number];

/** Prefix of each mode; none for "all". */
export const prefixes: Readonly<Record<PaletteMode, string>> = {
  all: "",
  row: ".",
  go: ":",
  grid: "/",
  amount: "=",
  views: "*",
  keys: "?",
};

/** Prefixes of other palettes; a Russian layout cannot type them, so they are only aliases. */
const aliases: Readonly<Record<string, PaletteMode>> = { ">": "row", "@": "go", "#": "amount" };

/** Mode and the text after its prefix; full-width and Arabic signs count as Latin ones. The prefix of an unavailable mode is text. */
export function readMode(typed: string, offered: ReadonlySet<PaletteMode>): { mode: PaletteMode; text: string } {
  const [first = ""] = typed;
  const sign = latinTwin(first);
  // "#049809" is the end of a number, not an amount
  if (/^[#＃]\s*\d{5,}$/.test(typed.trim())) return { mode: "all", text: typed };
  const mode = modes.find((name) => prefixes[name] !== "" && prefixes[name] === sign) ?? aliases[sign];
  if (mode === undefined || !offered.has(mode)) return { mode: "all", text: typed };
  return { mode, text: typed.slice(first.length) };
}

/** The text with the prefix of the next or previous mode. */
export function turnMode(mode: PaletteMode, text: string, offered: ReadonlySet<PaletteMode>, by: 1 | -1): string {
  const there = modes.filter((name) => offered.has(name));
  const next = there[(there.indexOf(mode) + by + there.length) % there.length] ?? "all";
  return prefixes[next] + text;
}
