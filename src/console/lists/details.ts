import type { QueryClient } from "@tanstack/react-query";

/** ms a detail counts as fresh: its figures move without its version. */
const fresh = 15_000;

export interface VersionedRow {
  readonly uuid: string;
  readonly version: number;
}

export interface DetailDeps<Detail> {
  readonly queries: QueryClient;
  /** First in each key: tenant, currency and subject, so that nothing crosses. */
  readonly scope: readonly (string | null)[];
  read(uuid: string, signal: AbortSignal): Promise<Detail>;
}

/** The details of one kind of records, kept by version: a row that changed is read anew. */
export class Details<Detail extends { readonly row: VersionedRow }> {
  readonly #deps: DetailDeps<Detail>;

  constructor(deps: DetailDeps<Detail>) {
    this.#deps = deps;
  }

  /** The read of a row's detail. */
  of({ uuid, version }: VersionedRow) {
    const { scope, read } = this.#deps;
    return {
      queryKey: [...scope, uuid, version] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => read(uuid, signal),
      staleTime: fresh,
    };
  }

  /** Loads what the operator will look at next. */
  ahead(row: VersionedRow): void {
    void this.#deps.queries.prefetchQuery(this.of(row));
  }

  put(detail: Detail): void {
    this.#deps.queries.setQueryData(this.of(detail.row).queryKey, detail);
  }

  /** What was read before is read again when it is shown: while no screen stood over it, nobody told what changed. */
  age(): void {
    void this.#deps.queries.invalidateQueries({ queryKey: [...this.#deps.scope], refetchType: "none" });
  }

  /** The details of a record are read anew. */
  forget(uuid: string): void {
    void this.#deps.queries.invalidateQueries({ queryKey: [...this.#deps.scope, uuid] });
  }
}
