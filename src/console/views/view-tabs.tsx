import { formatCount } from "../../values/counts.ts";
import { Icon } from "../kit/icon.tsx";
import { KeyCap } from "../kit/key-cap.tsx";
import { useText } from "../kit/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import type { ViewsHandle, ViewSlot } from "../kit/views.ts";

/** So many built-in views stay where there is little room; the saved ones and the one in use always do. */
const always = 4;

/** The views of a screen with their digits; nothing while there is but one. */
export function ViewTabs({ views, countOf }: { views: ViewsHandle; countOf?: (slot: ViewSlot) => number | null | undefined }) {
  const t = useText();
  const kit = useKit();
  if (views.slots.length < 2) return null;
  return (
    <>
      <div className="tabs" role="tablist" aria-label={t("view.tabs")}>
        {views.slots.map((slot, at) => {
          const { id, name, digit, current, saved } = slot;
          const count = countOf?.(slot) ?? null;
          return (
            <button
              key={id}
              type="button"
              role="tab"
              className={at >= always && !current && saved === null ? "view opt" : "view"}
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
      <span className="sep" />
    </>
  );
}
