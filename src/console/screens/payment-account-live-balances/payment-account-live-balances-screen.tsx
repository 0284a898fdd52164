import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import type { Show } from "../../../contract/live-balances.ts";
import { formatCount } from "../../../values/counts.ts";
import { usePlace } from "../../api/place.ts";
import { useApi, useChanged, useFormats, useLive, useSignedIn } from "../../api/use-api.ts";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { useKit, usePaneLayout } from "../../kit/use-kit.ts";
import { FilterBar } from "../../lists/filter-bar.tsx";
import type { Filters } from "../../lists/filters.ts";
import { filterSearch } from "../../lists/filters.ts";
import { ListAndDetail, useAsked } from "../../lists/list-and-detail.tsx";
import { sortText } from "../../lists/sort-text.ts";
import { useShownRecord } from "../../lists/use-shown-record.ts";
import { useRoom } from "../../lists/use-room.ts";
import { useViews } from "../../views/use-views.ts";
import { useTransfers } from "../../transfers/use-transfers.tsx";
import { liveColumns } from "./live-columns.ts";
import { LiveDetail } from "./live-detail.tsx";
import type { LiveLine } from "./live-lines.ts";
import { isAccount } from "./live-lines.ts";
import { liveFilters, liveViews, readLivePlace } from "./live-place.ts";
import { liveTotals } from "./live-totals.ts";
import { LiveWork } from "./live-work.ts";
import { Wall } from "./wall.tsx";
import "./live-balances.css";

const isOff = (line: LiveLine): boolean => isAccount(line) && line.status === "inactive";

/** Every payment account of the currency with what it has, what may be paid and what its limits leave, as it is at this moment. */
export function Component() {
  const t = useText();
  const api = useApi();
  const kit = useKit();
  const place = usePlace();
  const formats = useFormats();
  const queries = useQueryClient();
  const room = useRoom();
  const { tenant, currency } = useSignedIn();
  const { zoomed } = usePaneLayout();
  const builtIn = useMemo(
    () =>
      liveViews.map(({ id, search }) => ({ id, name: id === "all" ? t("live-balance.view.all") : t(`live-balance.view.${id}`), search })),
    [t],
  );
  const views = useViews(builtIn);
  const asked = useAsked(readLivePlace);
  const [work] = useState(
    () => new LiveWork({ api, services: kit.services, queries, tenant: tenant.id, currency: currency?.code ?? null }),
  );
  const { list, panes } = work;
  useEffect(() => list.open(), [list]);
  useEffect(() => () => work.close(), [work]);
  useLayoutEffect(() => work.draw({ asked, place, formats }), [work, asked, place, formats]);

  useChanged("payment-account", (rows) => list.look(rows.map(({ uuid }) => uuid)));
  useLive("paymentAccount", (event) => void (event.more === true ? list.reload() : list.look(event.uuids)));
  useLive("gap", () => void list.reload());

  const isWall = zoomed === "list";
  useWallInAddress(isWall);

  const { count } = useSyncExternalStore(list.subscribe, list.getState);
  const figures = useStore(list.figures);
  const { grouping } = asked;
  const columns = useMemo(
    () => liveColumns({ formats, now: () => api.time.now(), meta: list.meta, grouping, room, t }),
    [formats, api, list, grouping, room, t],
  );
  const shown = useMemo(() => list.source.rows.filter(isAccount), [list, figures, count]); // eslint-disable-line react-hooks/exhaustive-deps
  const { totals, parts } = useMemo(() => liveTotals(shown, formats, t), [shown, formats, t]);
  const record = useShownRecord(work);
  const lends = useMemo(() => ({ list: work.listDesk, balances: work.balances }), [work]);
  const { lends: moving, sheet } = useTransfers();
  const ofAccounts = useMemo(() => ({ subject: "payment-account" as const, ...lends, ...moving }), [lends, moving]);
  const setFilters = (set: Filters) => place.set(filterSearch(liveFilters, set), true);
  const bar = (
    <FilterBar
      filters={liveFilters}
      set={asked.filters}
      rows={list.source.rows}
      views={views.handle}
      countOf={({ id }) => figures.counts[id as "all" | Show] ?? null}
      count={null}
      sum={t("live-balance.changes", { count: figures.changes, shown: formatCount(figures.changes) })}
      findRef={panes.setFind}
      onFilters={setFilters}
    >
      <CommandButton id="live-balance.group" className="create">
        {t("live-balance.grouped", { by: t(`live-balance.grouping.${grouping}`) })}
      </CommandButton>
      <CommandButton id="live-balance.wall" className="create">
        {t(isWall ? "live-balance.leave-wall" : "live-balance.wall")}
      </CommandButton>
    </FilterBar>
  );
  const title = t("screen.payment-account-live-balances");
  return (
    <div className="entity live-balances">
      {isWall ? (
        <Wall work={work} asked={asked} lends={lends} views={views} bar={bar} title={title} />
      ) : (
        <ListAndDetail
          id="payment-account-live-balances"
          label={title}
          failed={t("record.failed", { screen: title })}
          work={work}
          asked={asked}
          views={views}
          lends={ofAccounts}
          columns={columns}
          marks={false}
          dim={isOff}
          sort={asked.sort}
          sortText={sortText}
          totals={totals}
          subTotals={parts}
          empty={<Empty all={figures.counts.all} isFiltered={Object.keys(asked.filters).length > 0} onAll={() => setFilters({})} />}
          bar={bar}
          detail={<LiveDetail {...record} list={list} />}
        />
      )}
      {sheet}
    </div>
  );
}

/** A wall is found again at its address: its screen comes back by itself after a restart. */
function useWallInAddress(isWall: boolean): void {
  const place = usePlace();
  const { panes } = useKit();
  const [asked] = useState(() => place.get("wall") === "1");
  useEffect(() => {
    if (asked) panes.focus("list");
    if (asked && panes.getState().zoomed === null) panes.zoom();
  }, [asked, panes]);
  // the wall goes with the focus it had
  const was = useRef(isWall);
  useEffect(() => {
    if (was.current && !isWall) panes.focus("list");
    was.current = isWall;
  }, [isWall, panes]);
  const told = place.get("wall") === "1";
  useEffect(() => {
    if (told !== isWall) place.note({ wall: isWall ? "1" : null });
  }, [told, isWall, place]);
}

interface EmptyProps {
  readonly all: number;
  readonly isFiltered: boolean;
  onAll(): void;
}

/** No account yet, or none that fits: of what needs attention none is good news. */
function Empty({ all, isFiltered, onAll }: EmptyProps) {
  const t = useText();
  if (all > 0 && isFiltered)
    return (
      <div className="empty">
        <p className="strong">{t("record.empty.no-match")}</p>
        <button type="button" className="btn" onClick={onAll}>
          {t("live-balance.show-all", { count: all, shown: formatCount(all) })}
        </button>
      </div>
    );
  return (
    <div className="empty">
      <Icon name="account" />
      <p className="strong">{t("live-balance.none-yet")}</p>
      <CommandButton id="go.payment-accounts" />
    </div>
  );
}
