import type { DecisionRow } from "../../contract/decisions.ts";

/** ms without a key, click or scroll after which claims are left to lapse. */
export const awayMs = 180_000;
/** Claims one renewal names at most; who holds more renews them by several. */
const mostRenewed = 20;

export interface KeeperDeps<Row> {
  readonly me: string;
  /** ms of a clock that only goes on. */
  now(): number;
  /** What the list has loaded. */
  rows(): readonly Row[];
  renew(uuids: readonly string[]): Promise<{ readonly held: readonly { uuid: string; until: string }[]; readonly lost: readonly string[] }>;
  /** These as they are now, whatever the list shows. */
  read(uuids: readonly string[]): Promise<readonly Row[]>;
  /** A row as it is now, for the keys that meet it. */
  patch(row: Row): void;
  /** Claims are no longer renewed, because nobody is here. */
  letGo(count: number): void;
  /** Another has taken over what I held; the row is theirs now. */
  taken(row: Row): void;
}

/** Keeps the claims of whoever works here alive while they do, and tells at once when another takes one over. */
export class ClaimKeeper<Row extends DecisionRow> {
  readonly #deps: KeeperDeps<Row>;
  #held = new Map<string, Row>();
  #touchedAt: number;
  #isAway = false;

  constructor(deps: KeeperDeps<Row>) {
    this.#deps = deps;
    this.#touchedAt = deps.now();
  }

  /** A key, a click or a scroll. */
  touched(): void {
    this.#touchedAt = this.#deps.now();
    if (!this.#isAway) return;
    this.#isAway = false;
    void this.round();
  }

  /** To be called a few times within a lease. */
  async round(): Promise<void> {
    this.#look();
    if (this.#held.size === 0) return;
    if (this.#deps.now() - this.#touchedAt > awayMs) {
      if (!this.#isAway) this.#deps.letGo(this.#held.size);
      this.#isAway = true;
      return;
    }
    try {
      const uuids = [...this.#held.keys()];
      for (let from = 0; from < uuids.length; from += mostRenewed) {
        // oxlint-disable-next-line no-await-in-loop -- few hold more than one request names
        await this.#renew(uuids.slice(from, from + mostRenewed));
      }
    } catch {
      // the next round renews; a claim lost meanwhile is told by its event
    }
  }

  async #renew(uuids: readonly string[]): Promise<void> {
    const { held, lost } = await this.#deps.renew(uuids);
    for (const { uuid, until } of held) {
      const row = this.#held.get(uuid);
      if (row?.claim) this.#deps.patch({ ...row, claim: { ...row.claim, until } });
    }
    if (lost.length > 0) await this.#check(lost);
  }

  /** Rows somebody changed; null: any may have been. */
  async heard(uuids: readonly string[] | null): Promise<void> {
    this.#look();
    const named = [...this.#held.keys()].filter((uuid) => uuids === null || uuids.includes(uuid));
    if (named.length > 0) await this.#check(named).catch(() => undefined); // the next renewal finds out
  }

  /** What the list says of my claims; of those it does not show, what was last known stands. */
  #look(): void {
    for (const row of this.#deps.rows()) {
      if (row.status === "process" && row.claim?.user === this.#deps.me) this.#held.set(row.uuid, row);
      else this.#held.delete(row.uuid);
    }
  }

  async #check(uuids: readonly string[]): Promise<void> {
    const rows = await this.#deps.read(uuids);
    for (const uuid of uuids) {
      const row = rows.find((one) => one.uuid === uuid);
      if (row?.status === "process" && row.claim?.user === this.#deps.me) continue;
      // told by another way while this was read
      if (!this.#held.delete(uuid) || row === undefined) continue;
      if (row.claim === null || row.status !== "process") continue;
      this.#deps.patch(row);
      this.#deps.taken(row);
    }
  }
}
