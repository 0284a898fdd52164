import type { ComponentType, ReactNode } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Permission } from "../../contract/permissions.ts";
import { isAllowed } from "../../contract/permissions.ts";
import { usePlace } from "../api/place.ts";
import { useApi, useChanged, useFormats, useLive, useSignedIn } from "../api/use-api.ts";
import type { Desks, RecordDesk, RecordRow } from "../kit/commands/desks.ts";
import { columnsInOrder } from "../kit/grid/column-state.ts";
import { CommandButton } from "../kit/look/command-button.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import { filterSearch } from "../lists/filters.ts";
import type { Filters } from "../lists/filters.ts";
import { inTiles } from "../lists/list-desk.ts";
import type { ListPanes } from "../lists/list-panes.ts";
import { useSentHere } from "../lists/sent-here.ts";
import type { ListPaper } from "../lists/list-and-detail.tsx";
import { ListAndDetail, useAsked } from "../lists/list-and-detail.tsx";
import { sortText } from "../lists/sort-text.ts";
import { useRoom } from "../lists/use-room.ts";
import { useShownRecord } from "../lists/use-shown-record.ts";
import { useViews } from "../views/use-views.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import type { Entity } from "./entity.ts";
import { createKey, viewKey } from "./entity.ts";
import { EntityDetail } from "./entity-detail.tsx";
import { EntityForm } from "./entity-form.tsx";
import { EntityWork } from "./entity-work.ts";
import { listFilters, readPlace } from "./filters.ts";
import { fieldOf } from "./named.ts";
import { Empty } from "./instead.tsx";
import type { OpenForm } from "./record-form.ts";
import { gridColumns, proofOf, totalsOf } from "./shown.ts";
import { useSees } from "../lists/use-sees.ts";
import "./entity.css";

/** What something drawn above a list has of it. */
export interface AboveList {
  /** What its pane lends the commands on records. */
  readonly record: RecordDesk | null;
  /** Its panes, which know the row and the column under the cursor. */
  readonly panes: ListPanes<RecordRow>;
}

export interface EntityPaper extends Pick<ListPaper<RecordRow>, "period" | "lead"> {
  /** Columns of amounts that are on paper, too, though a window leaves them out, as soon as one of them is not zero. */
  readonly also: readonly string[];
}

interface EntityScreenProps {
  readonly entity: Entity;
  /** What the screen lends its own commands; the same object while it is mounted. */
  readonly lends?: Desks;
  /** Buttons of its own commands, before the one that makes a new record. */
  readonly acts?: ReactNode;
  /** What is drawn above the list. */
  readonly above?: ComponentType<AboveList>;
  /** What its paper has beside that of any list. */
  readonly printed?: EntityPaper;
  /** Opens the sheet in which new records are made, where the form does not; the same function while it is mounted. */
  readonly onCreate?: () => void;
}

/** What every such screen has of built-in views. */
const allRecords = [{ id: "all", search: {} }] as const;

/** Filter, grid, detail, form and acts of one kind of plain records, from its description. */
export function EntityScreen({ entity, lends: own, acts, above: Above, printed, onCreate }: EntityScreenProps) {
  const t = useText();
  const api = useApi();
  const kit = useKit();
  const place = usePlace();
  const formats = useFormats();
  const queries = useQueryClient();
  const { tenant, currency, context } = useSignedIn();
  const builtIn = useMemo(
    () => (entity.views ?? allRecords).map(({ id, search }) => ({ id, name: t(viewKey(entity, id)), search })),
    [entity, t],
  );
  const views = useViews(builtIn);
  const asked = useAsked((search) => readPlace(entity, search));

  const [work] = useState(
    () =>
      new EntityWork({
        entity,
        api,
        services: kit.services,
        queries,
        tenant: tenant.id,
        currency: currency?.code ?? null,
        params: place.params,
        ...(onCreate && { create: onCreate }),
      }),
  );
  const { list, panes } = work;
  const { count, sums, waiting } = useSyncExternalStore(list.subscribe, list.getState);
  const sees = useSees();
  const shown = useShownRecord(work);
  const [form, setForm] = useState<OpenForm | null>(null);
  const { permissions } = context;
  const may = useCallback((permission: Permission) => isAllowed(permissions, permission), [permissions]);
  useLayoutEffect(
    () => work.draw({ now: { asked, place, formats }, showForm: setForm, sees, may }),
    [work, asked, place, formats, sees, may],
  );

  // what changes: by acts of this page, by others
  const { subject } = entity;
  useChanged(subject, (rows) => work.took(rows));
  useLive(entity.live ?? "gap", (event) => void (event === null || event.more === true ? list.catchUp() : work.hearSoon(event.uuids)));
  useLive("gap", () => void (entity.live !== undefined && list.catchUp()));
  const moved = (uuids: readonly string[]) => {
    void work.heardOf(uuids);
    work.moneyMoved();
  };
  useLive("deposit", ({ uuids }) => moved(uuids));
  useLive("withdraw", ({ uuids }) => moved(uuids));
  useLive("paymentAccount", () => work.moneyMoved());
  useEffect(() => () => work.close(), [work]);

  const back = useSentHere();
  const begun = useRef(back === null);
  useEffect(() => {
    const right = work.recordDesk?.may.create;
    if (begun.current || right === undefined || !isAllowed(permissions, right)) return;
    begun.current = true;
    work.recordDesk?.create();
  }, [work, permissions]);
  const ended = async (closing: Promise<boolean>) => (await closing) && back?.();

  const filters = useMemo(() => listFilters(entity), [entity]);
  const room = useRoom();
  const columns = useMemo(() => gridColumns(entity, formats, t, room), [entity, formats, t, room]);
  // a page has the width of a wide window
  const paper = {
    ...printed,
    columns: () => {
      const also = printed?.also.filter((id) => list.source.rows.some((row) => Number(fieldOf(row, id) ?? 0) !== 0)) ?? [];
      const all = gridColumns(entity, formats, t).map((column) => (also.includes(column.id) ? { ...column, aside: false } : column));
      return columnsInOrder(all, views.columns);
    },
  };
  const totals = useMemo(() => totalsOf(entity, sums, formats), [entity, sums, formats]);
  const isLive = entity.live !== undefined;
  const lends = useMemo(
    () => ({ ...own, subject, list: work.listDesk, record: work.recordDesk, ...(isLive && { live: work.liveDesk }) }),
    [own, subject, work, isLive],
  );
  const proof = useMemo(() => proofOf(sums, formats, t), [sums, formats, t]);
  const setFilters = (set: Filters) => place.set(filterSearch(filters, set), true);
  const widen = (set: Filters) => {
    setFilters(set);
    panes.grid?.focus(); // what stood instead of the rows goes, and would take the focus with it
  };
  const title = t(`screen.${entity.screen}`);
  const bar = (
    <FilterBar
      filters={filters}
      set={asked.filters}
      rows={list.source.rows}
      views={views.handle}
      count={count}
      findRef={panes.setFind}
      onFilters={setFilters}
    >
      {waiting > 0 && (
        <CommandButton id="list.follow" className="pill">
          {t("record.new", { count: waiting })}
        </CommandButton>
      )}
      {entity.tile && (
        <CommandButton id="list.shape" icon={inTiles(place) ? "list" : "tiles"}>
          {t(inTiles(place) ? "list.shape.lines" : "list.shape.tiles")}
        </CommandButton>
      )}
      {acts}
      {(entity.madeBy ?? entity.routes.create) && (
        <CommandButton id="record.create" icon="plus" className="create">
          {t(createKey(entity))}
        </CommandButton>
      )}
    </FilterBar>
  );

  return (
    <div className="entity">
      <ListAndDetail
        id={subject}
        label={title}
        failed={t("record.failed", { screen: title })}
        work={work}
        asked={asked}
        views={views}
        lends={lends}
        columns={columns}
        sort={asked.sort}
        tile={inTiles(place) ? entity.tile : undefined}
        printed={paper}
        sortText={sortText}
        empty={<Empty entity={entity} filters={asked.filters} onFilters={widen} />}
        totals={totals}
        totalsProof={proof}
        bar={
          entity.parent === undefined ? (
            bar
          ) : (
            <div className="list-head">
              <Breadcrumbs entity={entity} />
              {bar}
            </div>
          )
        }
        above={Above && <Above record={work.recordDesk} panes={panes} />}
        detail={<EntityDetail entity={entity} {...shown} />}
      />
      {form !== null && (
        <EntityForm
          entity={entity}
          form={form}
          onSave={() => void ended(work.saveForm(form))}
          onLeave={() => void ended(work.leaveForm(form))}
        />
      )}
    </div>
  );
}
