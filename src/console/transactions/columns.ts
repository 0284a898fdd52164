import { ageOf } from "../../contract/decisions.ts";
import type { Transaction } from "../../contract/transactions.ts";
import type { Formats } from "../api/formats.ts";
import { spanText } from "../api/formats.ts";
import { instantTitle } from "../api/instant.tsx";
import { element } from "../kit/grid/element.ts";
import type { GridColumn } from "../kit/grid/grid-column.ts";
import { titledWidth } from "../kit/grid/title-width.ts";
import { paintStatus } from "../kit/look/status.tsx";
import { writtenClass, writtenText } from "../kit/look/written.ts";
import { text } from "../kit/texts/texts.ts";
import { ageClass } from "./age.ts";
import type { Sla } from "./age.ts";
import { createdColumn } from "./record-columns.ts";
import type { Room } from "../lists/use-room.ts";

export type TimeColumn = "age" | "created";

export interface ColumnNeeds {
  readonly formats: Formats;
  /** The server's clock, ms. */
  now(): number;
  readonly sla: Sla;
  /** Whether a row waits for us, so that its age can alarm; left out: every open one does. */
  readonly waits?: (row: Transaction) => boolean;
  /** Not "wide": fee, final and merchant step aside; "narrow": ids keep only their end. */
  readonly room: Room;
  /** The column that stands for the order of time. */
  readonly time: TimeColumn;
  /** The narrow columns need room for their titles in it. */
  readonly t: typeof text;
}

type Column = GridColumn<Transaction>;
type Name = "status" | "age" | "created" | "amount" | "fee" | "final" | "customer" | "merchant" | "txn";

/** What any transaction shows in a list; the kind of transaction decides over their order and adds its own. */
export function transactionColumns({ formats, now, sla, waits, room, time, t }: ColumnNeeds): Readonly<Record<Name, Column>> {
  const narrow = room === "narrow";
  const isWide = room === "wide";
  // the date of creation takes the room of weaker columns where it is shown
  const isDecided = time === "created";
  return {
    status: {
      id: "status",
      titleKey: "transaction.column.status",
      width: 116,
      sortable: true,
      paintRoom: 18,
      cell: { field: "status", as: "choice", words: ["status."] },
      text: (row) => text(`status.${row.status}`),
      paint(cell) {
        const write = paintStatus(cell);
        return (row) => write(row.status);
      },
    },
    age: {
      id: "age",
      titleKey: "transaction.column.age",
      width: titledWidth(t("transaction.column.age"), 64),
      align: "end",
      sortable: !isDecided,
      aside: isDecided && !isWide,
      tick: true,
      quiet: true,
      cell: { field: "age", as: "span" },
      text: (row) => spanText(ageOf(row, now())),
      hint: (row) => instantTitle(formats, row.created_at, "part"),
      paint(cell) {
        const shown = element("bdi", "age", cell);
        const [setClass, setAge] = [writtenClass(shown), writtenText(shown)];
        return (row) => {
          const at = now();
          setClass(ageClass(row, at, sla, waits));
          setAge(spanText(ageOf(row, at)));
        };
      },
    },
    amount: {
      id: "amount",
      titleKey: "transaction.column.amount",
      width: 96,
      align: "end",
      sortable: true,
      className: () => "strong",
      text: (row) => formats.amount(row.amount),
      amount: (row) => row.amount,
    },
    fee: {
      id: "fee",
      titleKey: "transaction.column.fee",
      width: 60,
      align: "end",
      aside: !isWide || isDecided,
      className: () => "t2",
      text: (row) => formats.amount(row.fee),
      amount: (row) => row.fee,
    },
    final: {
      id: "final",
      titleKey: "transaction.column.final",
      width: 96,
      align: "end",
      aside: !isWide || isDecided,
      cell: { field: "final_amount", as: "amount" },
      text: (row) => formats.amount(row.final_amount),
      amount: (row) => row.final_amount,
    },
    customer: {
      id: "customer",
      titleKey: "transaction.column.customer",
      width: 140,
      minWidth: 100,
      grow: 1,
      sortable: true,
      cell: { field: "customer_name", as: "text" },
      text: (row) => row.customer_name,
    },
    merchant: {
      id: "merchant",
      titleKey: "transaction.column.merchant",
      width: 108,
      aside: !isWide,
      className: () => "t2",
      cell: { field: "merchant.name", as: "text" },
      text: (row) => row.merchant.name,
    },
    txn: {
      id: "txn",
      titleKey: "transaction.column.txn",
      width: narrow ? 76 : 136,
      sortable: true,
      whole: true,
      paintRoom: 4,
      cell: { field: "txn_no", as: "text" },
      text: (row) => row.txn_no,
      paint(cell) {
        const id = element("bdi", "id", cell);
        const setHead = writtenText(element("i", "", id));
        const setEnd = writtenText(element("b", "", id));
        return (row) => {
          setHead(narrow ? "…" : row.txn_no.slice(0, -6));
          setEnd(row.txn_no.slice(-6));
        };
      },
    },
    created: { ...createdColumn(formats), sortable: isDecided, aside: !isDecided },
  };
}
