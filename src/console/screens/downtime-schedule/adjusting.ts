import { createStore } from "zustand/vanilla";
import type { Downtime } from "../../../contract/downtimes.ts";
import { downtimeRoutes } from "../../../contract/downtimes.ts";
import { newUuid } from "../../../values/uuid.ts";
import { CallFailure } from "../../api/failure.ts";
import type { Formats } from "../../api/formats.ts";
import type { Services } from "../../kit/commands/services.ts";
import { ownWay } from "../../kit/look/printed-page.ts";
import type { Block } from "./timeline-lanes.ts";

const minute = 60_000;
/** Presses in a row change a window together: it is sent once the last of them is so many ms ago. */
const settledAfter = 500;
/** ms in which it can be undone. */
const undoneWithin = 10_000;

/** Minutes by which a window's start and end are being moved. */
export interface Moving {
  readonly block: Block;
  readonly start: number;
  readonly end: number;
}

/** Presses that are written together, and undone together. */
interface Move {
  readonly id: string;
  moving: Moving;
  timer: ReturnType<typeof setTimeout> | null;
  /** The window as it was written; null when that failed. Absent until it is sent. */
  written?: Promise<Downtime | null>;
}

/**
 * Moves windows by keys. What is pressed is drawn at once; a repetition moves as a whole, by the same time each week.
 * It can be undone from the first press on, because whoever presses the undo key means what is drawn, written or not.
 */
export class Adjusting {
  /** What is drawn and not written yet. */
  readonly moving = createStore<{ readonly now: Moving | null }>()(() => ({ now: null }));
  readonly #services: Services;
  #move: Move | null = null;
  /** As it was answered last, which the picture may not have read yet. */
  #latest: Downtime | null = null;
  /** Settles once nothing is being written. */
  #quiet: Promise<unknown> = Promise.resolve();

  constructor(services: Services) {
    this.#services = services;
  }

  /** While one window is being written, presses are let pass; while one waits to be, those on another are. */
  adjust(block: Block, part: "end" | "both", by: number, formats: Formats): void {
    const now = this.#move?.moving ?? null;
    if (this.#move?.written !== undefined || (now !== null && now.block.key !== block.key)) return;
    const moving = { block, start: (now?.start ?? 0) + (part === "both" ? by : 0), end: (now?.end ?? 0) + by };
    const move: Move = this.#move ?? { id: newUuid(), moving, timer: null };
    if (move.timer !== null) clearTimeout(move.timer);
    move.moving = moving;
    move.timer = setTimeout(() => {
      move.written = this.#send(move, formats);
    }, settledAfter);
    this.#move = move;
    this.moving.setState({ now: moving });
    this.#services.pushUndo({
      id: move.id,
      text: "downtime.undo.moved",
      words: { name: block.row.entity.name },
      until: performance.now() + undoneWithin,
      back: () => this.#back(move),
    });
  }

  /** Drops what is not sent yet; else moves the window back once it is written. */
  async #back(move: Move): Promise<void> {
    if (move.written === undefined) {
      if (move.timer !== null) clearTimeout(move.timer);
      return this.#isOver();
    }
    const moved = await move.written;
    if (moved !== null) await this.#reschedule(moved, -move.moving.start, -move.moving.end);
  }

  async #send({ id, moving: { block, start, end } }: Move, formats: Formats): Promise<Downtime | null> {
    try {
      const moved = await this.#reschedule(block.row, start, end);
      const [name, from, to] = [block.row.entity.name, formats.time(moved.starts_at), formats.time(moved.ends_at)];
      this.#services.say("downtime.said.moved", { name: ownWay(name), from: ownWay(from), to: ownWay(to) }, "done");
      return moved;
    } catch (error) {
      // the failure has been told by the call; the window is drawn where it was
      if (!(error instanceof CallFailure)) throw error;
      this.#services.dropUndo(id);
      return null;
    } finally {
      this.#isOver();
    }
  }

  #isOver(): void {
    this.#move = null;
    this.moving.setState({ now: null });
  }

  /** One after the other, because each needs the version that the one before was answered with. */
  #reschedule(drawn: Downtime, start: number, end: number): Promise<Downtime> {
    const written = this.#quiet.then(() => this.#write(drawn, start, end));
    this.#quiet = written.catch(() => {});
    return written;
  }

  async #write(drawn: Downtime, start: number, end: number): Promise<Downtime> {
    const known = this.#latest?.uuid === drawn.uuid && this.#latest.version > drawn.version;
    const row = known && this.#latest !== null ? this.#latest : drawn;
    const by = (instant: string, minutes: number) => new Date(Date.parse(instant) + minutes * minute).toISOString();
    const { uuid, version, reason, repeats, repeats_until, zone } = row;
    const body = {
      version,
      starts_at: by(row.starts_at, start),
      ends_at: by(row.ends_at, end),
      reason,
      weekly: repeats === "weekly",
      repeats_until,
      zone: zone ?? "",
      merge: false,
    };
    const { data } = await this.#services.call(downtimeRoutes.updateDowntime, { params: { uuid }, body }, { idempotencyKey: newUuid() });
    this.#latest = data;
    this.#services.changed("downtime", [data]);
    return data;
  }
}
