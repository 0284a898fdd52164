/** Result of a practice run. */
export interface Result {
  readonly decided: number;
  readonly seconds: number;
  /** Key presses beyond the fewest possible. */
  readonly over: number;
  readonly wrong: number;
}

/** Fewer mistakes come before speed, and speed before key presses. */
export function isBetter(a: Result, b: Result | null): boolean {
  if (b === null) return true;
  return (a.wrong - b.wrong || a.seconds - b.seconds || a.over - b.over) < 0;
}

export interface BestResult {
  read(): Result | null;
  /** Stores the result when it is the best so far; returns whether it was. */
  offer(result: Result): boolean;
}

const storageKey = "countinghouse.practice";
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

/** The user's best result, in this browser only, because the practice queue sends nothing. */
export function createBestResult(user: () => string | null, storage?: Storage): BestResult {
  const everybody = new Map<string, Result>();
  const keyOf = (id: string): string => `${storageKey}.${id}`;

  function kept(id: string): Result | null {
    try {
      const { decided, seconds, over, wrong } = JSON.parse(storage?.getItem(keyOf(id)) ?? "{}") as Result; // each value is checked below
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
        // storage is full or forbidden: the page itself still has it
      }
      return true;
    },
  };
}
