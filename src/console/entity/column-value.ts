import { valueReader } from "../../contract/list-cells.ts";
import type { CellReading } from "../../contract/list-cells.ts";
import { amountDecimals } from "../kit/look/amounts.ts";
import { wordOf } from "../kit/texts/texts.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { Column, Value } from "./named.ts";

/** Reads what a list's column shows of a row: where it stands in the row, else what its subject makes of it; of several, one text. */
export function columnReader(subject: string, { field, at = field }: Pick<Column<RecordRow>, "field" | "at">): (row: RecordRow) => Value {
  const read = valueReader(subject, at);
  return (row) => {
    const value = read(row, reading());
    return Array.isArray(value) ? value.join(", ") : (value as Value); // a field shown as it is holds a text, a number or a limit
  };
}

const reading = (): CellReading => ({ word: wordOf, now: Date.now(), decimals: amountDecimals() });
