import { connect } from "node:net";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The port a process stays connected to while it keeps something for its test files. */
    keptUntil: number;
  }
}

/** Ways to end what is kept, the newest last. */
const ends: (() => Promise<unknown>)[] = [];

/** Makes a value at first use and shares it with all test files of the process until the run ends (support/kept-end.ts). */
export function kept<T>(make: () => Promise<{ value: T; end: () => Promise<unknown> }>): () => Promise<T> {
  let making: Promise<T> | undefined;
  return () =>
    (making ??= make().then(({ value, end }) => {
      if (ends.push(end) === 1) endWithRun();
      return value;
    }));
}

function endWithRun(): void {
  const socket = connect({ host: "127.0.0.1", port: inject("keptUntil"), allowHalfOpen: true });
  socket.resume();
  socket.once("end", () => void endAll().finally(() => socket.end()));
}

/** In the reverse order of their making: a server ends before its database. */
async function endAll(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const end of ends.splice(0).toReversed()) await end();
}
