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
  /** Keeps it when it is the best so far; says whether it was. */
  offer(result: Result): boolean;
}

const storageKey = "countinghouse.practice";

/** In this browser only: the practice queue tells the server nothing. */
export function createBestResult(storage?: Storage): BestResult {
  let best: Result | null = null;
  try {
    const value: unknown = JSON.parse(storage?.getItem(storageKey) ?? "null");
    if (isResult(value)) best = value;
  } catch {
    // Unreadable: no best yet.
  }
  return {
    read: () => best,
    offer(result) {
      if (!isBetter(result, best)) return false;
      best = result;
      try {
        storage?.setItem(storageKey, JSON.stringify(result));
      } catch {
        // A full or forbidden storage costs only the memory.
      }
      return true;
    },
  };
}

function isResult(value: unknown): value is Result {
  return (
    typeof value === "object" &&
    value !== null &&
    ["decided", "seconds", "over", "wrong"].every((name) => name in value && typeof (value as Record<string, unknown>)[name] === "number")
  );
}
