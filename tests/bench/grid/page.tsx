import type { GridHandle, Motion } from "../../../src/console/kit/commands/grid-handle.ts";
import i18next from "i18next";
import { createRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { initReactI18next } from "react-i18next";
import "../../../src/console/kit/look/tokens.css";
import "./page.css";
import { Grid } from "../../../src/console/kit/grid/grid.tsx";
import type { ColumnState, Sort } from "../../../src/console/kit/grid/grid-column.ts";
import { RowSource } from "../../../src/console/kit/grid/row-source.ts";
import { benchColumns, benchRows, titles, type BenchRow } from "./rows.ts";
import { onKeys } from "./time-keys.ts";

declare global {
  interface Window {
    grid: GridHandle<BenchRow>;
    source: RowSource<BenchRow>;
    /** What the grid said last through its callbacks. */
    reported: { cursor: string | null; marks: string[]; header: boolean; opened: string | null; asked: number };
    /** performance.now() when the first row was in the document. */
    firstRows: number;
  }
}

const asked = new URLSearchParams(location.search);
const language = asked.get("lang") ?? "en";
document.documentElement.lang = language;
document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
const theme = asked.get("theme");
if (theme) document.documentElement.dataset.theme = theme;

const keys: Record<string, Motion> = {
  ArrowDown: "next-row",
  ArrowUp: "previous-row",
  ArrowRight: language === "ar" ? "previous-cell" : "next-cell",
  ArrowLeft: language === "ar" ? "next-cell" : "previous-cell",
  PageDown: "next-page",
  PageUp: "previous-page",
  Home: "first-cell",
  End: "last-cell",
};

await i18next
  .use(initReactI18next)
  .init({ lng: language, resources: { [language]: { translation: titles } }, keySeparator: false, interpolation: { escapeValue: false } });

const source = new RowSource<BenchRow>();
const rows = benchRows(Number(asked.get("rows") ?? 10_000));
const state = asked.get("state");
if (state === "failed") source.setLoading("failed");
else if (state !== "loading") source.setPage(rows);
window.source = source;

const handle = createRef<GridHandle<BenchRow>>();
const seconds = () => String(Math.floor(performance.now() / 1000));
/** `ticks`: the second column shows the second. */
const clock = { tick: true, text: seconds } as const;
const shown = benchColumns.map((column) => (asked.has("ticks") && column.id === "c1" ? { ...column, ...clock } : column));
const pinned = asked.has("pin") ? { start: ["c0"], end: ["c19"] } : null;
window.reported = { cursor: null, marks: [], header: false, opened: null, asked: 0 };

function Bench() {
  const [sort, setSort] = useState<readonly Sort[]>([]);
  const [columns, setColumns] = useState<ColumnState>(pinned ? { pinned } : {});
  return (
    <Grid
      source={source}
      columns={shown}
      handleRef={handle}
      label="Bench"
      sort={sort}
      onSort={setSort}
      density={asked.get("density") === "roomy" ? "roomy" : "normal"}
      columnState={columns}
      onColumnState={setColumns}
      dim={(row) => row.closed}
      onCursor={(row) => (window.reported.cursor = row?.uuid ?? null)}
      onMarks={(ids) => (window.reported.marks = [...ids])}
      onHeader={(inHeader) => (window.reported.header = inHeader)}
      onOpen={(row) => (window.reported.opened = row.uuid)}
      onNeedMore={() => window.reported.asked++}
    />
  );
}

// a grid that draws late, for the check of blank rows to be seen failing
const lazy = Number(asked.get("lazy"));
let due = 0;
if (lazy > 0)
  window.addEventListener(
    "scroll",
    (event) => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      clearTimeout(due);
      due = window.setTimeout(() => event.target?.dispatchEvent(new Event("scroll")), lazy);
    },
    true,
  );

// `bare`: the rows alone, whose heap is not the grid's
const bare = asked.has("bare");
const root = document.querySelector("#root");
if (root && !bare) createRoot(root).render(<Bench />);
const ready = () => {
  if (bare) return void (window.firstRows = performance.now());
  if (!handle.current || (state === null && !document.querySelector(".rows > .row [role=gridcell]")))
    return void requestAnimationFrame(ready);
  window.grid = handle.current;
  window.firstRows = performance.now();
  handle.current.focus();
};
ready();

onKeys((event) => {
  const grid = handle.current;
  if (!grid) return;
  if (event.ctrlKey && event.key === "End") grid.move("last-row");
  else if (event.ctrlKey && event.key === "Home") grid.move("first-row");
  else if (event.key === " ") grid.toggleMark();
  else if (event.key === "Enter") grid.activate();
  else {
    const motion = keys[event.key];
    if (motion) grid.move(motion, { extend: event.shiftKey });
  }
});
