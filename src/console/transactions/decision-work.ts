import type { QueryClient } from "@tanstack/react-query";
import type { DecisionDetail, DecisionRow, DecisionSettings } from "../../contract/decisions.ts";
import { isOpen } from "../../contract/transactions.ts";
import type { Api } from "../api/api.ts";
import type { DecisionDesk, ListDesk, LiveDesk } from "../kit/commands/desks.ts";
import type { Services } from "../kit/commands/services.ts";
import { shownAmount } from "../kit/look/amounts.ts";
import { reasonText, text } from "../kit/texts/texts.ts";
import { Details } from "../lists/details.ts";
import { filterSearch } from "../lists/filters.ts";
import { listDesk } from "../lists/list-desk.ts";
import { filterRecords } from "../lists/filter-records.ts";
import type { ListNow } from "../lists/list-desk.ts";
import { ListPanes } from "../lists/list-panes.ts";
import { awayMs, ClaimKeeper } from "./claim-keeper.ts";
import { decisionCalls } from "./decision-calls.ts";
import { decisionDesk, liveDesk } from "./decision-desk.ts";
import type { DecisionKind } from "./decision-kind.ts";
import type { Asked } from "./decision-place.ts";
import { askedList } from "./decision-place.ts";
import type { AskedList } from "./decision-views.ts";
import { decisionRules, viewOf, workList } from "./decision-views.ts";
import { figuresOf } from "./figures.ts";
import { LiveList } from "./live-list.ts";
import { QueueRun } from "./queue-run.ts";

/** Details loaded ahead of the cursor in queue mode. */
const ahead = 3;
/** Rows loaded at most because all that match are marked: one act takes 200. */
const mostMarked = 500;

export interface WorkNeeds {
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  readonly tenant: string;
  readonly currency: string | null;
  readonly me: string;
}

/** The screen as it is at the moment a command asks. */
export interface WorkNow<Detail> extends ListNow {
  readonly detail: Detail | null;
  readonly settings: DecisionSettings;
  /** Opens the form of a new one; null where none is made by hand. */
  readonly create: (() => void) | null;
}

/** One screen of transactions to be decided at work: its list, its panes, its queue, and what they lend the commands. */
export interface DecisionWork<Row extends DecisionRow, Detail extends DecisionDetail<Row>> {
  readonly list: LiveList<Row, AskedList>;
  readonly panes: ListPanes<Row>;
  readonly details: Details<Detail>;
  readonly queue: QueueRun<Row, Detail>;
  readonly claims: ClaimKeeper<Row>;
  readonly desk: DecisionDesk;
  readonly listDesk: ListDesk;
  readonly liveDesk: LiveDesk;
  /** The screen as it has just been drawn. */
  draw(now: WorkNow<Detail>): void;
  ask(asked: Asked, zone: number): void;
  /** Rows as an act left them, or only named. */
  took(rows: readonly { readonly uuid: string }[]): void;
  lookAhead(detail: Detail): void;
}

const shortId = (row: DecisionRow): string => `…${row.txn_no.slice(-6)}`;

export function createDecisionWork<Row extends DecisionRow, Detail extends DecisionDetail<Row>>(
  kind: DecisionKind<Row, Detail>,
  { api, services, queries, tenant, currency, me }: WorkNeeds,
): DecisionWork<Row, Detail> {
  let drawn: WorkNow<Detail> | null = null;
  const now = (): WorkNow<Detail> => {
    if (drawn === null) throw new Error("the screen is not drawn yet");
    return drawn;
  };
  const calls = decisionCalls(kind, api, services);

  const list = new LiveList<Row, AskedList>({
    rules: decisionRules(kind.views, me),
    read: (query, options) => api.call(kind.routes.list, { query: { ...query } }, options),
    watched: () => panes.grid?.cursorRow()?.uuid ?? null,
  });
  const { source } = list;
  const details = new Details<Detail>({ queries, scope: [tenant, currency, kind.subject], read: calls.detail });

  const panes: ListPanes<Row> = new ListPanes({
    source,
    services,
    place: () => now().place,
    aimOf: (row) => ({ id: row.txn_no, note: `${shownAmount(row.amount)} ${row.currency}` }),
    bring: (uuid) => list.goTo(uuid),
    came(row) {
      if (!source.isTombstone(row.uuid)) return;
      const why = reasonText(text, desk.gone(row.uuid) ?? kind.own("refuse.gone"));
      services.say("transaction.said.taken", { id: shortId(row), why }, "warn");
    },
    marked(rows) {
      // where all that match are marked, those not loaded yet come in and are marked too, as many as acts could want
      const all = panes.grid?.marksEverything() ?? null;
      if (all !== null && source.more && source.loading === "idle" && source.length < mostMarked) void list.more();
      return figuresOf(rows);
    },
    hurries: () => queue.active,
  });

  const queue: QueueRun<Row, Detail> = new QueueRun<Row, Detail>({
    me,
    takeNext: calls.takeNext,
    release: async (rows) => list.took(await calls.release(rows)),
    show(taken) {
      details.put(taken);
      list.want(taken.row);
      panes.grid?.scrollToId(taken.row.uuid);
    },
    row: (uuid) => source.get(uuid),
    goTo: (uuid) => void panes.grid?.scrollToId(uuid),
    openView() {
      drawn?.place.set({ ...filterSearch(kind.filters, {}), view: workList.id, sort: null }, true);
      panes.grid?.focus();
    },
    left: (count) => services.say(kind.own("said.queue-left"), { count }),
    ended: ({ sum, ...counts }) => services.say("transaction.said.queue-ended", { ...counts, sum: shownAmount(sum) }, "done"),
  });
  queue.subscribe(() => panes.publish({ queue }));

  const claims = new ClaimKeeper<Row>({
    me,
    now: () => performance.now(),
    rows: () => source.rows,
    renew: calls.renew,
    read: calls.rows,
    patch: (row) => source.patch(row.uuid, row),
    letGo: (count) =>
      services.toast(kind.own("claims.let-go"), kind.own("claims.let-go-text"), { count, minutes: awayMs / 60_000 }, "warn"),
    taken(row) {
      const words = { id: shortId(row), name: row.claim?.name ?? "" };
      services.toast(kind.own("claims.taken"), kind.own("claims.taken-text"), words, "warn");
      queue.lost(row.uuid);
    },
  });

  const desk = decisionDesk({ kind, list, me, time: () => api.time.now(), now });

  return {
    list,
    panes,
    details,
    queue,
    claims,
    desk,
    liveDesk: liveDesk(list, services),
    listDesk: listDesk({
      screen: kind.screen,
      view: kind.routes.list.permission,
      filters: kind.filters,
      records: filterRecords(api, kind.filters),
      services,
      panes,
      query: () => list.query(),
      viewName: () => text(viewOf(kind.views, list.query().view).name),
      now,
    }),
    draw(next) {
      drawn = next;
    },
    ask: (asked, zone) => void list.load(() => askedList(kind.filters, asked, api.time.now(), zone)),
    took(rows) {
      list.took(rows);
      // of a row that is only named, something beside it has changed: its version may be the same
      for (const row of rows) if (!("txn_no" in row)) details.forget(row.uuid);
      queue.took(rows.filter((row): row is Row => "txn_no" in row));
    },
    lookAhead({ row }) {
      list.seen(row);
      const from = source.indexOf(row.uuid);
      const busy = queue.active;
      const following = source.rows.slice(from + 1, from + 40).filter((next) => isOpen(next) && (!busy || next.claim === null));
      for (const next of following.slice(0, busy ? ahead : 1)) details.ahead(next);
    },
  };
}
