import type { Draft, Preview } from "../../contract/transfer-forms.ts";
import { money } from "../../values/money.ts";
import type { FormSession } from "../kit/form/session.ts";
import { fieldAmount } from "../kit/look/amounts.ts";

export interface DraftState {
  /** The last judgement; null before the first. */
  readonly shown: Preview | null;
  /** Something is typed since, which is not judged yet. */
  readonly behind: boolean;
  /** The last attempt came to nothing: the line is down, or the right is gone. */
  readonly failed: boolean;
}

export interface DraftDeps {
  readonly session: Pick<FormSession, "getState" | "subscribe" | "begin">;
  draftOf(values: Readonly<Record<string, string>>): Draft | null;
  judge(draft: Draft, signal: AbortSignal): Promise<Preview>;
}

/** ms in which nothing is typed before it is judged. */
const pause = 250;

const payeeFields = ["bank", "account_number", "holder"] as const;

/**
 * What is being typed into the form of a transfer, judged as it stands by the rules that will make it. A judgement also brings what the form
 * begins with: the charges of the account that pays, and whom the merchant's last settlement paid, as long as nobody wrote there.
 */
export class DraftWork {
  readonly #deps: DraftDeps;
  #state: DraftState = { shown: null, behind: false, failed: false };
  readonly #listeners = new Set<() => void>();
  #judged: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #under: AbortController | null = null;
  /** What this wrote into a field itself. */
  readonly #given = new Map<string, string>();

  constructor(deps: DraftDeps) {
    this.#deps = deps;
  }

  getState = (): DraftState => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** Follows the form until the function it answers is called. */
  start(): () => void {
    const leave = this.#deps.session.subscribe(() => this.#look());
    this.#look(0);
    return () => {
      leave();
      clearTimeout(this.#timer);
      this.#under?.abort();
      this.#judged = null;
    };
  }

  #look(after = pause): void {
    const draft = this.#deps.draftOf(this.#deps.session.getState().values);
    const name = JSON.stringify(draft);
    if (name === this.#judged) return;
    this.#judged = name;
    clearTimeout(this.#timer);
    this.#under?.abort();
    if (draft === null) return this.#set({ shown: null, behind: false, failed: false });
    this.#set({ behind: true });
    this.#timer = setTimeout(() => void this.#judge(draft), after);
  }

  async #judge(draft: Draft): Promise<void> {
    const under = new AbortController();
    this.#under = under;
    try {
      const shown = await this.#deps.judge(draft, under.signal);
      if (under.signal.aborted) return;
      this.#set({ shown, behind: false, failed: false });
      this.#fill(shown);
    } catch {
      if (under.signal.aborted) return;
      this.#judged = null; // the next key tries again
      this.#set({ shown: null, behind: false, failed: true });
    }
  }

  #fill({ sides, payee }: Preview): void {
    const charges = sides.find(({ side }) => side === "source")?.charges;
    if (charges) {
      const none = money(charges.charges_value) === 0n;
      this.#begin({
        charges_type: none ? "fixed" : charges.charges_type,
        charges_value: none ? "" : charges.charges_type === "percent" ? charges.charges_value : fieldAmount(charges.charges_value),
      });
    }
    if (payee !== null) this.#begin(Object.fromEntries(payeeFields.map((field) => [field, payee[field]])));
  }

  /** Fields that belong together: all are written, or none where one of them has been written by hand. */
  #begin(values: Readonly<Record<string, string>>): void {
    const { session } = this.#deps;
    const now = session.getState().values;
    const names = Object.keys(values).filter((name) => name in now);
    const own = (name: string) => now[name] === (this.#given.get(name) ?? (name === "charges_type" ? "fixed" : ""));
    if (!names.every(own)) return;
    for (const name of names) this.#given.set(name, values[name] ?? "");
    if (names.some((name) => now[name] !== values[name]))
      session.begin(Object.fromEntries(names.map((name) => [name, values[name] ?? ""])));
  }
}
