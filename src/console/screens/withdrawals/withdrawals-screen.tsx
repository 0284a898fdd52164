import { useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";
import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalView } from "../../../contract/withdrawals.ts";
import { usePlace } from "../../api/place.ts";
import { useApi, useChanged, useFormats, useLive, useSignedIn } from "../../api/use-api.ts";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { filterSearch } from "../../lists/filters.ts";
import type { Filters } from "../../lists/filters.ts";
import { ListAndDetail, useAsked } from "../../lists/list-and-detail.tsx";
import { useShownRecord } from "../../lists/use-shown-record.ts";
import { useViews } from "../../views/use-views.ts";
import { withdrawalColumns } from "./columns.ts";
import { Detail } from "./detail.tsx";
import { defaultSort, readPlace, sortText, timeColumn, withdrawalFilters } from "./filters.ts";
import { Empty } from "./instead.tsx";
import { useRenewals } from "./use-renewals.ts";
import { useRoom } from "../../transactions/use-room.ts";
import { useViewCounts } from "./use-view-counts.ts";
import { ViewBar } from "../../transactions/view-bar.tsx";
import { Work } from "./work.ts";
import "./withdrawals.css";

/** On the digits 1–6. */
const viewOrder = ["queue", "mine", "process", "today", "second", "all"] as const satisfies readonly WithdrawalView[];

/** The withdrawals of a tenant in one currency: views, list and detail, and the queue worked by single keys. */
export function Component() {
  const t = useText();
  const api = useApi();
  const kit = useKit();
  const place = usePlace();
  const formats = useFormats();
  const queries = useQueryClient();
  const { user, config, tenant, currency } = useSignedIn();
  const builtIn = useMemo(() => viewOrder.map((id) => ({ id, name: t(`withdrawal.view.${id}`), search: { view: id } })), [t]);
  const views = useViews(builtIn);
  const room = useRoom();
  const me = user.uuid;
  const asked = useAsked(readPlace);

  const [work] = useState(
    () => new Work({ api, services: kit.services, queries, tenant: tenant.id, currency: currency?.code ?? null, me }),
  );
  const { list, panes, queue } = work;
  const state = useSyncExternalStore(list.subscribe, list.getState);
  const queueState = useSyncExternalStore(queue.subscribe, queue.getState);
  const shown = useShownRecord(work);
  const { detail } = shown;
  useLayoutEffect(() => work.draw({ asked, place, detail, config, formats }), [work, asked, place, detail, config, formats]);

  // what changes: by acts of this page, by others
  useChanged("withdrawal", (rows) => work.took(rows));
  useLive("withdraw", (event) => {
    void work.claims.heard(event.more === true ? null : event.uuids);
    void (event.more === true ? list.catchUp() : list.look(event.uuids));
  });
  useLive("gap", () => {
    void work.claims.heard(null);
    void list.catchUp();
  });
  useRenewals(work.claims);
  const counts = useViewCounts(state);

  const time = timeColumn(asked.view);
  const columns = useMemo(
    () => withdrawalColumns({ formats, now: () => api.time.now(), me, sla: config.withdrawals.sla, room, time, t }),
    [formats, api, me, config.withdrawals.sla, room, time, t],
  );
  const sort = useMemo(() => (asked.sort.length > 0 ? asked.sort : defaultSort(asked.view)), [asked]);
  const lends = useMemo(() => ({ subject: "withdrawal", queue, list: work.listDesk, decision: work.desk }) as const, [queue, work]);
  const setFilters = (set: Filters) => place.set(filterSearch(withdrawalFilters, set), true);
  const widen = (set: Filters) => {
    setFilters(set);
    panes.grid?.focus(); // what stood instead of the rows goes, and would take the focus with it
  };

  return (
    <div className="lists withdrawals">
      <ListAndDetail
        id="withdrawals"
        initial={room === "narrow" ? 360 : 400}
        label={t("screen.withdrawals")}
        failed={t("withdrawal.failed")}
        work={work}
        asked={asked}
        views={views}
        lends={lends}
        columns={columns}
        sort={sort}
        sortText={sortText}
        dim={isDecided}
        allowsEverything
        empty={<Empty asked={asked} queue={queueState} onFilters={widen} />}
        bar={
          <ViewBar
            views={views.handle}
            filters={withdrawalFilters}
            follow="withdrawal.follow"
            set={asked.filters}
            rows={list.source.rows}
            state={state}
            counts={counts}
            findRef={panes.setFind}
            onFilters={setFilters}
          />
        }
        detail={<Detail {...shown} />}
      />
    </div>
  );
}

const isDecided = (row: Withdrawal): boolean => !isOpen(row);
