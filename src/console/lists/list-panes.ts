import { createStore } from "zustand/vanilla";
import { shallow } from "zustand/vanilla/shallow";
import type { Place } from "../api/place.ts";
import { afterPaint } from "../kit/loading/after-paint.ts";
import type { Aim, PaneState, ShownDetail } from "../kit/commands/context.ts";
import type { GridRow } from "../kit/grid/grid-column.ts";
import type { GridHandle } from "../kit/commands/grid-handle.ts";
import type { RowSource } from "../kit/grid/row-source.ts";
import type { Services } from "../kit/commands/services.ts";
import type { PanePublisher } from "../kit/panes/use-pane.ts";

/**
 * ms between two moves of the cursor that count as travelling: the detail waits until it rests. Whoever pages eight times a
 * second reads none of the records on the way, and drawing each made a key take half as long again.
 */
const travel = 180;
/** ms a cursor rests before the address names its record. */
const settle = 600;

export const gridScopes: PaneState["scopes"] = ["pane", "grid"];
const headerScopes: PaneState["scopes"] = ["pane", "grid", "header"];

/** What the detail pane shows. */
export interface Shown<Row> {
  /** The record at rest under the cursor. */
  readonly row: Row | null;
  readonly marked: number;
  /** The record whose whole history is asked for: another object each time it is. */
  readonly historyAsked: { readonly of: string } | null;
}

export interface PanesDeps<Row extends GridRow> {
  readonly source: RowSource<Row>;
  readonly services: Services;
  place(): Place;
  /** How the status bar words a row as the next key's target. */
  aimOf(row: Row): Aim;
  /** Brings a record into the list, whether its page is held or not; false when there is none such. */
  bring(uuid: string): Promise<boolean>;
  /** Whether a row is a record and no heading between records, which no command acts on; left out: each is. */
  isRecord?(row: Row): boolean;
  /** The cursor came to a row. */
  came?(row: Row): void;
  /** The marks changed; answers what they come to. */
  marked?(rows: readonly Row[]): { readonly note: string; readonly figures: readonly string[] };
  /** The detail follows at once, however fast the cursor moves. */
  hurries?(): boolean;
}

/**
 * The list pane and the detail pane of a screen: told by the grid, telling the commands. Moving the cursor goes through here and
 * renders nothing but the detail it comes to rest on; a moment later the address names that record.
 */
export class ListPanes<Row extends GridRow> {
  readonly shown = createStore<Shown<Row>>()(() => ({ row: null, marked: 0, historyAsked: null }));
  /** The column under the cursor; null: it stands in none yet. */
  readonly column = createStore<string | null>()(() => null);
  readonly #deps: PanesDeps<Row>;
  #panes: readonly PanePublisher[] = [];
  #grid: GridHandle<Row> | null = null;
  #findField: HTMLInputElement | null = null;
  #movedAt = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #unpainted: () => void = () => {};
  #addressing: ReturnType<typeof setTimeout> | undefined;
  /** The record the address was last given from here. */
  #written: string | null = null;
  /** The record the other side last pointed to. */
  #followed: string | null = null;
  #unmoved = false;
  #stands: PaneState["place"] = null;

  constructor(deps: PanesDeps<Row>) {
    this.#deps = deps;
  }

  get grid(): GridHandle<Row> | null {
    return this.#grid;
  }
  get source(): RowSource<Row> {
    return this.#deps.source;
  }

  /** The panes the screen speaks through; returns what ends it. */
  open(list: PanePublisher, detail: PanePublisher): () => void {
    this.#panes = [list, detail];
    // a grid drawn over rows that are there had its cursor before there was a pane to tell
    const row = this.#recordAt(this.#grid?.cursorRow() ?? null);
    this.publish({ grid: this.#grid, cursor: row as PaneState["cursor"], aim: this.#aim(row), ...this.#position() }); // a row of the pane's subject
    this.#grid?.focus();
    if (this.#unmoved) this.leaveHeading();
    const unlisten = this.source.subscribe(({ kind }) => {
      // commands act on the marked rows as they were told last
      if ((kind === "patch" || kind === "reset") && (this.#grid?.markedRows().length ?? 0) > 0) this.tellMarks();
      else if (kind === "splice" || kind === "status") this.#tellPosition();
    });
    return () => {
      unlisten();
      clearTimeout(this.#resting);
      this.#unpainted();
      clearTimeout(this.#addressing);
      this.#panes = [];
    };
  }

  publish(change: Partial<Omit<PaneState, "id" | "scopes">>): void {
    for (const pane of this.#panes) pane.publish(change);
  }

  setGrid = (grid: GridHandle<Row> | null): void => {
    this.#grid = grid;
  };
  setFind = (field: HTMLInputElement | null): void => {
    this.#findField = field;
  };

  find(): void {
    this.#findField?.focus();
  }

  /** Of the record under the cursor, which the detail may not have come to yet. */
  showHistory(): void {
    const row = this.#recordAt(this.#grid?.cursorRow() ?? null);
    this.shown.setState({ historyAsked: row && { of: row.uuid } });
  }

  /** The cursor will stand where a new list puts it: nobody chose that record, so the address does not name it. */
  begin(): void {
    this.#unmoved = true;
  }

  // ── told by the grid ──

  /** Whether a line is a record, and no heading between records. */
  isRecord = (row: Row): boolean => this.#deps.isRecord?.(row) !== false;
  onCursor = (at: Row | null): void => {
    if (this.#unmoved && this.leaveHeading(at)) return;
    this.#cursorOn(this.#recordAt(at));
  };
  #recordAt = (at: Row | null): Row | null => (at !== null && !this.isRecord(at) ? null : at);

  /** A cursor that nobody moved begins on a record, not on the heading above it. Answers whether it stood on one and goes. */
  leaveHeading(at = this.#grid?.cursorRow() ?? null): boolean {
    const first = at === null || this.isRecord(at) ? undefined : this.source.rows.find(this.isRecord);
    if (first === undefined || this.#grid === null) return false;
    this.begin();
    this.#grid.scrollToId(first.uuid);
    return true;
  }

  #cursorOn(row: Row | null): void {
    const marks = (this.#grid?.markedRows().length ?? 0) > 0;
    this.publish({ cursor: row as PaneState["cursor"], ...(!marks && { aim: this.#aim(row) }), ...this.#position() }); // a row of the pane's subject
    if (row !== null) this.#deps.came?.(row);
    const at = performance.now();
    const since = at - this.#movedAt;
    this.#movedAt = at;
    clearTimeout(this.#resting);
    this.#unpainted();
    // whoever comes back to a record begins with its head again
    const show = () =>
      this.shown.setState(({ historyAsked }) => ({ row, historyAsked: historyAsked?.of === row?.uuid ? historyAsked : null }));
    if (since < travel && this.#deps.hurries?.() !== true) this.#resting = setTimeout(show, travel);
    // the cursor first: drawing a record takes longer than a frame
    else this.#unpainted = afterPaint(show);
    clearTimeout(this.#addressing);
    if (!this.#unmoved) this.#addressing = setTimeout(() => this.#address(row?.uuid ?? null), settle);
    if (row !== null) this.#unmoved = false;
  }

  onColumn = (column: string): void => this.column.setState(column);
  onHeader = (inHeader: boolean): void => this.#panes[0]?.publish({ scopes: inHeader ? headerScopes : gridScopes });

  tellMarks = (): void => {
    const rows = this.#grid?.markedRows() ?? [];
    const { note = "", ...figures } = this.#deps.marked?.(rows) ?? {};
    this.shown.setState({ marked: rows.length });
    const aim = rows.length > 0 ? { id: null, note } : this.#aim(this.#recordAt(this.#grid?.cursorRow() ?? null));
    this.publish({ marked: rows as readonly GridRow[] as PaneState["marked"], aim, ...figures }); // rows of the pane's subject
  };

  onShown = (detail: ShownDetail | null): void => this.publish({ detail });

  #aim(row: Row | null): Aim | null {
    return row === null ? null : this.#deps.aimOf(row);
  }

  /** The same object while it is the same place. */
  #position(): Pick<PaneState, "place"> {
    const index = this.#grid?.cursorIndex() ?? -1;
    const place = index < 0 || this.source.length === 0 ? null : { row: index + 1, of: this.source.total };
    if (!shallow(place, this.#stands)) this.#stands = place;
    return { place: this.#stands };
  }

  /** Each telling draws all buttons anew: a page that comes behind the cursor is no news to them. */
  #tellPosition(): void {
    const before = this.#stands;
    const position = this.#position();
    if (position.place !== before) this.publish(position);
  }

  // ── the record in the address ──

  #address(record: string | null): void {
    const place = this.#deps.place();
    // What was written last may not be drawn yet. Where the address names none, what it named before stays known, because a screen that
    // still draws it would go there again.
    if (place.get("record") === record && (record === null || (this.#written ?? record) === record)) return;
    this.#written = record;
    place.note({ record });
  }

  /** Another list is asked for: the record the address names is to be found in it, whoever wrote that there. */
  readAddressAnew(): void {
    this.#written = null;
  }

  /** A record the address names, by a link or the palette: the cursor goes there, loaded or not. */
  async goToAddressed(record: string): Promise<void> {
    if (record === this.#written) return;
    this.#written = record;
    if (await this.#deps.bring(record)) this.#grid?.scrollToId(record);
    else this.#deps.services.say("record.said.not-there", {}, "warn");
  }

  /**
   * What belongs to the record under the other side's cursor: nobody asked for it, so that nothing is said where the list has it not. Once
   * it has come, `isMeant` says whether the cursor may still be moved.
   */
  async follow(record: string, isMeant: () => boolean): Promise<void> {
    this.#followed = record;
    if (this.#grid?.cursorRow()?.uuid === record) return;
    if ((await this.#deps.bring(record)) && this.#followed === record && isMeant()) this.#grid?.scrollToId(record);
  }
}
