/** What a run of the practice queue came to. */
export interface Result {
  readonly decided: number;
  readonly seconds: number;
  /** Presses over the least that would have done. */
  readonly over: number;
  readonly wrong: number;
}

/** Right before fast before sparing. */
export function isBetter(a: Result, b: Result | null): boolean {
  if (b === null) return true;
  return (a.wrong - b.wrong || a.seconds - b.seconds || a.over - b.over) < 0;
}

export interface BestResult {
  read(): Result | null;
  /** Holds it when it is the best so far; says whether it was. */
  offer(result: Result): boolean;
}

const storageKey = "countinghouse.practice";
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

/** The best of whoever is signed in; in this browser only, since the practice queue sends nothing. */
export function createBestResult(user: () => string | null, storage?: Storage): BestResult {
  const everybody = new Map<string, Result>();
  const keyOf = (id: string): string => `${storageKey}.${id}`;

  function kept(id: string): Result | null {
    try {
      const { decided, seconds, over, wrong } = JSON.parse(storage?.getItem(keyOf(id)) ?? "{}") as Result; // each is looked at
      return [decided, seconds, over, wrong].every(isCount) ? { decided, seconds, over, wrong } : null;
    } catch {
      return null;
    }
  }
  const read = (): Result | null => {
    const id = user();
    return id === null ? null : (everybody.get(id) ?? kept(id));
  };
  return {
    read,
    offer(result) {
      const id = user();
      if (id === null || !isBetter(result, read())) return false;
      everybody.set(id, result);
      try {
        storage?.setItem(keyOf(id), JSON.stringify(result));
      } catch {
        // A full or forbidden storage: the page itself still has it.
      }
      return true;
    },
  };
}
