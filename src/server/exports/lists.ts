import { derivedCells } from "../../contract/derived-cells.ts";
import { hasField } from "../../contract/list-cells.ts";
import type { ExportedScreen, ExportRequest } from "../../contract/exports.ts";
import { Refusal } from "../../contract/problems.ts";
import { screens } from "../../contract/screens.ts";
import type { ListCall } from "../records/list-calls.ts";
import { listCallOf } from "../records/list-calls.ts";

/** The list an export is of: the screen's own. */
export interface ExportedList extends ListCall {
  readonly subject: string;
}

export const listOf = (screen: ExportedScreen): ExportedList => ({ subject: screens[screen].subject, ...listCallOf(screen) });

/** Refuses columns of what the list does not answer: a field its schema does not name is never sent, in a file as little as elsewhere. */
export function requireFields({ subject, route }: ExportedList, columns: ExportRequest["columns"]): void {
  const derived = derivedCells[subject] ?? {};
  const wrong = columns.flatMap(({ cell: { field, as } }, at) =>
    Object.hasOwn(derived, field) || hasField(route.answer, field, as) ? [] : [[`columns.${at}.cell.field`, ["Unknown field"]] as const],
  );
  if (wrong.length > 0) throw new Refusal("request.invalid", Object.fromEntries(wrong));
}
