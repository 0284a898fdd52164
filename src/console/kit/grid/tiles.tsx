import "./tiles.css";
import type { ComponentType, MouseEvent, ReactNode } from "react";
import { memo, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Icon } from "../look/icon.tsx";
import type { GridCore } from "./grid-core.ts";
import type { GridRow } from "./grid-column.ts";
import type { RowSource } from "./row-source.ts";

/** What a tile shows of a row. */
export type Tile<Row> = ComponentType<{ readonly row: Row }>;

/** px of a tile, which is at least so wide, and around each; as in the stylesheet. */
const [tileWidth, tileHeight, gap] = [136, 184, 8];
/** Lines drawn beyond the view on both sides. */
const overscan = 3;

interface TilesProps<Row extends GridRow> {
  readonly core: GridCore<Row>;
  readonly source: RowSource<Row>;
  readonly tile: Tile<Row>;
}

/**
 * The rows of a grid as tiles, several in a line. The grid itself stays beneath, unseen: it has the focus, takes the keys and is what a
 * screen reader reads, as a table; what is drawn here is for the eye and the pointer.
 */
export function Tiles<Row extends GridRow>({ core, source, tile }: TilesProps<Row>): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  useSyncExternalStore(core.tiles.subscribe, core.tiles.version);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const read = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const resized = new ResizeObserver(read);
    resized.observe(element);
    read();
    return () => resized.disconnect();
  }, []);

  const perLine = Math.max(1, Math.floor((width - gap) / (tileWidth + gap)));
  const lineHeight = tileHeight + gap;
  // rows before the loaded ones keep their room, so that nothing jumps when their pages come or go
  const before = source.before ?? 0;
  // oxlint-disable-next-line react-hooks/incompatible-library -- read anew with every render, never kept
  const lines = useVirtualizer({
    count: Math.ceil((before + source.length) / perLine),
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    paddingStart: gap,
    overscan,
  });
  useLayoutEffect(
    () =>
      core.tiles.lay({
        perLine,
        lines: Math.max(1, Math.floor(height / lineHeight)),
        show: (row) => lines.scrollToIndex(Math.floor(((source.before ?? 0) + row) / perLine)),
      }),
    [core, source, lines, perLine, lineHeight, height],
  );
  // where it is opened or its lines are others, the cursor's tile is in view
  useLayoutEffect(() => {
    if (height > 0) core.tiles.layout?.show(Math.max(0, core.cursorRowIndex()));
  }, [core, perLine, height]);

  const drawn = lines.getVirtualItems();
  const [first, last] = [(drawn[0]?.index ?? 0) * perLine - before, ((drawn.at(-1)?.index ?? 0) + 1) * perLine - before];
  useLayoutEffect(() => {
    if (height > 0) core.seen(Math.max(0, first), Math.min(source.length, last));
  }, [core, source, first, last, height]);

  const rowOf = (event: MouseEvent): number => {
    const at = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]")?.dataset["row"] : undefined;
    return at === undefined ? -1 : Number(at) - before;
  };
  const press = (event: MouseEvent) => {
    event.preventDefault(); // the focus stays in the grid
    core.focus();
    const row = source.at(rowOf(event));
    if (row === undefined || event.button === 1) return;
    if (event.button === 0 && event.shiftKey) return core.marks.extendTo(rowOf(event), core.cursorRow()?.uuid);
    core.scrollToId(row.uuid);
    const onBox = event.target instanceof Element && event.target.closest(".box") !== null;
    if (event.button === 0 && (event.ctrlKey || event.metaKey || onBox)) core.marks.toggle(row.uuid);
  };

  const cursor = core.cursorRow()?.uuid ?? null;
  return (
    // keys and words are the grid's, which lies beneath
    <div ref={scroller} className="tiles" aria-hidden onMouseDown={press} onDoubleClick={() => core.activate()}>
      <div className="tile-lines" style={{ blockSize: lines.getTotalSize() }}>
        {drawn.map(({ index, start }) => (
          <div key={index} className="tile-line" style={{ insetBlockStart: start, "--tiles": perLine }}>
            {Array.from({ length: perLine }, (_, column) => {
              const at = index * perLine + column;
              const row = source.at(at - before);
              if (row === undefined) return null;
              return (
                <OneTile
                  key={row.uuid}
                  at={at}
                  row={row}
                  // one component for all rows of the grid
                  draw={tile as Tile<GridRow>}
                  here={row.uuid === cursor}
                  marked={core.marks.ids.has(row.uuid)}
                  gone={source.isTombstone(row.uuid)}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

interface OneTileProps {
  /** Index among all rows. */
  readonly at: number;
  readonly row: GridRow;
  readonly draw: Tile<GridRow>;
  readonly here: boolean;
  readonly marked: boolean;
  readonly gone: boolean;
}

const OneTile = memo(function OneTile({ at, row, draw: Draw, here, marked, gone }: OneTileProps): ReactNode {
  const looks = [here && "at", marked && "marked", gone && "tombstone"].filter(Boolean).join(" ");
  return (
    <div className={`tile ${looks}`} data-row={at}>
      <Draw row={row} />
      <span className={marked ? "box on" : "box"}>
        <Icon name="tick-in-box" />
      </span>
    </div>
  );
});
