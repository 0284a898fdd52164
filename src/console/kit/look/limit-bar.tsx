import { text } from "../texts/texts.ts";
import { shownAmount } from "./amounts.ts";
import { UsedBar, usedShare } from "./used-bar.tsx";

/** Used and total of a limit, as accounts carry it; null: none. */
export interface UsedLimit {
  readonly used: string;
  readonly limit: string | null;
}

export const limitText = ({ used, limit }: UsedLimit): string =>
  `${shownAmount(used)} / ${limit === null ? text("record.no-limit") : shownAmount(limit)}`;

/** Used and total of a limit, behind a bar of the used share that is lit as it nears the whole. */
export function LimitBar({ use }: { use: UsedLimit }) {
  const { used, limit } = use;
  return (
    <>
      {limit !== null && <UsedBar share={usedShare(used, limit)} />}
      <bdi>{limitText(use)}</bdi>
    </>
  );
}
