import { once } from "node:events";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { caller } from "./caller.ts";

interface Reading {
  /** Of each server process; they are asked in turns. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly tenant: string;
  readonly currency: string;
  readonly path: string;
}

/** Asks for one page again and again, in a thread of its own: beside a load of this one its waits would be measured, too. */
export function startReader(reading: Reading) {
  const worker = new Worker(new URL(import.meta.url), { workerData: reading });
  return {
    /** ms of each answer while `work` goes on, and of `least` answers at any rate. */
    async during(work: Promise<unknown>, least: number): Promise<number[]> {
      worker.postMessage({ least });
      await work;
      const read = once(worker, "message");
      worker.postMessage("enough");
      const [times] = (await read) as [number[]]; // posted below
      return times;
    },
    close: () => worker.terminate(),
  };
}

function read(port: NonNullable<typeof parentPort>, { urls, token, tenant, currency, path }: Reading): void {
  const callers = urls.map((url) => caller(url, token, tenant, currency, 1));
  let isEnough = false;
  const readWhileAsked = async (least: number) => {
    const times: number[] = [];
    for (let n = 0; !isEnough || times.length < least; n++) {
      const answer = await callers[n % callers.length]?.call("GET", path);
      if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
      times.push(answer.ms);
    }
    port.postMessage(times);
  };
  port.on("message", (message: "enough" | { readonly least: number }) => {
    isEnough = message === "enough";
    if (message !== "enough") void readWhileAsked(message.least); // a failure ends the thread, and with it the bench
  });
}

if (!isMainThread && parentPort !== null) read(parentPort, workerData as Reading); // given above
