import "./exports.css";
import { useEffect, useEffectEvent } from "react";
import { createPortal } from "react-dom";
import { ownExportRoutes as routes } from "../../contract/exports.ts";
import type { Export } from "../../contract/exports.ts";
import { formatCount } from "../../values/counts.ts";
import { sizeText } from "../../values/file-size.ts";
import { useChanged, useRead } from "../api/use-api.ts";
import { chordText } from "../kit/keys/chord-text.ts";
import { CommandKey } from "../kit/look/command-button.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { text, useText } from "../kit/texts/texts.ts";
import { useKit, useStore } from "../kit/use-kit.ts";
import type { Awaited } from "./awaited.ts";
import { Bar } from "./bar.tsx";
import { ExportsSheet } from "./exports-sheet.tsx";
import { failureKey, isOpenExport, listName } from "./export-words.ts";

/** ms between two looks at exports under way. */
const every = 1_000;

interface ExportsProps {
  readonly awaited: Awaited;
  /** Whether the sheet is. */
  readonly isOpen: boolean;
  onClose(): void;
}

/** The user's exports: watched while any is awaited or open. */
export function Exports({ awaited, isOpen, onClose }: ExportsProps) {
  const waits = useStore(awaited).length > 0;
  const read = useRead(
    routes.listExports,
    {},
    {
      enabled: waits || isOpen,
      again: (answer) => (waits || answer?.data.some(isOpenExport) === true ? every : false),
    },
  );
  const list = read.data?.data;
  useChanged("export", () => void read.refetch());
  useTold(awaited, list, read.dataUpdatedAt);
  return (
    <>
      <UnderWay list={list ?? []} />
      {isOpen && <ExportsSheet read={{ list, isError: read.isError, refetch: () => void read.refetch() }} onClose={onClose} />}
    </>
  );
}

/** Tells of each awaited export once that it has ended; of one nobody has any more, nothing. */
function useTold(awaited: Awaited, list: readonly Export[] | undefined, readAt: number): void {
  const { services, registry } = useKit();
  const tell = useEffectEvent((one: Export) => {
    const words = { screen: listName(one), rows: formatCount(one.done) };
    if (one.state === "failed") {
      services.toast("export.said.failed", failureKey(one), words, "fail");
    } else if (one.state === "done") {
      const chord = registry.get("exports.download")?.keys?.[0];
      const key = chord === undefined ? text("command.exports.open") : chordText(chord);
      services.toast("export.said.ready", "export.said.ready-text", { ...words, size: sizeText(one.bytes ?? 0), key }, "done");
    }
  });
  useEffect(() => {
    if (list === undefined) return;
    for (const uuid of awaited.getState()) {
      const found = list.find((one) => one.uuid === uuid);
      // one that began after this look is in the next
      if (found !== undefined && !isOpenExport(found)) {
        awaited.drop(uuid);
        tell(found);
      }
    }
  }, [awaited, list, readAt]);
}

/** On the status bar: how far the oldest export is, and the key that shows them all. */
function UnderWay({ list }: { list: readonly Export[] }) {
  const t = useText();
  const place = useStore(useKit().offers);
  const open = list.filter(isOpenExport);
  const first = open.at(-1);
  if (place === null || first === undefined) return null;
  return createPortal(
    <span className="export-under-way" data-overlay="">
      <Icon name="flag-exported" size="xs" />
      <span className="cut">
        {listName(first)} <bdi className="num">{progressText(t, first)}</bdi>
        {open.length > 1 && ` +${open.length - 1}`}
      </span>
      <Bar one={first} />
      <CommandKey id="exports.open" />
    </span>,
    place,
  );
}

const progressText = (t: typeof text, { done, total, state }: Export): string =>
  state === "waiting" ? t("export.state.waiting") : total === null ? formatCount(done) : `${formatCount(done)} / ${formatCount(total)}`;
