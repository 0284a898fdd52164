import type { RowSource } from "../kit/grid/row-source.ts";
import type { VersionedRow } from "../lists/details.ts";

/** What acts and events told while a read is under way: its answer may be older. */
export class Meanwhile<Row extends VersionedRow> {
  readonly #source: RowSource<Row>;
  /** With the version they left in. */
  #left = new Map<string, number>();
  #came = new Set<string>();

  constructor(source: RowSource<Row>) {
    this.#source = source;
  }

  /** A read begins. */
  begin(): void {
    this.#left.clear();
    this.#came.clear();
  }

  left({ uuid, version }: VersionedRow): void {
    this.#left.set(uuid, version);
  }
  came({ uuid }: VersionedRow): void {
    this.#came.add(uuid);
  }

  /** An answer without what has been told already. */
  latest(data: readonly Row[]): readonly Row[] {
    return data.flatMap((row) => {
      if ((this.#left.get(row.uuid) ?? -1) >= row.version) return [];
      const known = this.#source.get(row.uuid);
      return [known && known.version > row.version ? known : row];
    });
  }

  /** Rows that came and are not in the answer. */
  missedBy(data: readonly Row[]): readonly string[] {
    return [...this.#came].filter((uuid) => !data.some((row) => row.uuid === uuid));
  }

  /** New rows among what was loaded already; those behind it are its continuation. */
  unseenIn(data: readonly Row[]): ReadonlySet<string> {
    const source = this.#source;
    const isKnown = ({ uuid }: Row) => source.get(uuid) !== undefined;
    const end = source.more ? data.findLastIndex(isKnown) : data.length;
    if (source.length === 0) return new Set();
    return new Set(data.filter((row, index) => index < end && !isKnown(row)).map(({ uuid }) => uuid));
  }

  /** Rows with others where those stand on screen; what was read may begin further down. */
  withStanding(rows: readonly Row[], standing: readonly Row[]): readonly Row[] {
    const all = [...rows];
    const first = Math.max(0, this.#source.indexOf(rows[0]?.uuid ?? ""));
    for (const row of standing) all.splice(Math.max(0, Math.min(this.#source.indexOf(row.uuid) - first, all.length)), 0, row);
    return all;
  }
}
