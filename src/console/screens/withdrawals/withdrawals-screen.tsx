import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalDetail, WithdrawalView } from "../../../contract/withdrawals.ts";
import { CallFailure } from "../../api/failure.ts";
import { Failure } from "../../entity/failure.tsx";
import { usePlace } from "../../api/place.ts";
import { useApi, useChanged, useFormats, useLive, useSignedIn } from "../../api/use-api.ts";
import type { PaneState } from "../../kit/context.ts";
import { Grid } from "../../kit/grid/grid.tsx";
import { Pane } from "../../kit/panes.tsx";
import { Split } from "../../kit/split.tsx";
import { useText } from "../../kit/texts.ts";
import { useKit, usePaneLayout } from "../../kit/use-kit.ts";
import { usePane } from "../../kit/use-pane.ts";
import { useViews } from "../../views/use-views.ts";
import { withdrawalColumns } from "./columns.ts";
import { Detail } from "./detail.tsx";
import { askedList, defaultSort, readPlace, sortText } from "./filters.ts";
import type { Asked, FilterName, Filters } from "./filters.ts";
import { Empty } from "./instead.tsx";
import { filterSearch } from "./make-desk.ts";
import { useRenewals } from "./use-renewals.ts";
import { useRoom } from "./use-room.ts";
import { useViewCounts } from "./use-view-counts.ts";
import { ViewBar } from "./view-bar.tsx";
import { gridScopes, noRows, Work } from "./work.ts";
import "./withdrawals.css";

const detailScopes: PaneState["scopes"] = ["pane"];
/** On the digits 1–6. */
const viewOrder = ["queue", "mine", "process", "today", "second", "all"] as const satisfies readonly WithdrawalView[];
const noRecord = { uuid: "", version: 0 };

/** The withdrawals of a tenant in one currency: views, list and detail, and the queue worked by single keys. */
export function Component() {
  const t = useText();
  const api = useApi();
  const kit = useKit();
  const place = usePlace();
  const formats = useFormats();
  const queries = useQueryClient();
  const { user, config, tenant, currency } = useSignedIn();
  const layout = usePaneLayout();
  const builtIn = useMemo(() => viewOrder.map((id) => ({ id, name: t(`withdrawal.view.${id}`), search: { view: id } })), [t]);
  const views = useViews(builtIn);
  const room = useRoom();
  const me = user.uuid;

  // the address changes with every record, the question only with view, filters and sort
  const askedKey = JSON.stringify(readPlace(place.search));
  const asked = useMemo(() => JSON.parse(askedKey) as Asked, [askedKey]); // written a line above

  const [work] = useState(
    () => new Work({ api, services: kit.services, queries, tenant: tenant.id, currency: currency?.code ?? null, me }),
  );
  const { list, queue } = work;
  const state = useSyncExternalStore(list.subscribe, list.getState);
  const queueState = useSyncExternalStore(queue.subscribe, queue.getState);
  useEffect(() => {
    void list.load(() => askedList(asked, api.time.now(), formats.zone));
  }, [list, asked, api, formats.zone]);

  // the record at rest under the cursor, and its detail
  const [shown, setShown] = useState<Withdrawal | null>(null);
  const [marked, setMarked] = useState(0);
  const [historyOf, setHistoryOf] = useState<string | null>(null);
  const uuid = shown?.uuid ?? null;
  const read = useQuery<WithdrawalDetail>({
    ...work.detailOf(shown ?? noRecord),
    enabled: shown !== null,
    placeholderData: (before) => (before?.row.uuid === uuid ? before : undefined),
  });
  const detail = read.data ?? null;
  const failure = detail === null && read.error instanceof CallFailure ? read.error : null;

  const historyRef = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    work.draw({
      now: { asked, place, detail, config },
      show: setShown,
      showMarks: setMarked,
      showHistory: () => setHistoryOf(uuid),
    });
  }, [work, asked, place, detail, config, uuid]);
  useEffect(() => {
    if (historyOf !== null) historyRef.current?.scrollIntoView({ block: "start" });
  }, [historyOf]);
  useEffect(() => {
    if (detail !== null && detail.row.uuid === uuid) work.lookAhead(detail);
  }, [work, detail, uuid]);

  // what the commands act on
  const listRef = useRef<HTMLElement>(null);
  const detailRef = useRef<HTMLElement>(null);
  const common = {
    subject: "withdrawal",
    cursor: null,
    marked: noRows,
    grid: null,
    detail: null,
    queue,
    desk: work.desk,
    views: views.handle,
  } as const;
  const listPane = usePane(listRef, { ...common, id: "withdrawals.list", scopes: gridScopes });
  const detailPane = usePane(detailRef, { ...common, id: "withdrawals.detail", scopes: detailScopes });
  useEffect(() => work.open(listPane, detailPane), [work, listPane, detailPane]);

  // what changes: by acts of this page, by others
  useChanged("withdrawal", (rows) => work.took(rows));
  useLive("withdraw", (event) => void (event.more === true ? list.catchUp() : list.look(event.uuids)));
  useLive("gap", () => void list.catchUp());
  useRenewals(list, me);
  const counts = useViewCounts(state);

  const recordAsked = place.get("record");
  const { answeredAt } = state;
  useEffect(() => {
    if (recordAsked !== null && answeredAt > 0) work.goToAddressed(recordAsked);
  }, [work, recordAsked, answeredAt]);

  const columns = useMemo(
    () => withdrawalColumns({ formats, now: () => api.time.now(), me, sla: config.withdrawals.sla, room }),
    [formats, api, me, config.withdrawals.sla, room],
  );
  const sort = useMemo(() => (asked.sort.length > 0 ? asked.sort : [defaultSort(asked.view)]), [asked]);
  const setFilters = (filters: Filters) => place.set({ ...filterSearch(filters), record: null }, true);
  const valueText = (name: FilterName, value: string): string => {
    const statuses = value.split(",") as Withdrawal["status"][]; // checked when the address was read
    if (name === "status") return statuses.map((status) => t(`status.${status}`)).join(", ");
    if (name === "merchant") return list.source.rows.find((row) => row.merchant.uuid === value)?.merchant.name ?? value.slice(0, 8);
    return value;
  };

  return (
    <div className="withdrawals">
      {layout.zoomed === null && (
        <ViewBar
          asked={asked}
          views={views.handle}
          state={state}
          counts={counts}
          findRef={work.setFind}
          valueText={valueText}
          onFilters={setFilters}
        />
      )}
      <Split
        id="withdrawals"
        initial={room === "narrow" ? 360 : 400}
        list={
          <Pane name="list" innerRef={listRef} className="list-pane">
            <Grid
              source={list.source}
              columns={columns}
              label={t("screen.withdrawals")}
              handleRef={work.setGrid}
              sort={sort}
              columnState={views.columns}
              onColumnState={views.onColumns}
              onSort={(next) => place.set({ sort: sortText(next), record: null }, true)}
              dim={isDecided}
              allowsEverything
              onCursor={work.onCursor}
              onHeader={work.onHeader}
              onMarks={work.tellMarks}
              onNeedMore={() => void list.more()}
              onOpen={() => kit.services.shell.focusPane("detail")}
              empty={<Empty asked={asked} queue={queueState} />}
              error={
                state.failure === null ? undefined : (
                  <Failure
                    title={t("withdrawal.failed")}
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
            <Detail
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
    </div>
  );
}

const isDecided = (row: Withdrawal): boolean => !isOpen(row);
