import i18next from "i18next";
import { StrictMode, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { initReactI18next } from "react-i18next";
import "../../../src/console/layers.css";
import "../../../src/console/kit/look/look.css";
import "./page.css";
import { columnCommands } from "../../../commands/columns.ts";
import { consoleCommands } from "../../../commands/console.ts";
import { gridCommands } from "../../../commands/grid.ts";
import en from "../../../locales/en.json";
import type { PaneState } from "../../../src/console/kit/commands/context.ts";
import type { OuterServices } from "../../../src/console/kit/kit.ts";
import { createKit } from "../../../src/console/kit/kit.ts";
import { KitProvider } from "../../../src/console/kit/kit-provider.tsx";
import { Grid } from "../../../src/console/kit/grid/grid.tsx";
import type { Sort } from "../../../src/console/kit/grid/grid-column.ts";
import type { GridHandle } from "../../../src/console/kit/commands/grid-handle.ts";
import { RowSource } from "../../../src/console/kit/grid/row-source.ts";
import { Pane } from "../../../src/console/kit/panes/panes.tsx";
import { StatusBar } from "../../../src/console/kit/messages/status-bar.tsx";
import { usePane } from "../../../src/console/kit/panes/use-pane.ts";
import { benchColumns, benchRows, titles, type BenchRow } from "./rows.ts";

// The grid as a screen has it, under the console's own keys, sheets and status bar.
const asked = new URLSearchParams(location.search);
const language = asked.get("lang") ?? "en";
document.documentElement.lang = language;
document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
await i18next.use(initReactI18next).init({
  lng: language,
  fallbackLng: "en",
  resources: { [language]: { translation: { ...en, ...titles } } },
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
});

const source = new RowSource<BenchRow>();
const rows = benchRows(Number(asked.get("rows") ?? 200));
source.setPage(rows, asked.has("more") ? { more: true, total: 12_345 } : { more: false });
window.source = source;
window.reported = { cursor: null, marks: [], header: false, opened: null, asked: 0 };

const services = { call: () => new Promise(() => {}), go() {}, changed() {}, shell: {} } as unknown as OuterServices; // nothing here calls out
const kit = createKit({ commands: [...gridCommands, ...columnCommands, ...consoleCommands], routedScreens: new Set(), services });
kit.context.setSession({ tenant: "t", currency: "MYR", user: "u", permissions: {} });

function Bench() {
  const ref = useRef<HTMLElement>(null);
  const [grid, setGrid] = useState<GridHandle<BenchRow> | null>(null);
  const [sort, setSort] = useState<readonly Sort[]>([]);
  const pane = usePane(ref, {
    id: "bench",
    scopes: ["pane", "grid"],
    subject: null,
    cursor: null,
    marked: [],
    grid: null,
    queue: null,
    detail: null,
  });
  useEffect(() => {
    if (grid === null) return;
    pane.publish({ grid });
    grid.focus();
    window.grid = grid;
    window.firstRows = performance.now();
  }, [grid, pane]);
  return (
    <>
      <Pane name="list" innerRef={ref} className="bench-pane">
        <Grid
          source={source}
          columns={benchColumns}
          handleRef={setGrid}
          label="Bench"
          sort={sort}
          onSort={setSort}
          allowsEverything={asked.has("more")}
          onCursor={(row) => (window.reported.cursor = row?.uuid ?? null)}
          onMarks={(ids) => {
            window.reported.marks = [...ids];
            const marked = grid?.markedRows() ?? [];
            pane.publish({ marked: marked as unknown as PaneState["marked"] }); // the kit knows no entity
          }}
          onHeader={(inHeader) => pane.publish({ scopes: inHeader ? ["pane", "grid", "header"] : ["pane", "grid"] })}
        />
      </Pane>
      <StatusBar />
    </>
  );
}

const root = document.querySelector("#root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <KitProvider kit={kit}>
        <Bench />
      </KitProvider>
    </StrictMode>,
  );
