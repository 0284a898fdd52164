/** The server's clock as this page knows it; tokens, leases and ages use it, because the machine's clock may be wrong. */
export interface ServerTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** From an answer's Date header, in whole seconds: only a large difference counts. */
  noteHeader(text: string | null): void;
  /** From a field with milliseconds. */
  noteExact(text: string): void;
}

/** ms of difference that a Date header can have by itself: it is cut to the second and as old as the answer's way back. */
const coarse = 2_000;

export function createServerTime(machineNow: () => number = Date.now): ServerTime {
  let ahead = 0;
  let known = false;
  return {
    now: () => machineNow() + ahead,
    noteHeader(text) {
      const at = text === null ? Number.NaN : Date.parse(text);
      if (Number.isNaN(at)) return;
      const seen = at + 500 - machineNow();
      if (!known || Math.abs(seen - ahead) > coarse) ahead = seen;
      known = true;
    },
    noteExact(text) {
      const at = Date.parse(text);
      if (Number.isNaN(at)) return;
      ahead = at - machineNow();
      known = true;
    },
  };
}
