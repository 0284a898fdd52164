import { useFormats, useSignedIn } from "../../api/use-api.ts";
import { WidenButton } from "../../entity/instead.tsx";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";
import type { Filters } from "../../lists/filters.ts";
import type { Asked } from "./filters.ts";
import type { QueueState } from "./queue.ts";

/** Why there is no row: nothing matches, all done, or nothing yet. */
export function Empty({ asked, queue, onFilters }: { asked: Asked; queue: QueueState; onFilters: (filters: Filters) => void }) {
  const t = useText();
  const formats = useFormats();
  const { currency } = useSignedIn();
  const { created, ...others } = asked.filters;
  if (Object.keys(asked.filters).length > 0) {
    return (
      <div className="empty">
        <Icon name="filter" />
        <p className="strong">{t("withdrawal.empty.no-match")}</p>
        {created !== undefined && <WidenButton onWiden={() => onFilters(others)} />}
        <CommandButton id="list.drop-filter" />
        <CommandButton id="view.reset" look="bare" />
      </div>
    );
  }
  if (asked.view === "queue") {
    const { tally } = queue;
    return (
      <div className="empty">
        <Icon name="completed" className="pass" />
        <p className="strong">{t("withdrawal.empty.done")}</p>
        {queue.active && (
          <p className="t2">
            {t("withdrawal.empty.tally", {
              approved: tally.approved,
              rejected: tally.rejected,
              deferred: tally.deferred,
              sum: `${formats.amount(tally.sum)} ${currency?.code ?? ""}`,
            })}
          </p>
        )}
        <p className="t3">{t("withdrawal.empty.watching")}</p>
      </div>
    );
  }
  return (
    <div className="empty">
      <Icon name="withdrawal" />
      <p className="strong">{t(asked.view === "all" ? "withdrawal.empty.none-yet" : "withdrawal.empty.none-here")}</p>
      <CommandButton id="withdrawal.view-queue" look="bare" />
    </div>
  );
}
