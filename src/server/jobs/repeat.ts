import type { Deps } from "../call.ts";

interface Repeated {
  /** Starts no further round; resolves when the current one has ended. */
  stop(): Promise<void>;
}

const longestWait = 10_000;

/** Runs `work` repeatedly, `interval` ms after the last round ended, and after failures with growing delays. */
export function repeat(
  name: string,
  interval: number,
  work: () => Promise<unknown>,
  { log, sweeps }: Pick<Deps, "log" | "sweeps">,
): Repeated {
  let stopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const round = async () => {
    try {
      await work();
      failures = 0;
      sweeps.ended(name);
    } catch (error) {
      failures += 1;
      sweeps.failed(name);
      log.error({ err: error, job: name, failures }, "sweep failed; it will run again");
    }
    if (!stopped) schedule(Math.min(interval * 2 ** failures, Math.max(longestWait, interval)));
  };
  const schedule = (wait: number) => {
    timer = setTimeout(() => (running = round()), wait).unref();
  };
  schedule(Math.min(interval, 500));
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
