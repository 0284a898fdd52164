import type { Reason } from "../../kit/command.ts";

/** What the settings lend their commands. */
export interface SettingDesk {
  /** Names of the sections, in the order of the digits from 1. */
  readonly sections: readonly string[];
  /** Shows it, with the focus before its first field. */
  pick(section: string): void;
  /** Fields written and not saved. */
  readonly changes: number;
  /** Why nothing can be saved now. */
  refusal(): Reason | null;
  save(): Promise<void>;
  /** Asks first. */
  discard(): Promise<void>;
}

declare module "../../kit/context.ts" {
  interface PaneState {
    /** Of the settings only. */
    readonly setting?: SettingDesk | null;
  }
}
