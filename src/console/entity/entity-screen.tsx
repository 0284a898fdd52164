import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { CallFailure } from "../api/failure.ts";
import { usePlace } from "../api/place.ts";
import { useApi, useChanged, useFormats, useLive, useSignedIn } from "../api/use-api.ts";
import type { PaneState } from "../kit/context.ts";
import { Grid } from "../kit/grid/grid.tsx";
import { Pane } from "../kit/panes.tsx";
import { Split } from "../kit/split.tsx";
import { useText } from "../kit/texts.ts";
import { useKit, usePaneLayout } from "../kit/use-kit.ts";
import { usePane } from "../kit/use-pane.ts";
import { useViews } from "../views/use-views.ts";
import type { Entity, RecordDetail, RecordRow } from "./entity.ts";
import { EntityBar } from "./entity-bar.tsx";
import { EntityDetail } from "./entity-detail.tsx";
import { EntityForm } from "./entity-form.tsx";
import type { OpenForm } from "./entity-work.ts";
import { EntityWork, gridScopes } from "./entity-work.ts";
import type { Asked, Filters } from "./filters.ts";
import { filterSearch, readPlace, sortText } from "./filters.ts";
import { Failure } from "./failure.tsx";
import { Empty } from "./instead.tsx";
import { gridColumns } from "./shown.ts";
import "./entity.css";

const detailScopes: PaneState["scopes"] = ["pane"];
const noRows: PaneState["marked"] = [];
const noRecord: RecordRow = { uuid: "", version: 0 };

/** Filter, grid, detail, form and acts of one kind of plain records, from its description. */
export function EntityScreen({ entity }: { entity: Entity }) {
  const t = useText();
  const api = useApi();
  const kit = useKit();
  const place = usePlace();
  const formats = useFormats();
  const queries = useQueryClient();
  const { tenant, currency } = useSignedIn();
  const layout = usePaneLayout();
  const builtIn = useMemo(() => [{ id: "all", name: t("view.all"), search: {} }], [t]);
  const views = useViews(builtIn);

  // the address changes with every record, the question only with filters and sort
  const askedKey = JSON.stringify(readPlace(entity, place.search));
  const asked = useMemo(() => JSON.parse(askedKey) as Asked, [askedKey]); // written a line above

  const [work] = useState(
    () => new EntityWork({ entity, api, services: kit.services, queries, tenant: tenant.id, currency: currency?.code ?? null }),
  );
  const { list } = work;
  const state = useSyncExternalStore(list.subscribe, list.getState);

  // the record at rest under the cursor, and its detail
  const [shown, setShown] = useState<RecordRow | null>(null);
  const [marked, setMarked] = useState(0);
  const [historyOf, setHistoryOf] = useState<string | null>(null);
  const [form, setForm] = useState<OpenForm | null>(null);
  const uuid = shown?.uuid ?? null;
  const read = useQuery<RecordDetail>({
    ...work.detailOf(shown ?? noRecord),
    enabled: shown !== null,
    placeholderData: (before) => (before?.row.uuid === uuid ? before : undefined),
  });
  const detail = read.data ?? null;
  const failure = detail === null && read.error instanceof CallFailure ? read.error : null;

  const historyRef = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    work.draw({
      now: { asked, place },
      show: setShown,
      showMarks: setMarked,
      showForm: setForm,
      showHistory: () => setHistoryOf(uuid),
    });
  }, [work, asked, place, uuid]);
  useEffect(() => work.ask(asked), [work, asked]);
  useEffect(() => {
    if (historyOf !== null) historyRef.current?.scrollIntoView({ block: "start" });
  }, [historyOf]);
  useEffect(() => {
    if (detail !== null && detail.row.uuid === uuid) work.lookAhead(detail.row);
  }, [work, detail, uuid]);

  // what the commands act on
  const listRef = useRef<HTMLElement>(null);
  const detailRef = useRef<HTMLElement>(null);
  const { subject } = entity;
  const common = {
    subject,
    cursor: null,
    marked: noRows,
    grid: null,
    detail: null,
    queue: null,
    records: work.desk,
    views: views.handle,
  } as const;
  const listPane = usePane(listRef, { ...common, id: `${subject}.list`, scopes: gridScopes });
  const detailPane = usePane(detailRef, { ...common, id: `${subject}.detail`, scopes: detailScopes });
  useEffect(() => work.open(listPane, detailPane), [work, listPane, detailPane]);

  // what changes: by acts of this page, by others
  useChanged(subject, (rows) => work.took(rows));
  useLive(entity.live ?? "gap", (event) => void (event === null || event.more === true ? list.reload() : work.look(event.uuids)));
  useLive("gap", () => void (entity.live !== undefined && list.reload()));

  const recordAsked = place.get("record");
  const { answeredAt } = state;
  useEffect(() => {
    if (recordAsked !== null && answeredAt > 0) void work.goToAddressed(recordAsked);
  }, [work, recordAsked, answeredAt]);

  const columns = useMemo(() => gridColumns(entity, formats), [entity, formats]);
  const sort = useMemo(() => [asked.sort], [asked]);
  const setFilters = (filters: Filters) => place.set({ ...filterSearch(entity, filters), record: null }, true);

  return (
    <div className="entity">
      {layout.zoomed === null && (
        <EntityBar
          entity={entity}
          views={views.handle}
          filters={asked.filters}
          count={state.count}
          findRef={work.setFind}
          onFilters={setFilters}
        />
      )}
      <Split
        id={subject}
        list={
          <Pane name="list" innerRef={listRef} className="list-pane">
            <Grid
              source={list.source}
              columns={columns}
              label={t(`screen.${entity.screen}`)}
              handleRef={work.setGrid}
              columnState={views.columns}
              onColumnState={views.onColumns}
              sort={sort}
              onSort={([next]) => place.set({ sort: next ? sortText(next) : null, record: null }, true)}
              onCursor={work.onCursor}
              onHeader={work.onHeader}
              onMarks={work.tellMarks}
              onNeedMore={() => void list.more()}
              onOpen={() => kit.services.shell.focusPane("detail")}
              empty={<Empty entity={entity} filtered={Object.keys(asked.filters).length > 0} />}
              error={
                state.failure === null ? undefined : (
                  <Failure
                    title={t("record.failed", { screen: t(`screen.${entity.screen}`) })}
                    failure={state.failure}
                    onRetry={() => void (list.source.length > 0 ? list.more() : list.reload())}
                  />
                )
              }
            />
          </Pane>
        }
        detail={
          <Pane name="detail" innerRef={detailRef} className="detail-pane">
            <EntityDetail
              entity={entity}
              row={shown}
              detail={detail}
              failure={failure}
              marked={marked}
              historyRef={historyRef}
              wholeHistory={historyOf !== null && historyOf === uuid}
              onRetry={() => void read.refetch()}
              onShown={work.onShown}
            />
          </Pane>
        }
      />
      {form !== null && (
        <EntityForm entity={entity} form={form} onSave={() => void work.saveForm(form)} onLeave={() => void work.leaveForm(form)} />
      )}
    </div>
  );
}
