import { stillness } from "../kit/loading/stillness.ts";

/** Most rows looked at again by their names in one call. */
export const mostLooked = 200;

/** Named rows to look at again, gathered while a look is under way: one at a time, so that none is overtaken by an earlier one. */
export class LookQueue {
  readonly #look: (uuids: readonly string[]) => Promise<void>;
  #due = new Set<string>();
  /** Due once nothing is scrolled. */
  #later = new Set<string>();
  #looking = false;

  constructor(look: (uuids: readonly string[]) => Promise<void>) {
    this.#look = look;
  }

  /** Those others changed: what the user moves comes first. */
  async addWhenStill(uuids: readonly string[]): Promise<void> {
    for (const uuid of uuids) this.#later.add(uuid);
    await stillness();
    const later = [...this.#later];
    this.#later.clear();
    await this.add(later);
  }

  /** What waits for stillness is read otherwise. */
  forgetLater(): void {
    this.#later.clear();
  }

  async add(uuids: readonly string[]): Promise<void> {
    for (const uuid of uuids) this.#due.add(uuid);
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#due.size > 0) {
        const batch = [...this.#due].slice(0, mostLooked);
        for (const uuid of batch) this.#due.delete(uuid);
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await this.#look(batch);
      }
    } catch {
      // the next event, or the line's return, asks again
    } finally {
      this.#looking = false;
    }
  }
}
