import { Worker } from "node:worker_threads";
import { Refusal } from "../../../contract/problems.ts";
import type { Statement, StatementFile } from "./read-statement.ts";
import { UnreadableFile } from "./unreadable.ts";

/** A statement as it was read aside: its rows in parcels of JSON, which are handed on unopened. */
export interface ParcelledStatement extends Omit<Statement, "entries"> {
  readonly counts: { readonly read: number; readonly unreadable: number; readonly passed: number };
  readonly parcels: readonly string[];
}

/** A file of which the rows are wanted as they stand, whatever they mean. */
export interface TableFile {
  readonly texts: true;
  readonly bytes: Uint8Array;
}
export type TextRows = readonly { readonly n: number; readonly cells: readonly string[] }[];

/** What the thread answers to a file. */
export type Said = { readonly read: ParcelledStatement } | { readonly texts: TextRows } | { readonly refused: string };

/** Of one file: ms of a processor, because a busy machine is no fault of the file; ms in all; and MB. */
const mostWork = 60_000;
const longest = 300_000;
const heap = 768;
/** Ms between two looks at how much work a file was so far. */
const lookEvery = 1_000;
/** Files read at a time by this process, and how many more may wait. */
const atOnce = 2;
const mostWaiting = 8;

const tooComplex = "This file is too complex to read";

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a file in a thread of its own, so that the server goes on answering, and with bounds on work and memory, so that a file made to
 * harm ends its thread alone. Throws an UnreadableFile, or request.busy when many others wait or the machine has no time for it.
 */
export async function readAside(file: StatementFile): Promise<ParcelledStatement> {
  const answer = await readInTurn(file);
  if ("read" in answer) return answer.read;
  throw new Error("the reading thread has read no statement");
}

/** The rows of any table in a file, under the same bounds. */
export async function readRowsAside(bytes: Uint8Array): Promise<TextRows> {
  const answer = await readInTurn({ texts: true, bytes });
  if ("texts" in answer) return answer.texts;
  throw new Error("the reading thread has read no table");
}

async function readInTurn(file: StatementFile | TableFile): Promise<Said> {
  if (running >= atOnce) {
    if (waiting.length >= mostWaiting) throw new Refusal("request.busy");
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
  try {
    return await readInThread(file);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** Threads that wait for their next file, because starting one takes longer than reading most files. */
const idle: Worker[] = [];

function newThread(): Worker {
  const thread = new Worker(new URL("./reading-thread.ts", import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: heap } });
  // one that ends while it waits is not taken again
  thread.once("exit", () => void (idle.includes(thread) && idle.splice(idle.indexOf(thread), 1)));
  thread.on("error", () => undefined);
  return thread;
}

async function readInThread(file: StatementFile | TableFile): Promise<Said> {
  const thread = idle.pop() ?? newThread();
  thread.ref();
  const { promise: said, resolve, reject } = Promise.withResolvers<Said>();
  const failed = (error: Error & { code?: string }) =>
    reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new UnreadableFile(tooComplex) : error);
  const ended = (code: number) => reject(new Error(`the reading thread ended with ${code}`));
  thread.once("message", resolve).once("error", failed).once("exit", ended);
  const worked = async () => {
    // one that has not begun, or has just ended, tells nothing
    const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1000;
  };
  const before = await worked();
  const looks = setInterval(() => {
    void worked().then((now) => now - before > mostWork && reject(new UnreadableFile(tooComplex)));
  }, lookEvery);
  const timer = setTimeout(() => reject(new Refusal("request.busy")), longest);
  try {
    thread.postMessage(file);
    const answer = await said;
    // an idle thread keeps no process alive
    thread.unref();
    idle.push(thread);
    if ("refused" in answer) throw new UnreadableFile(answer.refused);
    return answer;
  } catch (error) {
    if (!idle.includes(thread)) await thread.terminate();
    throw error;
  } finally {
    clearInterval(looks);
    clearTimeout(timer);
    thread.off("message", resolve).off("error", failed).off("exit", ended);
  }
}
