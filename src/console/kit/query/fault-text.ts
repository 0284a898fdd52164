import { text as say } from "../texts/texts.ts";
import type { QueryFault } from "./query-line.ts";

/** Why a line means nothing, and what may have been meant. */
export function faultText({ why, text, nearest }: QueryFault): string {
  const reason = say(`query.fault.${why}`, { text });
  return nearest === null ? reason : `${reason} ${say("query.fault.nearest", { text: nearest })}`;
}
