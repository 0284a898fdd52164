import { useContext, useEffect, useLayoutEffect, useRef, useSyncExternalStore, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../look/icon.tsx";
import { KitContext } from "../use-kit.ts";
import type { GridRow } from "./grid-column.ts";
import type { GridCore } from "./grid-core.ts";

/**
 * Finds text in the loaded rows; the cursor moves while typing. Esc returns to the start unless Enter has moved on from there;
 * Mod+Enter stays.
 */
export function FindBar<Row extends GridRow>({ core }: { core: GridCore<Row> }): ReactNode {
  const { open } = useSyncExternalStore(core.found.onState, core.found.state);
  return open && <Bar core={core} />;
}

function Bar<Row extends GridRow>({ core }: { core: GridCore<Row> }): ReactNode {
  const { t } = useTranslation();
  const kit = useContext(KitContext);
  const { found } = core;
  const { opened, text, count, at } = useSyncExternalStore(found.onState, found.state);
  const field = useRef<HTMLInputElement>(null);

  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [opened]);

  useEffect(() => {
    if (kit === null || field.current === null) return undefined;
    // after a step to a match the cursor stays there
    let stepped = false;
    const leave = (back: boolean) => () => {
      found.close(back && !stepped);
      core.focus();
    };
    const step = (by: 1 | -1) => () => {
      stepped = true;
      found.step(by);
    };
    const [next, previous] = [step(1), step(-1)];
    const unclaim = kit.keys.claim(field.current, {
      Enter: next,
      ArrowDown: next,
      "$mod+g": next,
      "Shift+Enter": previous,
      ArrowUp: previous,
      "$mod+Shift+g": previous,
      "$mod+Enter": leave(false),
      Escape: leave(true),
    });
    // Esc in the rows only closes the field, if it was left open
    const unregister = kit.ladder.register("filter-text", () => {
      if (document.activeElement === field.current || kit.context.read({ pane: "latest" }).pane?.grid !== core.handle) return false;
      found.close(false);
      return true;
    });
    return () => {
      unclaim();
      unregister();
    };
  }, [kit, found, core]);

  const said =
    count === null ? t("grid.find.looking") : text === "" ? "" : count === 0 ? t("grid.find.none") : t("grid.find.at", { at, count });
  return (
    <search className="find">
      <input
        ref={field}
        type="text"
        value={text}
        onChange={(event) => found.seek(event.target.value)}
        aria-label={t("grid.find.label")}
        placeholder={t("grid.find.label")}
        autoComplete="off"
        spellCheck={false}
      />
      <output className={text !== "" && count === 0 ? "count none" : "count"}>{said}</output>
      <button type="button" className="find-step" aria-label={t("grid.find.previous")} disabled={!count} onClick={() => found.step(-1)}>
        <Icon name="up" size="xs" />
      </button>
      <button type="button" className="find-step" aria-label={t("grid.find.next")} disabled={!count} onClick={() => found.step(1)}>
        <Icon name="down" size="xs" />
      </button>
      <button
        type="button"
        className="find-step"
        aria-label={t("grid.find.close")}
        onClick={() => {
          found.close(false);
          core.focus();
        }}
      >
        <Icon name="cross" size="xs" />
      </button>
    </search>
  );
}
