import type { QueryClient } from "@tanstack/react-query";
import type { Permission } from "../../contract/permissions.ts";
import type { Route, Sent } from "../../contract/route.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Api } from "../api/api.ts";
import { atMostEvery, patchPause } from "../api/at-most-every.ts";
import { CallFailure } from "../api/failure.ts";
import type { Place } from "../api/place.ts";
import type { Services } from "../kit/commands/services.ts";
import { Details } from "../lists/details.ts";
import { listDesk } from "../lists/list-desk.ts";
import { filterRecords } from "../lists/filter-records.ts";
import type { ListNow } from "../lists/list-desk.ts";
import { ListPanes } from "../lists/list-panes.ts";
import { entityDeps } from "./deps.ts";
import type { EntityDeps } from "./deps.ts";
import type { LinkedPlace, ListDesk, LiveDesk, RecordDesk, RecordRow } from "../kit/commands/desks.ts";
import type { Entity, RecordDetail, Write } from "./entity.ts";
import { fieldOf, whereTo } from "./named.ts";
import { EntityList } from "./entity-list.ts";
import type { Asked } from "./filters.ts";
import { askedList, listFilters, mayBelong } from "./filters.ts";
import type { Ancestor } from "./parent.ts";
import { ancestorsOf, placesOf } from "./parent.ts";
import type { FormHost, OpenForm } from "./record-form.ts";
import { actForm, recordForm } from "./record-form.ts";
import { discardQuestion } from "../kit/sheets/questions.ts";

export interface WorkNeeds {
  readonly entity: Entity;
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  readonly tenant: string;
  readonly currency: string | null;
  /** Ids of the records that the screen's path names: a nested screen's calls carry them. */
  readonly params: Place["params"];
  /** Opens the screen's own sheet for a new record, where the form does not make it. */
  create?(): void;
}

/** What React draws and the work steers. */
export interface Drawn {
  readonly now: ListNow;
  showForm(form: OpenForm | null): void;
  /** Whether a screen is there for this operator. */
  sees(screen: ScreenName): boolean;
  may(permission: Permission): boolean;
}

/** ms between two readings of rows that change with every movement of money. */
const movedPause = 2_000;

/** One screen of plain records at work: its list, its panes, its form, and what they lend the commands. */
export class EntityWork {
  readonly list: EntityList;
  readonly panes: ListPanes<RecordRow>;
  readonly details: Details<RecordDetail>;
  readonly listDesk: ListDesk;
  /** Null where no person makes or changes a record. */
  readonly recordDesk: RecordDesk | null;
  readonly liveDesk: LiveDesk;
  readonly #needs: WorkNeeds;
  readonly #deps: EntityDeps;
  #drawn: Drawn | null = null;
  /** What events have named and was not read again yet. */
  readonly #told = new Set<string>();
  readonly #hear = atMostEvery(patchPause, () => {
    const uuids = [...this.#told];
    this.#told.clear();
    void this.heard(uuids);
  });

  readonly #moved = atMostEvery(movedPause, () => {
    void this.list.catchUp();
    for (const { uuid } of this.list.source.rows.filter((row) => this.#needs.entity.moves?.(row))) this.details.forget(uuid);
  });

  constructor(needs: WorkNeeds) {
    this.#needs = needs;
    const { entity, services, queries, tenant, currency } = needs;
    this.#deps = entityDeps(entity, needs.api.call, needs.params);
    this.list = new EntityList({ ...this.#deps, now: () => needs.api.time.now(), belongs: (row) => this.#belongs(row) });
    this.panes = new ListPanes({
      source: this.list.source,
      services,
      place: () => this.#now().place,
      aimOf: (row) => ({ id: entity.codeOf(row), note: entity.codeOf(row) === entity.titleOf(row) ? "" : entity.titleOf(row) }),
      bring: (uuid) => this.list.fetch(uuid),
    });
    this.panes.begin();
    this.details = new Details({ queries, scope: [tenant, currency, entity.subject], read: this.#deps.read });
    this.details.age();
    const filters = listFilters(entity);
    const above = ancestorsOf(entity, needs.params).at(-1);
    this.listDesk = listDesk({
      screen: entity.screen,
      view: entity.routes.list.permission,
      filters,
      records: filterRecords(needs.api, filters),
      services,
      panes: this.panes,
      query: () => this.list.query(),
      ...(!entity.hasHistory && { history: false }),
      ...(above && { up: () => void this.#goUp(above) }),
      tiles: entity.tile !== undefined,
      ...(entity.linkOf && { linked: (row: RecordRow) => this.#linked(row) }),
      now: () => this.#now(),
    });
    this.liveDesk = {
      follow: () => {
        if (this.list.getState().waiting > 0) void this.list.reload();
        else services.say("record.said.nothing-new");
      },
    };
    const may = rightsOf(entity);
    const isChanged = Object.keys(may).length + Object.keys(entity.acts).length > 0;
    this.recordDesk = isChanged ? this.#recordDeskOf(entity, may) : null;
  }

  #recordDeskOf(entity: Entity, may: RecordDesk["may"]): RecordDesk {
    const needs = this.#needs;
    return {
      subject: entity.subject,
      may,
      statuses: entity.statuses,
      nameOf: (row) => (entity.nameOf ?? entity.titleOf)(row),
      needsReason: (status) => entity.reasoned.includes(status),
      statusOf: (row) => String(fieldOf(row, "status") ?? ""),
      removalText: (row) => entity.removalText?.(row) ?? { key: "record.ask.delete-text", words: {} },
      create: () => (needs.create === undefined ? void this.#openForm(null) : needs.create()),
      duplicate: (uuid) => void this.#openForm(uuid, "copy"),
      refuse: (row, act, operator) => entity.refuses?.(row, act, operator) ?? null,
      edit: (uuid) => void this.#openForm(uuid),
      openAct: (act, uuid) => void this.#openAct(act, uuid),
      setStatus: async (row, status, reason) => {
        await this.#confirm({ act: "status", row, body: { status } });
        return this.#deps.setStatus(row, status, reason);
      },
      remove: (row) => this.#deps.remove(row),
    };
  }

  #now(): ListNow {
    if (this.#drawn === null) throw new Error("the screen is not drawn yet");
    return this.#drawn.now;
  }

  #belongs(row: RecordRow): boolean {
    return mayBelong(this.#needs.entity, this.#now().asked.filters, row);
  }

  /** To the record this screen belongs to; where only that one tells which list it stands in, it is asked first. */
  async #goUp(above: Ancestor): Promise<void> {
    const { api, services } = this.#needs;
    const { parent, params } = above;
    if (this.#drawn?.sees(parent.screen) === false) {
      const permission = [screens[parent.screen].permission].flat().join(" / ");
      return services.say("refuse.no-right", { permission }, "warn");
    }
    const sent: object = { params };
    const answer = parent.paramsOf === undefined ? null : (await api.call(parent.read, sent as Sent<Route>)).data; // its path names what is in it
    services.go(parent.screen, placesOf(above, answer).record);
  }

  #linked(row: RecordRow): LinkedPlace | null {
    const link = this.#needs.entity.linkOf?.(row, this.panes.grid?.columnUnderCursor()?.id ?? null) ?? null;
    if (link === null || this.#drawn?.sees(link.screen) !== true) return null;
    return { screen: link.screen, to: whereTo(link) };
  }

  /** The screen as it has just been drawn. */
  draw(drawn: Drawn): void {
    this.#drawn = drawn;
  }

  ask(asked: Asked, zone: number): void {
    this.panes.begin();
    const { entity, api } = this.#needs;
    void this.list.load(() => askedList(entity, asked, api.time.now(), zone));
  }

  // ── changes and details ──

  took(rows: readonly { readonly uuid: string }[]): void {
    this.list.took(rows);
    for (const { uuid } of rows) this.details.forget(uuid);
  }

  /** Records that others changed or added, as an event names them: they are read again four times a second at most, however many come. */
  hearSoon(uuids: readonly string[]): void {
    for (const uuid of uuids) this.#told.add(uuid);
    this.#hear.soon();
  }

  /** Records that others changed or added. */
  async heard(uuids: readonly string[]): Promise<void> {
    await this.list.heard(uuids);
    for (const uuid of uuids) this.details.forget(uuid);
  }

  /** Records of another kind changed: the rows that tell of them are looked at again. */
  async heardOf(others: readonly string[]): Promise<void> {
    const { tellsOf } = this.#needs.entity;
    if (tellsOf === undefined) return;
    const named = new Set(others);
    const rows = this.list.source.rows.filter((row) => tellsOf(row).some((uuid) => named.has(uuid)));
    if (rows.length > 0) await this.heard(rows.map(({ uuid }) => uuid));
  }

  /** Money moved: rows that change with it are read again, once in 2 s at most. */
  moneyMoved(): void {
    const { moves } = this.#needs.entity;
    if (moves !== undefined && this.list.source.rows.some(moves)) this.#moved.soon();
  }

  close(): void {
    this.list.close();
    this.#moved.stop();
  }

  lookAhead({ row }: RecordDetail): void {
    const known = this.list.source.get(row.uuid);
    if (known && row.version > known.version) this.list.took([row]);
    const next = this.list.source.at(this.list.source.indexOf(row.uuid) + 1);
    if (next) this.details.ahead(next);
  }

  // ── the form ──

  async #openForm(uuid: string | null, as: "edit" | "copy" = "edit"): Promise<void> {
    const { entity } = this.#needs;
    const row = uuid === null ? null : (this.list.source.get(uuid) ?? null);
    if (uuid !== null && row === null) return;
    const detail = row !== null && entity.form.needsDetail(row) ? await this.#deps.open(row.uuid) : null;
    this.#drawn?.showForm(recordForm(entity, this.#deps, detail?.row ?? row, detail, this.#host, as));
  }

  async #openAct(act: string, uuid: string): Promise<void> {
    const { entity } = this.#needs;
    this.#drawn?.showForm(actForm(entity, this.#deps, act, await this.#deps.open(uuid), this.#host));
  }

  readonly #host: FormHost = {
    confirm: (write) => this.#confirm(write),
    may: (permission) => this.#drawn?.may(permission) === true,
  };

  /** Says what the write would bring about; throws where the operator would not have it so. */
  async #confirm(write: Write<RecordRow>): Promise<void> {
    const { entity, services } = this.#needs;
    const foreseen = await entity.foresee?.(write, services.call);
    if (foreseen == null || (await services.ask("confirm", foreseen)) === true) return;
    throw Object.assign(new CallFailure("aborted"), { reported: true });
  }

  /** Mod+Enter in the form; whether it is over. */
  async saveForm({ session, row }: OpenForm): Promise<boolean> {
    const { entity, services } = this.#needs;
    const saved = await session.save();
    if (saved === "open") return false;
    this.#drawn?.showForm(null);
    if (saved === "unchanged") {
      services.say("record.said.unchanged");
      return true;
    }
    services.changed(entity.subject, [saved.row]);
    const name = entity.titleOf(saved.row);
    services.say(row === null ? "record.said.created" : "record.said.saved", { name }, "done");
    if (row === null) this.panes.grid?.scrollToId(saved.row.uuid);
    return true;
  }

  /** Escape in the form: nothing typed is lost unasked; whether it is over. */
  async leaveForm({ session }: OpenForm): Promise<boolean> {
    if (session.getState().saving) return false;
    if (session.isChanged) {
      const sure = await this.#needs.services.ask("confirm", discardQuestion);
      if (sure !== true) return false;
    }
    this.#drawn?.showForm(null);
    return true;
  }
}

/** The right to each act there is a route for. */
export const rightsOf = ({ routes: { create, update, status, remove }, madeBy, duplicate }: Entity): RecordDesk["may"] => ({
  ...((madeBy ?? create) && { create: madeBy ?? create?.permission }),
  ...(create && duplicate && { duplicate: create.permission }),
  ...(update && { update: update.permission }),
  ...(status && { status: status.permission }),
  ...(remove && { remove: remove.permission }),
});
