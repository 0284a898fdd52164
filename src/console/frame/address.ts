import { withoutRecords } from "./beside.ts";

/** Where the router stands to a screen's path: at it, on the way to another, or at another that is not drawn yet. */
export type Standing = "here" | "leaving" | "elsewhere";

export interface How {
  readonly push: boolean;
  /** Drawn before the next key. */
  readonly atOnce: boolean;
}

/** The screen that is drawn: its path, and what writes its search parameters. */
export interface Drawn {
  readonly path: string;
  set(params: URLSearchParams, how: { readonly replace: boolean; readonly flushSync: boolean }): void;
}

export interface AddressDeps {
  /** The search parameters of the browser's address. */
  written(): string;
  standing(path: string): Standing;
  /** Whether the records in the address are of a tenant or currency that was left. */
  isOutdated(): boolean;
}

/**
 * The address that both sides write. A navigation takes a moment, so a change made meanwhile is merged with the one under way
 * instead of undoing it.
 */
export class Address {
  /** The last write, under way while the address is still `from`. */
  #coming: { params: URLSearchParams; push: boolean; from: string } | null = null;
  #drawn: Drawn;
  readonly #deps: AddressDeps;

  constructor(drawn: Drawn, deps: AddressDeps) {
    this.#drawn = drawn;
    this.#deps = deps;
  }

  drawn(drawn: Drawn): void {
    this.#drawn = drawn;
  }

  /** `change` returns whether there is anything to write. */
  change(change: (next: URLSearchParams) => boolean, { push, atOnce }: How): void {
    const { written, standing, isOutdated } = this.#deps;
    const stands = standing(this.#drawn.path);
    // a screen that is still drawn would write into the address of the next, and what nobody asked for must not hold the router up
    if (stands === "elsewhere" || (stands === "leaving" && !push)) return;
    const from = written();
    const coming = this.#coming?.from === from ? this.#coming : null;
    const next = new URLSearchParams(coming?.params ?? (isOutdated() ? withoutRecords(from) : from));
    if (!change(next)) return;
    this.#coming = { params: next, push: push || coming?.push === true, from };
    this.#drawn.set(next, { replace: !this.#coming.push, flushSync: atOnce });
  }
}
