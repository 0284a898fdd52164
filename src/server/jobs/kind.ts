import type { z } from "zod";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";

/** One attempt at a job. */
export interface JobRun<P> {
  readonly deps: Deps;
  readonly tenant: string;
  /** The id `startJob` answered; of a job nobody watches the queue's own. */
  readonly id: string;
  readonly payload: P;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the job was cancelled, the server stops, or another process has taken the job over: end soon, by throwing. */
  readonly signal: AbortSignal;
  /** Says how far it is, in whatever unit the kind counts; written at most four times a second. Throws when the attempt is over. */
  progress(done: number, total?: number | null): Promise<void>;
}

/** Written in one transaction with the end of the job, so that a result is never seen without it. */
export type JobResult = (db: Scoped) => Promise<void>;

/** One kind of long work: what it is told, how often it is tried, how many run beside each other, and the work itself. */
export interface JobKind<P extends object = object> {
  /** Letters and hyphens: "export". The queue is called so, and what of it waits outlives a release, so it is never changed. */
  readonly name: string;
  /** What it is told: ids only, because the queue is one table of all tenants. */
  readonly payload: z.ZodType<P>;
  /** How often it is tried before it has failed; a stop of the server is no attempt. */
  readonly attempts: number;
  /** How many run in one process. */
  readonly atOnce: number;
  /** How many of one tenant run in all processes together. */
  readonly perTenant: number;
  /** The longest an attempt may take. */
  readonly minutes: number;
  /**
   * Runs in no transaction: it opens its own by `inTenant`, short ones, and none while it waits for a network. It may run again after a
   * kill at any point, so it must either begin anew or go on where its own rows say it was.
   */
  work(run: JobRun<P>): Promise<JobResult | void>;
}

export const defineJob = <P extends object>(kind: JobKind<P>): JobKind<P> => kind;

/** An attempt that must end although it has not failed. */
export class AttemptOver extends Error {
  /** stopping: the server stops, and the job is handed back · over: it was cancelled, or another process has taken it over. */
  readonly why: "stopping" | "over";

  constructor(why: AttemptOver["why"]) {
    super(`the attempt is over: ${why}`);
    this.why = why;
  }
}

/** A failure that another attempt would meet again; `code` is told to the person who waits. */
export class JobFailure extends Error {
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`the job cannot succeed: ${code}`, options);
    this.code = code;
  }
}
