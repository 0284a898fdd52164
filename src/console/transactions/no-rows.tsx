import { useFormats, useSignedIn } from "../api/use-api.ts";
import { CommandButton } from "../kit/look/command-button.tsx";
import { Icon, screenIcons } from "../kit/look/icon.tsx";
import { useText } from "../kit/texts/texts.ts";
import type { Filters } from "../lists/filters.ts";
import { WidenButton } from "../lists/widen-button.tsx";
import type { DecisionKind } from "./decision-kind.ts";
import type { Asked } from "./decision-place.ts";
import { everything, workList } from "./decision-views.ts";
import type { QueueState } from "./queue-run.ts";

interface NoRowsProps {
  readonly kind: Pick<DecisionKind<never, never>, "subject" | "screen" | "own">;
  readonly asked: Asked;
  readonly queue: QueueState;
  onFilters(filters: Filters): void;
}

/** Why there is no row: nothing matches, all done, or nothing yet. */
export function NoRows({ kind, asked, queue, onFilters }: NoRowsProps) {
  const t = useText();
  const formats = useFormats();
  const { currency } = useSignedIn();
  const { created, ...others } = asked.filters;
  if (Object.keys(asked.filters).length > 0) {
    return (
      <div className="empty">
        <Icon name="filter" />
        <p className="strong">{t(kind.own("empty.no-match"))}</p>
        {created !== undefined && <WidenButton onWiden={() => onFilters(others)} />}
        <CommandButton id="list.drop-filter" />
        <CommandButton id="view.reset" look="bare" />
      </div>
    );
  }
  if (asked.view === workList.id) {
    const { tally } = queue;
    return (
      <div className="empty">
        <Icon name="completed" className="pass" />
        <p className="strong">{t(kind.own("empty.done"))}</p>
        {queue.active && (
          <p className="t2">
            {t("transaction.empty.tally", {
              approved: tally.approved,
              rejected: tally.rejected,
              deferred: tally.deferred,
              sum: `${formats.amount(tally.sum)} ${currency?.code ?? ""}`,
            })}
          </p>
        )}
        <p className="t3">{t(kind.own("empty.watching"))}</p>
      </div>
    );
  }
  return (
    <div className="empty">
      <Icon name={screenIcons[kind.screen]} />
      <p className="strong">{t(asked.view === everything.id ? kind.own("empty.none-yet") : "transaction.empty.none-here")}</p>
      <CommandButton id={`${kind.subject}.view-${workList.id}`} look="bare" />
    </div>
  );
}
