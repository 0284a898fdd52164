import { useEffect, useLayoutEffect, useRef } from "react";
import type { ShownRecord } from "../lists/use-shown-record.ts";

type Versioned = { readonly uuid: string; readonly version: number };

/**
 * Tells from when on the record with its checks has been on the screen; null details: they still load. `read`: all that a decision
 * is read from, because the same under a new version keeps its time.
 */
export function usePainted(
  { uuid }: Versioned,
  detail: { readonly row: Versioned } | null,
  read: readonly unknown[],
  onShown: ShownRecord<unknown, unknown>["onShown"],
): void {
  const painted = useRef<{ content: string; at: number } | null>(null);
  const content = detail === null ? null : JSON.stringify([uuid, ...read]);
  const version = detail?.row.version ?? 0;
  useLayoutEffect(() => {
    if (content === null) {
      onShown({ uuid, version: 0, paintedAt: null });
      return undefined;
    }
    if (painted.current?.content === content) {
      onShown({ uuid, version, paintedAt: painted.current.at });
      return undefined;
    }
    onShown({ uuid, version, paintedAt: null });
    const frame = requestAnimationFrame((at) => {
      painted.current = { content, at };
      onShown({ uuid, version, paintedAt: at });
    });
    return () => cancelAnimationFrame(frame);
  }, [content, uuid, version, onShown]);
  useEffect(() => () => onShown(null), [onShown]);
}
