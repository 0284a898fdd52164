import type { GridColumn, GridRow } from "../../../src/console/kit/grid/grid-column.ts";
import type { MessageKey } from "../../../src/console/kit/texts/messages.ts";

export interface BenchRow extends GridRow {
  /** Shared by rows 4,096 apart, so that a million rows are made in a moment. */
  readonly cells: readonly string[];
  readonly closed: boolean;
}

const names = [
  "Tan Wei Jie",
  "Mohd Faizal Rahman",
  "Lim Siew Ching",
  "Kavitha Subramaniam",
  "Ahmad Zulkifli",
  "Nor Hidayah binti Ismail",
  "Goh Kah Hoe",
];
const banks = ["Maybank", "CIMB", "Public Bank", "RHB", "Hong Leong", "BSN", "AmBank"];
const merchants = ["Harbour Play", "Lotus 88", "Rimba Games", "Selat Sports", "Kinta Arena"];

const kinds = ["status", "age", "amount", "fee", "final", "customer", "bank", "last4", "merchant", "account", "txn", "claim"] as const;
const widths = [96, 60, 96, 60, 96, 150, 110, 60, 110, 80, 132, 60] as const;
const figures = new Set(["age", "amount", "fee", "final"]);

export const titles: Record<string, string> = {
  "grid.marks": "Marks",
  ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`bench.${index}`, `${kinds[index % kinds.length]} ${index}`])),
};

export const benchColumns: readonly GridColumn<BenchRow>[] = Array.from({ length: 20 }, (_, index): GridColumn<BenchRow> => {
  const kind = kinds[index % kinds.length] ?? "status";
  return {
    id: `c${index}`,
    titleKey: `bench.${index}` as MessageKey, // texts of this page only
    width: widths[index % widths.length] ?? 96,
    align: figures.has(kind) ? "end" : "start",
    sortable: true,
    ...(kind === "txn" && { mono: true as const }),
    ...(kind === "age" && { hint: (row: BenchRow) => `since ${row.uuid}` }),
    text: kind === "txn" ? (row) => `W2611${row.uuid.slice(1).padStart(8, "0")}` : (row) => row.cells[index] ?? "",
    ...(kind === "amount" && { className: () => "strong", amount: (row: BenchRow) => (row.cells[index] ?? "").replaceAll(",", "") }),
  };
});

/** The same rows for the same count, on every machine. */
export function benchRows(count: number): BenchRow[] {
  let seed = 42;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * below);
  };
  const amount = (below: number) => `${(random(below) + 10).toLocaleString("en-US")}.${String(random(100)).padStart(2, "0")}`;
  const make = (kind: string): string => {
    switch (kind) {
      case "status":
        return ["Pending", "Process", "Approved", "Completed"][random(4)] ?? "";
      case "age":
        return `${String(random(60)).padStart(2, "0")}:${String(random(60)).padStart(2, "0")}`;
      case "amount":
      case "final":
        return amount(30_000);
      case "fee":
        return amount(300);
      case "customer":
        return names[random(names.length)] ?? "";
      case "bank":
        return banks[random(banks.length)] ?? "";
      case "last4":
        return String(random(9000) + 1000);
      case "merchant":
        return merchants[random(merchants.length)] ?? "";
      case "account":
        return `MBB-${String(random(40)).padStart(2, "0")}`;
      default:
        return ["", "NA", "TP", "DW"][random(4)] ?? "";
    }
  };
  const shared = Array.from({ length: Math.min(count, 4096) }, () =>
    Array.from({ length: 20 }, (_, column) => make(kinds[column % kinds.length] ?? "")),
  );
  return Array.from({ length: count }, (_, row) => ({ uuid: `r${row}`, closed: row % 400 >= 300, cells: shared[row % 4096] ?? [] }));
}
