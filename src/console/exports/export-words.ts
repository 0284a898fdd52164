import type { Export, ExportState } from "../../contract/exports.ts";
import type { IconName } from "../kit/look/icon.tsx";
import { hasText, text } from "../kit/texts/texts.ts";

export const isOpenExport = ({ state }: Export): boolean => state === "waiting" || state === "running";

/** How each state looks; its text is `export.state.<state>`. */
export const markOfState: Readonly<Record<ExportState, { readonly icon: IconName; readonly hue: string }>> = {
  waiting: { icon: "pending", hue: "pending" },
  running: { icon: "process", hue: "process" },
  done: { icon: "completed", hue: "completed" },
  failed: { icon: "rejected", hue: "rejected" },
  cancelled: { icon: "expired", hue: "expired" },
};

/** The list it is of, by its screen; a release may have taken that away. */
export function listName({ screen }: Export): string {
  const key = `screen.${screen}`;
  return hasText(key) ? text(key) : screen;
}

export const failureKey = ({ failure }: Export) => `export.failure.${failure ?? "unforeseen"}` as const;

/** Percent of the rows that are written; nothing before they are counted. */
export const shareOf = ({ done, total }: Export): number => (total === null || total === 0 ? 0 : Math.min(100, (done / total) * 100));
