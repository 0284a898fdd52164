import type { Density, GridHandle } from "../commands/grid-handle.ts";
import {
  useContext,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type Ref,
} from "react";
import { useTranslation } from "react-i18next";
import "./grid.css";
import "./printed.css";
import { KitContext } from "../use-kit.ts";
import { useColumns } from "./column-state.ts";
import { headerCellId } from "./cursor-boxes.ts";
import { ownDensity } from "./density.ts";
import { Everything } from "./everything.tsx";
import { FindBar } from "./find-bar.tsx";
import { rowHeights, type ColumnState, type GridColumn, type GridRow, type Sort } from "./grid-column.ts";
import { GridCore, type CoreOptions } from "./grid-core.ts";
import { GridHeader } from "./grid-header.tsx";
import { headHeight } from "./storeys.ts";
import type { SubTotals, TotalsProof } from "./totals-row.tsx";
import type { GridPaper } from "./printed-rows.ts";
import { Tiles } from "./tiles.tsx";
import type { Tile } from "./tiles.tsx";
import { TotalsRow } from "./totals-row.tsx";
import type { RowSource } from "./row-source.ts";

export interface GridProps<Row extends GridRow> {
  source: RowSource<Row>;
  /** Must be the same array between renders, because a new one rebuilds the pool. */
  columns: readonly GridColumn<Row>[];
  /** Label of the grid for screen readers. */
  label: string;
  handleRef?: Ref<GridHandle<Row>>;
  sort?: readonly Sort[];
  onSort?: (sort: readonly Sort[]) => void;
  /** By default the grid keeps the columns' state itself. */
  columnState?: ColumnState;
  onColumnState?: (state: ColumnState) => void;
  /** By default the density the operator chose for all grids. */
  density?: Density;
  onDensity?: (density: Density) => void;
  /** Mark boxes; true by default. */
  marks?: boolean;
  /** Decided rows: drawn fainter, with a stronger line where they begin. */
  dim?: (row: Row) => boolean;
  /** The cursor's row is another one, has changed or became a tombstone. Called synchronously, so keep it cheap. */
  onCursor?: (row: Row | null) => void;
  /** The cursor stands in another column. */
  onColumn?: (id: string) => void;
  /** The cursor entered or left the header row. */
  onHeader?: (inHeader: boolean) => void;
  onMarks?: (ids: ReadonlySet<string>) => void;
  /**
   * A second Mod+A marks all rows that match the query, loaded or not; `handle.marksEverything()` is then not null, and every act
   * on marked rows must check it. Off by default.
   */
  allowsEverything?: boolean;
  /** Totals of all rows of the query, by column and as they are written: a row beneath the others. Keep the object between renders. */
  totals?: Readonly<Record<string, string>> | undefined;
  /** Totals of parts of those rows, above these. Keep the array between renders. */
  subTotals?: readonly SubTotals[] | undefined;
  /** Whether those agree with each other. */
  totalsProof?: TotalsProof | undefined;
  /** What is printed beside the rows; keep it cheap to make, it is read when the page is printed. */
  paper?: GridPaper<Row> | undefined;
  /** The view is near the end of the loaded rows, and there are more; called once per length. */
  onNeedMore?: () => void;
  onOpen?: (row: Row) => void;
  /** What a tile shows of a row; the rows are drawn as tiles where it is given. */
  tile?: Tile<Row> | undefined;
  /** Shown when loading has ended without rows. */
  empty?: ReactNode;
  /** Shown when loading has failed: instead of the rows, or below those there are. */
  error?: ReactNode;
}

type Phase = "rows" | "loading" | "previous" | "empty" | "failed" | "rows-failed";

/** Loading a further page is no phase of its own, because the grid would render twice while it scrolls. */
function phaseOf<Row extends GridRow>(source: RowSource<Row>): Phase {
  if (source.length > 0) return source.loading === "failed" ? "rows-failed" : "rows";
  if (source.loading === "idle") return "empty";
  return source.showsPreviousRows ? "previous" : source.loading;
}

/**
 * A virtual grid driven by commands through its handle; it listens to no key itself. Cursor, scrolling and live patches write to
 * the document directly, without a React render.
 */
export function Grid<Row extends GridRow>(props: GridProps<Row>): ReactNode {
  const { source, label, marks = true, allowsEverything = false } = props;
  const kit = useContext(KitContext);
  const own = useSyncExternalStore(ownDensity.subscribe, ownDensity.get);
  const density = props.density ?? own;
  const { t, i18n } = useTranslation();
  const rtl = i18n.dir() === "rtl";
  const id = `g${useId().replace(/[^a-zA-Z0-9]/g, "")}`;
  const { shown, acts, sort } = useColumns({ ...props, rtl });
  const hasMenu = kit?.registry.get("header.menu") !== undefined;
  const options: CoreOptions<Row> = {
    ...props,
    columns: shown,
    marks,
    rowHeight: rowHeights[density],
    rtl,
    acts,
    sort,
    allowsEverything,
    setDensity: (next) => {
      if (props.density === undefined) ownDensity.set(next);
      props.onDensity?.(next);
    },
    titleOf: (column) => t(column.titleKey),
    titled: (key) => t(key),
    words: (key, words) => t(key, words),
    headerBox: (column) => document.getElementById(headerCellId(id, column))?.getBoundingClientRect() ?? null,
    ...(hasMenu && { onColumnMenu: () => kit?.run("header.menu", "button") }),
  };
  const [core] = useState(() => new GridCore<Row>(id, options));
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const here = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const spoken = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!scroller.current || !body.current || !track.current || !here.current || !ring.current || !spoken.current) return;
    return core.attach({
      scroller: scroller.current,
      body: body.current,
      track: track.current,
      here: here.current,
      ring: ring.current,
      spoken: spoken.current,
    });
  }, [core]);
  useEffect(() => kit?.ladder.register("tooltip", () => core.chosen.dismissPeek()), [kit, core]);
  // registered before the marks, because the range was made last
  useEffect(
    () =>
      kit?.ladder.register(
        "selection",
        () => kit.context.read({ pane: "latest" }).pane?.grid === core.handle && core.chosen.collapseRange(),
      ),
    [kit, core],
  );
  useLayoutEffect(() => core.update(options));
  useImperativeHandle(props.handleRef, () => core.handle, [core]);
  const phase = useSyncExternalStore(
    (listener) => source.subscribe(listener),
    () => phaseOf(source),
  );

  return (
    <div
      className={`grid ${id}${phase === "previous" ? " past" : ""}${props.tile ? " as-tiles" : ""}`}
      dir={rtl ? "rtl" : "ltr"}
      style={{ "--grid-row": `${rowHeights[density]}px`, "--grid-head": `${headHeight(shown)}px` }}
    >
      <div
        ref={scroller}
        className="scroller"
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-multiselectable={marks}
        aria-colcount={shown.length + (marks ? 1 : 0)}
      >
        <GridHeader id={id} columns={shown} sort={sort} marks={marks} hasMenu={hasMenu} core={core} />
        <div ref={body} className="rows" role="rowgroup">
          <div ref={track} className="track" role="presentation">
            <div ref={here} className="here" />
          </div>
          <div ref={ring} className="ring" role="presentation" />
        </div>
      </div>
      {props.tile && phase !== "loading" && <Tiles core={core} source={source} tile={props.tile} />}
      {props.totals && (
        <TotalsRow
          columns={shown}
          marks={marks}
          totals={props.totals}
          parts={props.subTotals}
          proof={props.totalsProof}
          scroller={scroller}
        />
      )}
      <div ref={spoken} className="spoken" role="status" aria-live="polite" aria-atomic="true" />
      <FindBar core={core} />
      {allowsEverything && <Everything core={core} source={source} />}
      {phase === "loading" && <Skeleton columns={shown.length} marks={marks} label={t("grid.loading")} />}
      {phase === "empty" && <div className="instead">{props.empty ?? <p>{t("grid.empty")}</p>}</div>}
      {phase === "failed" && (
        <div className="instead" role="alert">
          {props.error ?? <p>{t("grid.failed")}</p>}
        </div>
      )}
      {phase === "rows-failed" && (
        <div className="beneath" role="alert">
          {props.error ?? <p>{t("grid.failed")}</p>}
        </div>
      )}
    </div>
  );
}

const skeletonRows = Array.from({ length: 16 }, (_, index) => index);

/** Grey bars in place of the columns; the stylesheet shows them only after 150 ms. */
function Skeleton({ columns, marks, label }: { columns: number; marks: boolean; label: string }): ReactNode {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {skeletonRows.map((row) => (
        <div key={row} className="row" role="presentation">
          {marks && <div className="mk" />}
          {Array.from({ length: columns }, (_, column) => (
            <div key={column} className={`cell c${column}`}>
              <span />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
