import { useQueryClient } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { DecisionDetail, DecisionRow } from "../../contract/decisions.ts";
import { isOpen } from "../../contract/transactions.ts";
import { usePlace } from "../api/place.ts";
import { useApi, useChanged, useFormats, useLive, useSignedIn } from "../api/use-api.ts";
import type { Desks } from "../kit/commands/desks.ts";
import type { GridColumn } from "../kit/grid/grid-column.ts";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { eachDay } from "../lists/each-day.ts";
import { filterSearch } from "../lists/filters.ts";
import type { Filters } from "../lists/filters.ts";
import { ListAndDetail, useAsked } from "../lists/list-and-detail.tsx";
import { useShownRecord } from "../lists/use-shown-record.ts";
import type { ShownRecord } from "../lists/use-shown-record.ts";
import { useViews } from "../views/use-views.ts";
import type { DecisionColumnNeeds } from "./claim-column.ts";
import type { DecisionKind } from "./decision-kind.ts";
import { defaultSort, readPlace, sortText } from "./decision-place.ts";
import { timeColumn, viewOf } from "./decision-views.ts";
import { createDecisionWork } from "./decision-work.ts";
import type { DecisionWork } from "./decision-work.ts";
import { NoRows } from "./no-rows.tsx";
import { useRenewals } from "./use-renewals.ts";
import { useRoom } from "../lists/use-room.ts";
import { ReceiptContext, ReceiptViewer } from "./receipts/receipts.tsx";
import { useReceipts } from "./receipts/use-receipts.ts";
import { useProofs } from "./use-proofs.ts";
import { useViewCounts } from "./use-view-counts.ts";
import { ViewBar } from "./view-bar.tsx";
import "./transactions.css";

export interface CreateProps<Row> {
  /** It is in the list from now on, under the cursor where the view has it. */
  onCreated(row: Row): void;
  /** Made, or left. */
  onLeave(): void;
}

export interface DecisionScreenProps<Row extends DecisionRow, Detail extends DecisionDetail<Row>> {
  readonly kind: DecisionKind<Row, Detail>;
  readonly Detail: ComponentType<ShownRecord<Row, Detail>>;
  columns(needs: DecisionColumnNeeds): readonly GridColumn<Row>[];
  /** What its panes lend the commands beside what any such screen lends. */
  readonly lends?: Desks;
  /** The cursor has come to rest on another record. */
  onRow?(uuid: string | null): void;
  /** The form of one made by hand; left out where none is. */
  readonly Create?: ComponentType<CreateProps<Row>>;
  /** What else the screen does with its list; the same hook as long as it is mounted. */
  readonly useMore?: (work: DecisionWork<Row, Detail>) => More;
}

/** What a screen has beside what every list of transactions has. */
export interface More {
  /** For its commands; the same object while nothing of it changes. */
  readonly lends: Partial<Desks>;
  /** Over the page. */
  readonly over: ReactNode;
}

const nothingMore: More = { lends: {}, over: null };
const useNothingMore = (): More => nothingMore;

/** The transactions of one kind of a tenant in one currency: views, list and detail, and the queue worked by single keys. */
export function DecisionScreen<Row extends DecisionRow, Detail extends DecisionDetail<Row>>({
  kind,
  Detail,
  columns: columnsOf,
  lends: own,
  onRow,
  Create,
  useMore = useNothingMore,
}: DecisionScreenProps<Row, Detail>) {
  const t = useText();
  const api = useApi();
  const kit = useKit();
  const place = usePlace();
  const formats = useFormats();
  const queries = useQueryClient();
  const { user, config, tenant, currency } = useSignedIn();
  const builtIn = useMemo(() => kind.views.map(({ id, name }) => ({ id, name: t(name), search: { view: id } })), [kind, t]);
  const views = useViews(builtIn);
  const room = useRoom();
  const me = user.uuid;
  const settings = kind.settingsOf(config);
  const asked = useAsked((search) => readPlace(kind, search));

  const [work] = useState(() =>
    createDecisionWork(kind, { api, services: kit.services, queries, tenant: tenant.id, currency: currency?.code ?? null, me }),
  );
  const { list, panes, queue } = work;
  const state = useSyncExternalStore(list.subscribe, list.getState);
  const queueState = useSyncExternalStore(queue.subscribe, queue.getState);
  const shown = useShownRecord(work);
  const { detail } = shown;
  const [creating, setCreating] = useState(false);
  const create = useMemo(() => (Create === undefined ? null : () => setCreating(true)), [Create]);
  useLayoutEffect(
    () => work.draw({ asked, place, detail, settings, formats, create }),
    [work, asked, place, detail, settings, formats, create],
  );

  // what changes: by acts of this page, by others
  useChanged(kind.subject, (rows) => work.took(rows));
  useLive(kind.live, (event) => {
    void work.claims.heard(event.more === true ? null : event.uuids);
    void (event.more === true ? list.catchUp() : list.look(event.uuids));
  });
  useLive("gap", () => {
    void work.claims.heard(null);
    void list.catchUp();
  });
  // nobody tells of midnight, after which yesterday's rows are none of today's
  useEffect(
    () =>
      eachDay(
        () => api.time.now(),
        formats.zone,
        () => void list.catchUp(),
      ),
    [api, formats.zone, list],
  );
  useRenewals(work.claims);
  const view = viewOf(kind.views, asked.view);
  const counts = useViewCounts(kind.routes.counts, state, useProofs(kind, work, view.byProof === true));
  const { sla } = settings;
  const time = timeColumn(view);
  const columns = useMemo(
    () => columnsOf({ formats, now: () => api.time.now(), me, sla, room, time, t }),
    [columnsOf, formats, api, me, sla, room, time, t],
  );
  const sort = useMemo(() => (asked.sort.length > 0 ? asked.sort : defaultSort(view)), [asked, view]);
  const receipts = useReceipts(kind.subject, kind.routes.read);
  const more = useMore(work);
  const lends = useMemo(
    () =>
      ({
        subject: kind.subject,
        queue,
        list: work.listDesk,
        live: work.liveDesk,
        decision: work.desk,
        receipts,
        ...own,
        ...more.lends,
      }) as const,
    [kind, queue, work, receipts, own, more.lends],
  );
  useEffect(() => panes.shown.subscribe(({ row }) => onRow?.(row?.uuid ?? null)), [panes, onRow]);
  const setFilters = (set: Filters) => place.set(filterSearch(kind.filters, set), true);
  const widen = (set: Filters) => {
    setFilters(set);
    panes.grid?.focus(); // what stood instead of the rows goes, and would take the focus with it
  };

  const onCreated = (row: Row) => {
    kit.services.changed(kind.subject, [row]);
    panes.grid?.scrollToId(row.uuid);
  };

  return (
    <div className={`lists decisions ${kind.screen}`}>
      <ListAndDetail
        id={kind.screen}
        initial={room === "narrow" ? 360 : 400}
        label={t(`screen.${kind.screen}`)}
        failed={t(kind.own("failed"))}
        work={work}
        asked={asked}
        views={views}
        lends={lends}
        columns={columns}
        sort={sort}
        sortText={sortText}
        dim={isDecided}
        allowsEverything
        empty={<NoRows kind={kind} asked={asked} queue={queueState} onFilters={widen} />}
        bar={
          <ViewBar
            views={views.handle}
            filters={kind.filters}
            set={asked.filters}
            rows={list.source.rows}
            state={state}
            counts={counts}
            findRef={panes.setFind}
            onFilters={setFilters}
          />
        }
        detail={
          <ReceiptContext value={receipts}>
            <Detail {...shown} />
          </ReceiptContext>
        }
      />
      {receipts !== null && <ReceiptViewer work={receipts} />}
      {Create !== undefined && creating && <Create onCreated={onCreated} onLeave={() => setCreating(false)} />}
      {more.over}
    </div>
  );
}

const isDecided = (row: DecisionRow): boolean => !isOpen(row);
