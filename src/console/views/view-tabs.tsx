import "./views.css";
import { useLayoutEffect, useRef } from "react";
import { formatCount } from "../../values/counts.ts";
import { CommandButton } from "../kit/look/command-button.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { KeyCap } from "../kit/keys/key-cap.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import type { ViewsDesk, ViewSlot } from "../kit/commands/views.ts";
import { FittedTabs } from "./fitted-tabs.ts";

/** Tabs of the views with their digits; none where there is only one view. Those without room are in the list behind “more”. */
export function ViewTabs({ views, countOf }: { views: ViewsDesk; countOf?: (slot: ViewSlot) => number | null | undefined }) {
  const t = useText();
  const kit = useKit();
  const tabs = useRef<HTMLDivElement>(null);
  const more = useRef<HTMLSpanElement>(null);
  const several = views.slots.length >= 2;
  const fitting = useRef<FittedTabs | null>(null);
  useLayoutEffect(() => {
    const [list, button] = [tabs.current, more.current];
    if (!several || !list || !button) return undefined;
    const fitted = new FittedTabs(list, button);
    fitting.current = fitted;
    return () => fitted.stop();
  }, [several]);
  // after each render, because a name, count or chip may have changed the room
  useLayoutEffect(() => fitting.current?.changed());
  if (!several) return null;
  return (
    <>
      <div ref={tabs} className="tabs" role="tablist" aria-label={t("view.tabs")}>
        {views.slots.map((slot) => {
          const { id, name, digit, current, saved } = slot;
          const count = countOf?.(slot) ?? null;
          return (
            <button
              key={id}
              type="button"
              role="tab"
              className="view"
              aria-selected={current}
              onClick={() => (digit === null ? views.pick(id) : kit.run(`view.pick-${digit}`, "button"))}
            >
              {digit !== null && <KeyCap chord={String(digit)} />}
              {saved?.shared === true && <Icon name="users" size="xs" />}
              <bdi>{name}</bdi>
              {current && views.changed && <span className="tag">{t("view.changed")}</span>}
              {count !== null && <em>{formatCount(count)}</em>}
            </button>
          );
        })}
      </div>
      <span ref={more} className="more-views" hidden>
        <CommandButton id="view.list" look="bare">
          {t("view.more")}
        </CommandButton>
      </span>
      <span className="sep" />
    </>
  );
}
