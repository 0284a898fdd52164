import type { DecisionRow } from "../../contract/decisions.ts";
import { initials } from "../api/initials.ts";
import type { GridColumn } from "../kit/grid/grid-column.ts";
import { writtenClass, writtenText, writtenTitle } from "../kit/look/written.ts";
import { element } from "../kit/grid/element.ts";
import type { ColumnNeeds } from "./columns.ts";
import { inHand } from "./in-hand.ts";

export interface DecisionColumnNeeds extends ColumnNeeds {
  /** The user's id. */
  readonly me: string;
}

/** Who has an open row in hand, and for how long; of a decided one, who decided. */
export function claimColumn({ formats, now, me, room }: DecisionColumnNeeds): GridColumn<DecisionRow> {
  const narrow = room === "narrow";
  return {
    id: "claim",
    titleKey: "transaction.column.claim",
    width: narrow ? 60 : 76,
    tick: true,
    quiet: true,
    paintRoom: 24,
    cell: { field: "holder", as: "text" },
    text: (row) => inHand(row, now(), formats)?.name ?? decider(row),
    hint: (row) => inHand(row, now(), formats)?.whole ?? "",
    paint(cell) {
      const who = element("span", "av", cell);
      const [setClass, setInitials, setName] = [writtenClass(who), writtenText(who), writtenTitle(who)];
      const setShort = writtenText(element("bdi", "label", cell));
      return (row) => {
        const held = inHand(row, now(), formats);
        const name = held?.name ?? decider(row);
        who.hidden = name === "";
        setClass(row.claim?.user === me ? "av me" : "av");
        setInitials(name === "" ? "" : initials(name));
        setName(name);
        setShort(held === null || (narrow && held.whole === null) ? "" : held.short);
      };
    },
  };
}

const decider = (row: DecisionRow): string => (row.rejected_by ?? row.approved_by)?.name ?? "";
