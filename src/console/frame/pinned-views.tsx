import "./pinned-views.css";
import { useStore } from "zustand";
import { formatCount } from "../../values/counts.ts";
import { spanText } from "../api/formats.ts";
import { useApi, useFormats } from "../api/use-api.ts";
import { useSecond } from "../api/use-second.ts";
import { Icon } from "../kit/look/icon.tsx";
import { useText } from "../kit/texts/texts.ts";
import { CommandKey } from "../kit/look/command-button.tsx";
import { useKit } from "../kit/use-kit.ts";
import { isExact, pins } from "./pinned.ts";
import type { PinnedView } from "./pinned.ts";

/** ms after which figures say how old they are. */
const fresh = 5_000;

/** The saved views that stand in the counters, each with its key, count, sum and the age of its oldest row. */
export function PinnedViews() {
  const t = useText();
  const { pinned, failed } = useStore(pins);
  return (
    <section className="blk pinned" aria-label={t("counters.pinned")}>
      <h2>
        {t("counters.pinned")}
        {failed && (
          <span className="end" title={t("offline.strip")}>
            <Icon name="warn" size="xs" />
          </span>
        )}
      </h2>
      {pinned.map((one, n) => (
        <Pinned key={one.view.uuid} one={one} place={n + 1} />
      ))}
    </section>
  );
}

function Pinned({ one, place }: { one: PinnedView; place: number }) {
  const { view, figures, fault, isPast } = one;
  const t = useText();
  const kit = useKit();
  const { time } = useApi();
  const { amount } = useFormats();
  useSecond();
  const now = time.now();
  const isCurrent = useStore(pins, (state) => isExact(one, state));
  const old = figures === null || isCurrent ? 0 : now - figures.asOf;
  return (
    <button
      type="button"
      className={isPast ? "past" : undefined}
      data-view={view.uuid}
      onClick={() => kit.run(`pinned.open-${place}`, "button")}
    >
      <span className="name">
        {isPast && <Icon name="warn" size="xs" />}
        {view.tenant_pin !== null && <Icon name="users" size="xs" />}
        <bdi className="cut" title={view.name}>
          {view.name}
        </bdi>
        {isPast && <span className="sr">{t("pin.is-past")}</span>}
        <span aria-hidden="true">
          <CommandKey id={`pinned.open-${place}`} />
        </span>
      </span>
      <span className="count">{figures === null || figures.count === null ? "–" : formatCount(figures.count)}</span>
      <span className="more-of">
        {fault !== null ? (
          <span className="cut">{t("pin.uncounted")}</span>
        ) : (
          <>
            <bdi>{figures?.sum == null ? "" : amount(figures.sum)}</bdi>
            <span>
              {figures?.oldestAt != null && (
                <>
                  {t("counters.oldest")} <bdi>{spanText(now - figures.oldestAt)}</bdi>
                </>
              )}
              {old > fresh && <> · {t("pin.as-of", { span: spanText(old) })}</>}
            </span>
          </>
        )}
      </span>
    </button>
  );
}
