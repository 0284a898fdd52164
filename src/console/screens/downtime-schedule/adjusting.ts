import { createStore } from "zustand/vanilla";
import type { Downtime } from "../../../contract/downtimes.ts";
import { downtimeRoutes } from "../../../contract/downtimes.ts";
import { newUuid } from "../../../values/uuid.ts";
import { CallFailure } from "../../api/failure.ts";
import type { Formats } from "../../api/formats.ts";
import type { Services } from "../../kit/commands/services.ts";
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

/** Moves windows by keys. What is pressed is drawn at once; a repetition moves as a whole, by the same time each week. */
export class Adjusting {
  /** What is drawn and not written yet. */
  readonly moving = createStore<{ readonly now: Moving | null }>()(() => ({ now: null }));
  readonly #services: Services;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #sending = false;
  /** As it was answered last, which the picture may not have read yet. */
  #latest: Downtime | null = null;

  constructor(services: Services) {
    this.#services = services;
  }

  /** While one window is being written, presses on another are let pass. */
  adjust(block: Block, part: "end" | "both", by: number, formats: Formats): void {
    const { now } = this.moving.getState();
    if (this.#sending || (now !== null && now.block.key !== block.key)) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const next = { block, start: (now?.start ?? 0) + (part === "both" ? by : 0), end: (now?.end ?? 0) + by };
    this.moving.setState({ now: next });
    this.#timer = setTimeout(() => void this.#send(next, formats), settledAfter);
  }

  async #send({ block: { row }, start, end }: Moving, formats: Formats): Promise<void> {
    this.#sending = true;
    try {
      const moved = await this.#reschedule(row, start, end);
      const words = { name: row.entity.name, from: formats.time(moved.starts_at), to: formats.time(moved.ends_at) };
      this.#services.say("downtime.said.moved", words, "done");
      this.#services.pushUndo({
        id: newUuid(),
        text: "downtime.undo.moved",
        words: { name: row.entity.name },
        until: performance.now() + undoneWithin,
        back: async () => void (await this.#reschedule(moved, -start, -end)),
      });
    } catch (error) {
      // the failure has been told by the call; the window is drawn where it was
      if (!(error instanceof CallFailure)) throw error;
    } finally {
      this.#sending = false;
      this.moving.setState({ now: null });
    }
  }

  async #reschedule(drawn: Downtime, start: number, end: number): Promise<Downtime> {
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
