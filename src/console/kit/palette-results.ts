import type { Screen } from "../../contract/screens.ts";
import { screens } from "../../contract/screens.ts";
import type { AnyCommand } from "./command.ts";
import type { Context } from "./context.ts";
import type { PaletteMode } from "./palette-modes.ts";
import { mostResults, normalise, rank, tier } from "./palette-ranking.ts";
import type { Candidate } from "./palette-ranking.ts";
import type { PaletteEntry, PalettePage } from "./palette-store.ts";
import type { Registry, Verdict } from "./registry.ts";

/** In the order they are shown in, among groups that match equally well. */
const groupNames = ["recent", "row", "screens", "commands", "tenants", "currencies", "languages", "keys"] as const;
export type GroupName = (typeof groupNames)[number];

/** A command as the palette lists it, or one of the shell's entries. */
export interface Result extends Candidate {
  readonly id: string;
  readonly group: GroupName;
  readonly command?: AnyCommand;
  readonly verdict?: Verdict;
  readonly entry?: PaletteEntry;
  /** How well it answers the text. */
  readonly score: number;
}

type Listed = Omit<Result, "score">;

export interface Offer {
  readonly registry: Registry;
  readonly context: Context;
  readonly recent: readonly string[];
  nameOf(command: AnyCommand): string;
  wordsOf(command: AnyCommand): string;
  entriesOf(page: PalettePage): readonly PaletteEntry[];
}

const pages = { tenant: "tenants", currency: "currencies", language: "languages" } as const satisfies Record<PalettePage, GroupName>;

const isOfRow = (command: AnyCommand): boolean => command.scope === "pane" || command.scope === "grid" || command.subject !== null;

function listed({ registry, context, nameOf, wordsOf }: Offer): Listed[] {
  return registry
    .list()
    .filter((command) => command.quiet !== true && command.scope !== "dialog")
    .map((command) => {
      const screen: Screen | undefined = command.leadsTo === undefined ? undefined : screens[command.leadsTo];
      return {
        id: command.id,
        group: screen !== undefined ? "screens" : isOfRow(command) ? "row" : "commands",
        name: nameOf(command),
        words: wordsOf(command),
        codes: screen?.codes ?? [],
        command,
        verdict: registry.judge(command, context),
      };
    });
}

function entries(offer: Offer, page: PalettePage): Listed[] {
  return offer.entriesOf(page).map((entry) => ({
    id: `${page} ${entry.id}`,
    group: pages[page],
    name: entry.name,
    words: entry.words ?? "",
    codes: [entry.id],
    entry,
  }));
}

/** `find`, timed. */
export function findResults(
  offer: Offer,
  mode: PaletteMode,
  page: PalettePage | null,
  text: string,
): { results: Result[]; total: number; ms: number } {
  const from = performance.now();
  const found = find(offer, mode, page, text);
  return { ...found, ms: Math.round(performance.now() - from) };
}

/**
 * What the palette shows for a mode and a text, best first, at most 50. A command without its right is there only by its
 * exact name, with the reason; one that may not run now stays, with the reason.
 */
function find(offer: Offer, mode: PaletteMode, page: PalettePage | null, text: string): { results: Result[]; total: number } {
  const wanted = normalise(text);
  if (page !== null) {
    const all = entries(offer, page);
    return { results: best(text, all, []), total: all.length };
  }
  const commands = listed(offer);
  const there = commands.filter(
    ({ verdict, name }) => verdict?.state !== "absent" || (verdict.reason !== undefined && wanted !== "" && normalise(name) === wanted),
  );
  const all =
    mode === "row"
      ? there.filter(({ group }) => group === "row")
      : mode === "keys"
        ? there.filter(({ command }) => command?.keys !== undefined).map((result) => ({ ...result, group: "keys" as const }))
        : mode === "go"
          ? [
              ...there.filter(({ group, id }) => group === "screens" || id.startsWith("session.")),
              ...entries(offer, "tenant"),
              ...entries(offer, "currency"),
            ]
          : mode === "all"
            ? [...there, ...(wanted === "" ? [] : [...entries(offer, "tenant"), ...entries(offer, "currency")])]
            : [];
  const ranked = best(text, all, offer.recent);
  if (mode !== "all" || wanted !== "") return { results: ranked, total: all.length };
  // Nothing typed yet: what was used last comes first, the rest in its own order.
  const recent = offer.recent.slice(0, 5).flatMap((id) => ranked.filter((result) => result.id === id && result.verdict?.state === "ready"));
  const rest = best(
    "",
    all.filter(({ id }) => !recent.some((other) => other.id === id)),
    [],
  );
  return {
    results: [...recent.map((result) => ({ ...result, group: "recent" as const })), ...rest].slice(0, mostResults),
    total: all.length,
  };
}

function best(text: string, all: readonly Listed[], recent: readonly string[]): Result[] {
  return rank(text, all, recent).map(({ candidate, score }) => ({ ...candidate, score }));
}

export interface ResultGroup {
  readonly group: GroupName;
  readonly results: readonly Result[];
  readonly tier: 0 | 1 | 2;
}

/** Results by group: the thing itself first, then what the row offers before screens and the rest, loose matches last. */
export function grouped(results: readonly Result[]): ResultGroup[] {
  const groups = new Map<GroupName, Result[]>();
  for (const result of results) groups.set(result.group, [...(groups.get(result.group) ?? []), result]);
  return [...groups]
    .map(([group, list]) => ({ group, results: list, tier: tier(Math.max(...list.map(({ score }) => score))) }))
    .toSorted((a, b) => a.tier - b.tier || groupNames.indexOf(a.group) - groupNames.indexOf(b.group));
}
