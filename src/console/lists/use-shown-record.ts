import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { useStore } from "zustand";
import { CallFailure } from "../api/failure.ts";
import type { ShownDetail } from "../kit/commands/context.ts";
import type { Details, VersionedRow } from "./details.ts";
import type { ListPanes } from "./list-panes.ts";

/** What the detail pane draws. */
export interface ShownRecord<Row, Detail> {
  readonly row: Row | null;
  /** Of that row; null while it loads. */
  readonly detail: Detail | null;
  readonly failure: CallFailure | null;
  readonly marked: number;
  readonly wholeHistory: boolean;
  readonly historyRef: RefObject<HTMLElement | null>;
  onRetry(): void;
  /** Since when the record has been on screen. */
  onShown(shown: ShownDetail | null): void;
}

export interface ShowingWork<Row extends VersionedRow, Detail extends { readonly row: VersionedRow }> {
  readonly panes: ListPanes<Row>;
  readonly details: Details<Detail>;
  /** Loads what the operator will look at next, and takes over what the detail knows of the row. */
  lookAhead(detail: Detail): void;
}

const noRecord: VersionedRow = { uuid: "", version: 0 };

/** The record at rest under the cursor, and its detail; under a new version the old one stays until the new has come. */
export function useShownRecord<Row extends VersionedRow, Detail extends { readonly row: VersionedRow }>(
  work: ShowingWork<Row, Detail>,
): ShownRecord<Row, Detail> {
  const { panes, details } = work;
  const row = useStore(panes.shown, (shown) => shown.row);
  const marked = useStore(panes.shown, (shown) => shown.marked);
  const historyAsked = useStore(panes.shown, (shown) => shown.historyAsked);
  const uuid = row?.uuid ?? null;
  const read = useQuery<Detail>({
    ...details.of(row ?? noRecord),
    enabled: row !== null,
    placeholderData: (before) => (before?.row.uuid === uuid ? before : undefined),
  });
  const detail = read.data?.row.uuid === uuid ? read.data : null;
  const historyRef = useRef<HTMLElement>(null);
  const wholeHistory = uuid !== null && historyAsked?.of === uuid;
  // once it is drawn, which it is with the rest of the detail
  const hasHistory = wholeHistory && detail !== null;
  useEffect(() => {
    if (hasHistory) historyRef.current?.scrollIntoView({ block: "start" });
  }, [historyAsked, hasHistory]);
  useEffect(() => {
    if (detail !== null) work.lookAhead(detail);
  }, [work, detail]);
  return {
    row,
    detail,
    failure: detail === null && read.error instanceof CallFailure ? read.error : null,
    marked,
    wholeHistory,
    historyRef,
    onRetry: () => void read.refetch(),
    onShown: panes.onShown,
  };
}
