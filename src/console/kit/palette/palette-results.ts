import type { Screen } from "../../../contract/screens.ts";
import { screens } from "../../../contract/screens.ts";
import type { AnyCommand } from "../commands/command.ts";
import type { Context } from "../commands/context.ts";
import type { PaletteMode } from "./palette-modes.ts";
import { mostResults, normalise, rank, tier, weighsNothing } from "./palette-ranking.ts";
import type { Candidate, WeightOf } from "./palette-ranking.ts";
import type { PaletteEntry, PalettePage } from "./palette-store.ts";
import type { Registry, Verdict } from "../commands/registry.ts";

/** Order of groups that match equally well. */
const groupNames = ["recent", "row", "list", "screens", "commands", "tenants", "currencies", "languages", "keys"] as const;
export type GroupName = (typeof groupNames)[number];

/** A result in the palette: a command, or an entry of the shell. */
export interface Result extends Candidate {
  readonly id: string;
  readonly group: GroupName;
  readonly command?: AnyCommand;
  readonly verdict?: Verdict;
  readonly entry?: PaletteEntry;
  /** How well it matches the text. */
  readonly score: number;
}

type Listed = Omit<Result, "score">;

interface Offer {
  readonly registry: Registry;
  readonly context: Context;
  /** Weight of a command by its use. */
  readonly weightOf: WeightOf;
  nameOf(command: AnyCommand): string;
  wordsOf(command: AnyCommand): string;
  /** Its English name, where the user has another language. */
  englishOf?(command: AnyCommand): string | undefined;
  entriesOf(page: PalettePage): readonly PaletteEntry[];
}

const pages = { tenant: "tenants", currency: "currencies", language: "languages" } as const satisfies Record<PalettePage, GroupName>;

/** What it acts on: the row, its list, or neither. One that leads to a screen of the row's is the row's, because it needs one. */
function groupOf(command: AnyCommand): GroupName {
  if (command.subject !== null && command.takes !== "none") return "row";
  if (command.leadsTo !== undefined) return "screens";
  return command.scope === "pane" || command.scope === "grid" || command.subject !== null ? "list" : "commands";
}

const isCareful = ({ command }: Pick<Result, "command">): boolean => command?.danger !== undefined || command?.careful === true;

function listed({ registry, context, nameOf, wordsOf, englishOf }: Offer): Listed[] {
  return registry
    .list()
    .filter((command) => command.quiet !== true && command.scope !== "dialog")
    .map((command) => {
      const screen: Screen | undefined = command.leadsTo === undefined ? undefined : screens[command.leadsTo];
      return {
        id: command.id,
        group: groupOf(command),
        name: nameOf(command),
        english: englishOf?.(command),
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

/** Most recently used commands that are shown before anything is typed. */
const mostRecent = 5;

interface Found {
  readonly results: readonly Result[];
  readonly total: number;
  readonly ms: number;
}

/**
 * Returns a function that finds results for a mode and a text, best first, at most 50. A command without its right is found only
 * by its exact name, a refused one always, both with the reason. Nothing dangerous comes first because of earlier use. What stays
 * the same while the palette is open is computed once.
 */
export function finder(offer: Offer): (mode: PaletteMode, page: PalettePage | null, text: string) => Found {
  const commands = listed(offer);
  const careful = new Set(commands.filter(isCareful).map(({ id }) => id));
  const habit: WeightOf = (id) => (careful.has(id) ? 0 : offer.weightOf(id));
  const pageEntries = new Map<PalettePage, readonly Listed[]>();
  const entriesOf = (page: PalettePage): readonly Listed[] => {
    const known = pageEntries.get(page) ?? entries(offer, page);
    pageEntries.set(page, known);
    return known;
  };
  const byKey = new Map<string, Listed>();
  const asKey = (result: Listed): Listed => {
    const known = byKey.get(result.id) ?? { ...result, group: "keys" };
    byKey.set(result.id, known);
    return known;
  };

  /** What a mode offers for a text, unranked. */
  function offered(mode: PaletteMode, wanted: string): readonly Listed[] {
    const there = commands.filter(
      ({ verdict, name }) => verdict?.state !== "absent" || (verdict.reason !== undefined && wanted !== "" && normalise(name) === wanted),
    );
    const places = () => [...entriesOf("tenant"), ...entriesOf("currency")];
    switch (mode) {
      case "row":
        return there.filter(({ group }) => group === "row" || group === "list");
      case "keys":
        return there.filter(({ command }) => command?.keys !== undefined).map(asKey);
      case "go":
        return [...there.filter(({ group, id }) => group === "screens" || id.startsWith("session.")), ...places()];
      case "all":
        return wanted === "" ? there : [...there, ...places()];
      default:
        return [];
    }
  }

  function find(mode: PaletteMode, page: PalettePage | null, text: string): Omit<Found, "ms"> {
    if (page !== null) {
      const all = entriesOf(page);
      return { results: best(text, all, weighsNothing), total: all.length };
    }
    const wanted = normalise(text);
    const all = offered(mode, wanted);
    if (mode !== "all" || wanted !== "") return { results: best(text, all, habit), total: all.length };
    // nothing is typed yet: the most used first, all others in their own order
    const recent = all
      .filter(({ id, verdict }) => verdict?.state === "ready" && habit(id) > 0)
      .toSorted((a, b) => habit(b.id) - habit(a.id))
      .slice(0, mostRecent);
    const rest = best(
      "",
      all.filter((result) => !recent.includes(result)).toSorted((a, b) => Number(isCareful(a)) - Number(isCareful(b))),
      weighsNothing,
    );
    return {
      results: [...recent.map((result) => ({ ...result, group: "recent" as const, score: 1 })), ...rest].slice(0, mostResults),
      total: all.length,
    };
  }

  return (mode, page, text) => {
    const from = performance.now();
    const found = find(mode, page, text);
    return { ...found, ms: Math.round(performance.now() - from) };
  };
}

function best(text: string, all: readonly Listed[], weightOf: WeightOf): Result[] {
  return rank(text, all, weightOf).map(({ candidate, score }) => ({ ...candidate, score }));
}

export interface ResultGroup {
  readonly group: GroupName;
  readonly results: readonly Result[];
  readonly tier: 0 | 1 | 2;
}

/** Results by group: exact matches first, then the row's commands, then screens and the rest, loose matches last. */
export function grouped(results: readonly Result[]): ResultGroup[] {
  const groups = new Map<GroupName, Result[]>();
  for (const result of results) groups.set(result.group, [...(groups.get(result.group) ?? []), result]);
  return [...groups]
    .map(([group, list]) => ({ group, results: list, tier: tier(Math.max(...list.map(({ score }) => score))) }))
    .toSorted((a, b) => a.tier - b.tier || groupNames.indexOf(a.group) - groupNames.indexOf(b.group));
}

export interface CutGroup extends ResultGroup {
  /** Number of all its results, cut or not. */
  readonly count: number;
}

/** The first `most` results of the groups. */
export function cut(groups: readonly ResultGroup[], most: number): CutGroup[] {
  let left = most;
  return groups.flatMap((group) => {
    const results = group.results.slice(0, Math.max(0, left));
    left -= results.length;
    return results.length === 0 ? [] : [{ ...group, results, count: group.results.length }];
  });
}

export const countOf = (groups: readonly ResultGroup[]): number => groups.reduce((sum, { results }) => sum + results.length, 0);

/** Whether Enter must wait for the search: the text is an id, or one word without a good match, which may be a code. */
export const mayName = (text: string, results: readonly Result[]): boolean =>
  looksLikeId(text) || (/^\S+$/.test(text.trim()) && results.every(({ score }) => tier(score) === 2));

/** A number with its prefix or its last digits, with a sign for what is left out, or a uuid; not words. */
const looksLikeId = (text: string): boolean =>
  /^\s*[#…*.]*\s*([a-z]{0,3}\d[\d-]{5,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})\s*$/i.test(text);
