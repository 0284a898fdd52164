import type { ReactNode } from "react";
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { Place } from "../api/place.ts";
import { usePlace } from "../api/place.ts";
import { useApi, useFormats, useSignedIn } from "../api/use-api.ts";
import type { PaneState } from "../kit/commands/context.ts";
import type { GridProps } from "../kit/grid/grid.tsx";
import { Grid } from "../kit/grid/grid.tsx";
import type { GridPaper } from "../kit/grid/printed-rows.ts";
import type { GridRow, Sort } from "../kit/grid/grid-column.ts";
import { ownWay } from "../kit/look/printed-page.ts";
import { Pane } from "../kit/panes/panes.tsx";
import { Split } from "../kit/panes/split.tsx";
import { CursorColumn } from "./cursor-column.ts";
import { useText } from "../kit/texts/texts.ts";
import { useKit, usePaneLayout } from "../kit/use-kit.ts";
import { usePane } from "../kit/panes/use-pane.ts";
import type { Views } from "../views/use-views.ts";
import { useFollow } from "./counterpart.ts";
import { Failure } from "./failure.tsx";
import type { ListPanes } from "./list-panes.ts";
import { gridScopes } from "./list-panes.ts";
import type { ListState, PagedList } from "./paged-list.ts";
import { orTurned, tellMost } from "./sort-text.ts";
import "./lists.css";

const detailScopes: PaneState["scopes"] = ["pane"];
const noRows: PaneState["marked"] = [];

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined)
    .map(ownWay)
    .join(" · ");

/** What the address asks: the same object while it asks the same, since it changes with every record. */
export function useAsked<Asked>(read: (search: Place["search"]) => Asked): Asked {
  const key = JSON.stringify(read(usePlace().search));
  return useMemo(() => JSON.parse(key) as Asked, [key]); // written a line above
}

export interface ListWork<Row extends GridRow, Asked> {
  readonly list: Pick<PagedList<Row, object, ListState>, "source" | "subscribe" | "getState" | "more" | "reload">;
  readonly panes: ListPanes<Row>;
  /** Another question, with the zone's minutes east of UTC: everything anew. */
  ask(asked: Asked, zone: number): void;
}

export interface ListPaper<Row extends GridRow> extends Pick<GridPaper<Row>, "columns" | "lead"> {
  /** The days in view, as they stand at the head of each page. */
  period?(): string;
}

export interface ListAndDetailProps<Row extends GridRow, Asked> extends Pick<
  GridProps<Row>,
  "columns" | "label" | "sort" | "tile" | "dim" | "marks" | "allowsEverything" | "empty" | "totals" | "subTotals" | "totalsProof"
> {
  /** Names its panes; their sizes are kept under it. */
  readonly id: string;
  /** px of the detail. */
  readonly initial?: number;
  readonly work: ListWork<Row, Asked>;
  readonly asked: Asked;
  readonly views: Views;
  /** What its panes tell the commands beside rows and views. */
  readonly lends: Partial<PaneState> & Pick<PaneState, "subject">;
  /** Says that the list could not be loaded. */
  readonly failed: string;
  readonly bar: ReactNode;
  readonly detail: ReactNode;
  /** What its paper has beside that of any list. */
  readonly printed?: ListPaper<Row> | undefined;
  /** Drawn above the rows, beside the detail. */
  readonly above?: ReactNode;
  /** As the address has it; null: none. */
  sortText(sort: readonly Sort[]): string | null;
}

/** A list as its address asks for it, and beside it the detail of the record under the cursor, which the address names. */
export function ListAndDetail<Row extends GridRow, Asked>({
  id,
  initial,
  work,
  asked,
  views,
  lends,
  failed,
  bar,
  detail,
  above,
  printed,
  sortText,
  ...grid
}: ListAndDetailProps<Row, Asked>) {
  const kit = useKit();
  const place = usePlace();
  const { time: clock } = useApi();
  const { tenant, currency } = useSignedIn();
  const { zone, zoneText, time } = useFormats();
  const layout = usePaneLayout();
  const { list, panes } = work;
  const { failure, answeredAt } = useSyncExternalStore(list.subscribe, list.getState);
  // before the first paint, because the rows are what the page is opened for
  useLayoutEffect(() => {
    panes.readAddressAnew();
    work.ask(asked, zone);
  }, [work, panes, asked, zone]);

  // what the commands act on
  const listRef = useRef<HTMLElement>(null);
  const detailRef = useRef<HTMLElement>(null);
  const common = { cursor: null, marked: noRows, grid: null, detail: null, queue: null, ...lends, views: views.handle } as const;
  const listPane = usePane(listRef, { ...common, id: `${id}.list`, scopes: gridScopes });
  const detailPane = usePane(detailRef, { ...common, id: `${id}.detail`, scopes: detailScopes });
  useEffect(() => panes.open(listPane, detailPane), [panes, listPane, detailPane]);

  // the figures of marked rows are worded as they are marked
  const t = useText();
  useEffect(() => {
    if ((panes.grid?.markedRows().length ?? 0) > 0) panes.tellMarks();
  }, [panes, t]);

  const paper: GridPaper<Row> = {
    ...printed,
    words: () => ({
      start: joined(grid.label, printed?.period?.()),
      end: joined(tenant.name, currency?.code),
      foot: t("grid.printed-at", { at: ownWay(time(clock.now())), zone: ownWay(zoneText) }),
    }),
  };
  const record = place.get("record");
  useEffect(() => {
    if (record !== null && answeredAt > 0) void panes.goToAddressed(record);
  }, [panes, record, answeredAt]);

  useFollow(answeredAt > 0, (other, isMeant) => panes.follow(other, isMeant));

  const setSort = (sort: readonly Sort[]) => {
    tellMost(kit.services, sort);
    place.set({ sort: sortText(orTurned(sort, grid.sort ?? [], place.get("sort") !== null)), record: null }, true);
  };
  const retry = () => void (list.source.length > 0 ? list.more() : list.reload());

  return (
    <CursorColumn value={panes.column}>
      {layout.zoomed === null && bar}
      <Split
        id={id}
        {...(initial !== undefined && { initial })}
        list={
          <WithAbove above={above}>
            <Pane name="list" innerRef={listRef} className="list-pane">
              <Grid
                {...grid}
                paper={paper}
                source={list.source}
                handleRef={panes.setGrid}
                columnState={views.columns}
                onColumnState={views.onColumns}
                density={views.density}
                onDensity={views.onDensity}
                onSort={setSort}
                onCursor={panes.onCursor}
                onColumn={panes.onColumn}
                onHeader={panes.onHeader}
                onMarks={panes.tellMarks}
                onNeedMore={() => void list.more()}
                onOpen={() => kit.services.shell.focusPane("detail")}
                error={failure === null ? undefined : <Failure title={failed} failure={failure} onRetry={retry} />}
              />
            </Pane>
          </WithAbove>
        }
        detail={
          <Pane name="detail" innerRef={detailRef} className="detail-pane">
            {detail}
          </Pane>
        }
      />
    </CursorColumn>
  );
}

const WithAbove = ({ above, children }: { readonly above: ReactNode; readonly children: ReactNode }) =>
  above === undefined ? (
    children
  ) : (
    <div className="with-above">
      {above}
      {children}
    </div>
  );
