import { creditCheckJob } from "../game-provider/check-job.ts";
import { exportJob } from "../exports/export-job.ts";
import { gameImportJob } from "../game-provider/game-import-job.ts";
import { scoreWatches, scoreWatchJob } from "../game-provider/watching.ts";
import type { JobKind } from "./kind.ts";
import type { Schedule } from "./schedule.ts";

/** Every kind of job; one that stands here is run by each process. */
export const jobKinds: readonly JobKind[] = [exportJob, creditCheckJob, gameImportJob, scoreWatchJob];

/** Every kind of row that has its turn as a job. */
export const schedules: readonly Schedule[] = [scoreWatches];
