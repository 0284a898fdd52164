import type { RefObject } from "react";
import { useLayoutEffect } from "react";

/**
 * Keeps a table's figures whole (`tbl` in record.css): where they do not fit beside the row names, the names move above them
 * ("stacked"), and where that is not enough, the font is a step smaller ("tight"). Measures again when the room or `content`
 * changes.
 */
export function useStacked(ref: RefObject<HTMLTableElement | null>, content: unknown): void {
  useLayoutEffect(() => {
    const table = ref.current;
    const around = table?.parentElement;
    if (!table || !around) return undefined;
    const fits = () => {
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(around);
      const room = around.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd);
      return table.scrollWidth <= room + 1;
    };
    const look = () => {
      table.classList.remove("stacked", "tight");
      for (const step of ["stacked", "tight"]) if (!fits()) table.classList.add(step);
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(around);
    return () => resized.disconnect();
  }, [ref, content]);
}
