import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "../api/api.ts";
import { describeFailure } from "../api/failure.ts";
import type { Place } from "../api/place.ts";
import { problemText } from "../i18n.ts";
import type { PaneState, ShownDetail } from "../kit/context.ts";
import type { GridHandle } from "../kit/grid/grid-handle.ts";
import type { Services } from "../kit/services.ts";
import { text } from "../kit/texts.ts";
import type { PanePublisher } from "../kit/use-pane.ts";
import type { RecordDesk } from "./desk.ts";
import { entityDoors } from "./doors.ts";
import type { EntityDoors } from "./doors.ts";
import type { Entity, RecordRow } from "./entity.ts";
import { fieldOf, hintKey } from "./entity.ts";
import { EntityList } from "./entity-list.ts";
import type { Asked } from "./filters.ts";
import { askedList } from "./filters.ts";
import type { FormField, SayRule } from "./form-fields.ts";
import { checkForm } from "./form-fields.ts";
import { FormSession } from "./form-session.ts";
import { makeDesk } from "./make-desk.ts";

/** ms between two moves of the cursor that count as travelling: the detail waits until it rests. */
const travel = 120;
/** ms a cursor rests before the address names its record. */
const settle = 600;
const fresh = 15_000;

export const gridScopes: PaneState["scopes"] = ["pane", "grid"];
const headerScopes: PaneState["scopes"] = ["pane", "grid", "header"];

export interface WorkNeeds {
  readonly entity: Entity;
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  readonly tenant: string;
  readonly currency: string | null;
}

/** A form on screen. */
export interface OpenForm {
  readonly session: FormSession;
  /** Of a record that is changed; null for a new one. */
  readonly row: RecordRow | null;
}

/** What React draws and the work steers. */
export interface Drawn {
  readonly now: { readonly asked: Asked; readonly place: Place };
  show(row: RecordRow | null): void;
  showMarks(count: number): void;
  showForm(form: OpenForm | null): void;
  showHistory(): void;
}

/** One screen of plain records at work, told by the grid and telling the commands. Moving the cursor renders only the detail. */
export class EntityWork {
  readonly list: EntityList;
  readonly desk: RecordDesk;
  readonly #needs: WorkNeeds;
  readonly #doors: EntityDoors;
  #drawn: Drawn | null = null;
  #panes: { list: PanePublisher; detail: PanePublisher } | null = null;
  #grid: GridHandle<RecordRow> | null = null;
  #find: HTMLInputElement | null = null;
  #movedAt = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #addressing: ReturnType<typeof setTimeout> | undefined;
  /** The record the address was last given from here. */
  #written: string | null = null;
  /** The cursor stands where a new list put it: nobody chose that record, so the address does not name it. */
  #unmoved = true;

  constructor(needs: WorkNeeds) {
    this.#needs = needs;
    this.#doors = entityDoors(needs.entity, needs.api.call);
    this.list = new EntityList({ ...this.#doors, belongs: (row) => this.#belongs(row) });
    this.desk = makeDesk({
      entity: needs.entity,
      services: needs.services,
      now: () => this.#now(),
      grid: () => this.#grid,
      findField: () => this.#find,
      openForm: (uuid) => this.#openForm(uuid),
      showHistory: () => this.#drawn?.showHistory(),
    });
  }

  #now(): Drawn["now"] {
    if (this.#drawn === null) throw new Error("the screen is not drawn yet");
    return this.#drawn.now;
  }

  /** What the row itself tells about the choices in force; the server knows the rest. */
  #belongs(row: RecordRow): boolean {
    const { filters } = this.#now().asked;
    return this.#needs.entity.filters.every(({ field, choices, value }) => {
      const asked = filters[field];
      if (asked === undefined || choices === undefined) return true;
      return asked.split(",").includes(value ? value(row) : String(fieldOf(row, field)));
    });
  }

  /** The screen as it has just been drawn. */
  draw(drawn: Drawn): void {
    this.#drawn = drawn;
  }

  /** The panes the screen speaks through; returns what ends it. */
  open(list: PanePublisher, detail: PanePublisher): () => void {
    this.#panes = { list, detail };
    this.#publish({ grid: this.#grid });
    this.#grid?.focus();
    const unlisten = this.list.source.subscribe(({ kind }) => {
      if (kind === "patch" && (this.#grid?.markedRows().length ?? 0) > 0) this.tellMarks();
      else if (kind === "splice" || kind === "status") this.#publish(this.#place());
    });
    return () => {
      unlisten();
      clearTimeout(this.#resting);
      clearTimeout(this.#addressing);
      this.#panes = null;
    };
  }

  setGrid = (grid: GridHandle<RecordRow> | null): void => {
    this.#grid = grid;
  };
  setFind = (field: HTMLInputElement | null): void => {
    this.#find = field;
  };

  #publish(change: Partial<Omit<PaneState, "id" | "scopes">>): void {
    this.#panes?.list.publish(change);
    this.#panes?.detail.publish(change);
  }

  // ── told by the grid ──

  onCursor = (row: RecordRow | null): void => {
    const marks = (this.#grid?.markedRows().length ?? 0) > 0;
    this.#publish({ cursor: row as PaneState["cursor"], ...(!marks && { aim: this.#aim(row) }), ...this.#place() }); // a row of the pane's subject
    const at = performance.now();
    const since = at - this.#movedAt;
    this.#movedAt = at;
    clearTimeout(this.#resting);
    if (since < travel) this.#resting = setTimeout(() => this.#drawn?.show(row), travel);
    else this.#drawn?.show(row);
    clearTimeout(this.#addressing);
    if (!this.#unmoved) this.#addressing = setTimeout(() => this.#address(row?.uuid ?? null), settle);
    if (row !== null) this.#unmoved = false;
  };

  onHeader = (inHeader: boolean): void => this.#panes?.list.publish({ scopes: inHeader ? headerScopes : gridScopes });

  tellMarks = (): void => {
    const rows = this.#grid?.markedRows() ?? [];
    this.#drawn?.showMarks(rows.length);
    const aim = rows.length > 0 ? { id: null, note: "" } : this.#aim(this.#grid?.cursorRow() ?? null);
    this.#publish({ marked: rows as PaneState["marked"], aim }); // rows of the pane's subject
  };

  onShown = (detail: ShownDetail | null): void => this.#publish({ detail });

  #aim(row: RecordRow | null): PaneState["aim"] {
    const { entity } = this.#needs;
    return row === null ? null : { id: entity.codeOf(row), note: entity.titleOf(row) };
  }

  #place(): Pick<PaneState, "place"> {
    const index = this.#grid?.cursorIndex() ?? -1;
    return { place: index < 0 || this.list.source.length === 0 ? null : { row: index + 1, of: this.list.source.total } };
  }

  #address(record: string | null): void {
    const { place } = this.#now();
    if (place.get("record") === record) return;
    this.#written = record;
    place.set({ record });
  }

  /** Another question: everything anew. */
  ask(asked: Asked): void {
    this.#unmoved = true;
    void this.list.load(askedList(asked));
  }

  /** A record the address names, by a link or the palette: the cursor goes there, loaded or not. */
  async goToAddressed(record: string): Promise<void> {
    if (record === this.#written) return;
    this.#written = record;
    if (await this.list.fetch(record)) this.#grid?.scrollToId(record);
    else this.#needs.services.say("record.said.not-there", {}, "warn");
  }

  // ── changes and details ──

  took(rows: readonly { readonly uuid: string }[]): void {
    this.list.took(rows);
    for (const { uuid } of rows) this.forget(uuid);
  }

  /** The details of a record are read anew. */
  forget(uuid: string): void {
    const { queries, tenant, currency, entity } = this.#needs;
    void queries.invalidateQueries({ queryKey: [tenant, currency, entity.subject, uuid] });
  }

  async look(uuids: readonly string[]): Promise<void> {
    await this.list.look(uuids);
    for (const uuid of uuids) this.forget(uuid);
  }

  /** The read of a record's detail, kept by version: a row that changed is read anew. */
  detailOf({ uuid, version }: RecordRow) {
    const { tenant, currency, entity } = this.#needs;
    return {
      queryKey: [tenant, currency, entity.subject, uuid, version] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => this.#doors.read(uuid, signal),
      staleTime: fresh,
    };
  }

  /** Loads what the operator will look at next, and takes over what the detail knows of the row. */
  lookAhead(row: RecordRow): void {
    const known = this.list.source.get(row.uuid);
    if (known && row.version > known.version) this.list.took([row]);
    const next = this.list.source.at(this.list.source.indexOf(row.uuid) + 1);
    if (next) void this.#needs.queries.prefetchQuery(this.detailOf(next));
  }

  // ── the form ──

  #openForm(uuid: string | null): void {
    const { entity } = this.#needs;
    const row = uuid === null ? null : (this.list.source.get(uuid) ?? null);
    if (uuid !== null && row === null) return;
    const fields = row === null ? entity.form.fields : entity.form.fields.filter(({ fixed }) => !fixed);
    const values = Object.fromEntries(
      fields.map((field) => [field.name, row === null ? emptyOf(field) : (entity.form.valuesOf(row)[field.name] ?? "")]),
    );
    const session = new FormSession(
      {
        check: (typed, version) =>
          version === null
            ? checkForm(entity.routes.create.body, typed, fields, this.#sayRule)
            : checkForm(entity.routes.update.body, { ...typed, version }, fields, this.#sayRule),
        send: (body, key) => (row === null ? this.#doors.create(body, key) : this.#doors.update(row.uuid, body, key)),
        current: () => this.#doors.read(row?.uuid ?? ""),
        valuesOf: (now) => {
          const all = entity.form.valuesOf(now);
          return Object.fromEntries(fields.map(({ name }) => [name, all[name] ?? ""]));
        },
        shows: (name) => fields.some((field) => field.name === name),
        wordsOf(failure) {
          const { text: words } = describeFailure(failure, { text, problem: problemText });
          return failure.requestId === null ? words : `${words} (${failure.requestId})`;
        },
      },
      values,
      row?.version ?? null,
    );
    this.#drawn?.showForm({ session, row });
  }

  #sayRule: SayRule = (field, issue) => {
    const { entity } = this.#needs;
    if (issue.code === "too_small" || (field.required && issue.code === "invalid_value")) return text("record.rule.required");
    if (issue.code === "too_big" && field.maximum !== null) return text("record.rule.too-long", { count: field.maximum });
    if (field.control === "amount" || field.control === "rate" || field.control === "url") return text(`record.rule.${field.control}`);
    const hint = hintKey(entity, field.name);
    return hint === null ? issue.message : text(hint);
  };

  /** Mod+Enter in the form. */
  async saveForm({ session, row }: OpenForm): Promise<void> {
    const { entity, services } = this.#needs;
    const saved = await session.save();
    if (saved === "open") return;
    this.#drawn?.showForm(null);
    if (saved === "unchanged") return services.say("record.said.unchanged");
    services.changed(entity.subject, [saved.row]);
    const name = entity.titleOf(saved.row);
    services.say(row === null ? "record.said.created" : "record.said.saved", { name }, "done");
    if (row === null) this.#grid?.scrollToId(saved.row.uuid);
  }

  /** Escape in the form: nothing typed is lost unasked. */
  async leaveForm({ session }: OpenForm): Promise<void> {
    if (session.getState().saving) return;
    if (session.isChanged) {
      const sure = await this.#needs.services.ask("confirm", { title: "record.ask.discard", text: "record.ask.discard-text", words: {} });
      if (sure !== true) return;
    }
    this.#drawn?.showForm(null);
  }
}

/** A choice begins with its first, an amount that is needed with none. */
function emptyOf({ control, required, choices }: FormField): string {
  if (control === "choice") return required ? (choices[0] ?? "") : "";
  return control === "amount" && required ? "0.00" : "";
}
