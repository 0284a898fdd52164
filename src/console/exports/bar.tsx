import type { Export } from "../../contract/exports.ts";
import { shareOf } from "./export-words.ts";

/** The written share of an export's rows. */
export function Bar({ one }: { one: Export }) {
  return (
    <span className="room" aria-hidden="true">
      <i style={{ "--v": `${shareOf(one)}%` }} />
    </span>
  );
}
