import type { z } from "zod";
import type { GameType } from "../../contract/provider-games.ts";
import { GameCode, GameName, gameTypes } from "../../contract/provider-games.ts";

/** A line of a file of games as its cells have it. */
export interface GameLine {
  readonly code: string;
  readonly name: string;
  readonly type: string;
  /** The address of its picture; empty: it names none. */
  readonly image: string;
}
type Field = keyof GameLine;

export interface ReadGameLine {
  readonly n: number;
  readonly line: GameLine;
  readonly fault: { readonly field: Field; readonly line: string } | null;
}

/** A row of a table of texts, with its number in the file. */
export interface TextRow {
  readonly n: number;
  readonly cells: readonly string[];
}

/** Headers, in the languages of the console, by field. */
const headers: Readonly<Record<Field, RegExp>> = {
  code: /^(game ?)?(code|id|code du jeu|spielcode|codice|código|codigo|код|代码|游戏代码|الرمز|رمز اللعبة)$/i,
  name: /^(game ?)?(name|title|nom|nom du jeu|nome|nombre|название|игра|名称|游戏名称|الاسم|اسم اللعبة)$/i,
  type: /^(game ?)?(type|category|kind|typ|art|tipo|catégorie|тип|类型|النوع)$/i,
  image: /^(game ?)?(image|picture|icon|logo|image url|picture url|bild|immagine|imagen|изображение|картинка|图片|الصورة)( url)?$/i,
};

/** Other names by which providers write a type. */
const typeWords: Readonly<Record<string, GameType>> = {
  slots: "slot",
  "video slot": "slot",
  "video slots": "slot",
  "live casino": "live",
  "live dealer": "live",
  casino: "table",
  "table game": "table",
  "table games": "table",
  tables: "table",
  fish: "fishing",
  "fish hunter": "fishing",
  "fish game": "fishing",
  arcades: "arcade",
  crashes: "crash",
  lotto: "lottery",
  lotteries: "lottery",
  sport: "sports",
  sportsbook: "sports",
  others: "other",
};

function typeOf(written: string): GameType | null {
  const plain = written
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");
  if (plain === "") return "other";
  return gameTypes.find((type) => type === plain) ?? typeWords[plain] ?? null;
}

/** Which column holds which field, and whether the first row says so. */
function columnsOf(first: TextRow | undefined): { readonly at: Readonly<Record<Field, number>>; readonly named: boolean } {
  const cells = (first?.cells ?? []).map((cell) => cell.trim());
  const found = (field: Field) => cells.findIndex((cell) => headers[field].test(cell));
  if (found("code") >= 0 && found("name") >= 0)
    return { at: { code: found("code"), name: found("name"), type: found("type"), image: found("image") }, named: true };
  return { at: { code: 0, name: 1, type: 2, image: 3 }, named: false };
}

/**
 * Reads the rows of a table as games. Columns are those a header names, else code, name, type, picture; empty rows are passed over. Each
 * line has the first thing that is wrong with it, as a line of the contract's rules; which codes are the same the database tells, whose
 * lower case is not JavaScript's.
 */
export function readGameLines(rows: readonly TextRow[]): ReadGameLine[] {
  const { at, named } = columnsOf(rows[0]);
  return rows.slice(named ? 1 : 0).flatMap(({ n, cells }) => {
    if (cells.every((cell) => cell.trim() === "")) return [];
    const cell = (field: Field) => (cells[at[field]] ?? "").replace(/\s+/g, " ").trim().slice(0, 500).toWellFormed();
    const written: GameLine = { code: cell("code"), name: cell("name"), type: cell("type"), image: cell("image") };
    const type = typeOf(written.type);
    const fault = faultOf(written, type);
    return [{ n, line: { ...written, type: type ?? written.type }, fault }];
  });
}

function faultOf({ code, name, image }: GameLine, type: GameType | null): ReadGameLine["fault"] {
  const broken = (schema: z.ZodType, value: string): string | null =>
    value === "" ? "Must be filled in" : (schema.safeParse(value).error?.issues[0]?.message ?? null);
  const faults: readonly (readonly [Field, string | null])[] = [
    ["code", broken(GameCode, code)],
    ["name", broken(GameName, name)],
    ["type", type === null ? `Must be one of ${gameTypes.join(", ")}` : null],
    ["image", image === "" || isAddress(image) ? null : "Must be a URL"],
  ];
  const first = faults.find(([, line]) => line !== null);
  return first ? { field: first[0], line: first[1] ?? "" } : null;
}

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
