import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { DecisionDetail, DecisionRow } from "../../contract/decisions.ts";
import { useLive } from "../api/use-api.ts";
import type { DecisionKind } from "./decision-kind.ts";
import type { DecisionWork } from "./decision-work.ts";

/** ms within which the lines of a file count as one change. */
const pause = 2_000;

/**
 * What proves records comes and goes without any of them changing: the detail is read anew, and the rows of a view `byProof` a moment later.
 * Answers how often it has been told.
 */
export function useProofs<Row extends DecisionRow, Detail extends DecisionDetail<Row>>(
  { provedBy }: Pick<DecisionKind<Row, Detail>, "provedBy">,
  { list, panes, details }: DecisionWork<Row, Detail>,
  byProof: boolean,
): number {
  const [told, setTold] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useEffectEvent(() => {
    timer.current = undefined;
    if (byProof) void list.catchUp();
  });
  useLive(provedBy ?? "gap", () => {
    setTold((before) => before + 1);
    const { row } = panes.shown.getState();
    if (row !== null) details.forget(row.uuid);
    timer.current ??= setTimeout(look, pause);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return told;
}
