import { useSyncExternalStore, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatCount } from "../../../values/counts.ts";
import { KeyCap } from "../keys/key-cap.tsx";
import type { GridRow } from "./grid-column.ts";
import type { GridCore } from "./grid-core.ts";
import type { RowSource } from "./row-source.ts";

/** When all loaded rows are marked and more match: their number, and a button that marks them too. */
export function Everything<Row extends GridRow>({ core, source }: { core: GridCore<Row>; source: RowSource<Row> }): ReactNode {
  const { t } = useTranslation();
  const part = useSyncExternalStore(core.marks.onPart, core.marks.part);
  const everything = useSyncExternalStore(core.marks.onPart, () => core.marks.everything() !== null);
  const subscribe = (listener: () => void) => source.subscribe(listener);
  const length = useSyncExternalStore(subscribe, () => source.length);
  const more = useSyncExternalStore(subscribe, () => source.more || source.moreBefore);
  const total = useSyncExternalStore(subscribe, () => source.total);
  if (part !== "all" || !more) return null;
  if (everything) {
    return (
      <div className="everything on">
        {total === null ? t("grid.everything.on-uncounted") : t("grid.everything.on", { count: total, shown: formatCount(total) })}
      </div>
    );
  }
  return (
    <div className="everything">
      {t("grid.everything.loaded", { count: length, shown: formatCount(length) })}
      <button type="button" onClick={() => core.chosen.markAll()}>
        {total === null ? t("grid.everything.mark-uncounted") : t("grid.everything.mark", { count: total, shown: formatCount(total) })}
      </button>
      <KeyCap chord="$mod+a" />
    </div>
  );
}
