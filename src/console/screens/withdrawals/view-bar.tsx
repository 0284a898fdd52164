import type { WithdrawalView } from "../../../contract/withdrawals.ts";
import { useFormats, useSignedIn } from "../../api/use-api.ts";
import { FindField } from "../../entity/find-field.tsx";
import { CommandButton, CommandKey } from "../../kit/command-button.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Pane } from "../../kit/panes.tsx";
import { useText } from "../../kit/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import type { ViewsHandle } from "../../kit/views.ts";
import { ViewTabs } from "../../views/view-tabs.tsx";
import { filterNames, filterTitles } from "./filters.ts";
import type { Asked, FilterName, Filters } from "./filters.ts";
import type { ListState } from "./withdrawal-list.ts";

export interface ViewBarProps {
  readonly asked: Asked;
  readonly views: ViewsHandle;
  readonly state: ListState;
  readonly counts: Readonly<Partial<Record<WithdrawalView, number>>>;
  findRef(element: HTMLInputElement | null): void;
  /** How a filter's value reads: a merchant by its name. */
  valueText(name: FilterName, value: string): string;
  onFilters(filters: Filters): void;
}

/** Views with their digits, the find field, filter chips, what they come to, and the pill of new rows. */
export function ViewBar({ asked, views, state, counts, findRef, valueText, onFilters }: ViewBarProps) {
  const t = useText();
  const kit = useKit();
  const formats = useFormats();
  const { currency } = useSignedIn();
  const chips = filterNames.filter((name) => name !== "q" && asked.filters[name] !== undefined);
  const without = (name: FilterName): Filters => {
    const { [name]: _, ...others } = asked.filters;
    return others;
  };
  return (
    <Pane name="filters" as="div" className="views-pane">
      <div className="views">
        <ViewTabs
          views={views}
          countOf={({ id, current }) =>
            current && chips.length === 0 && asked.filters.q === undefined ? state.count : counts[id as WithdrawalView]
          }
        />
        <FindField
          label={t("withdrawal.filter.q")}
          keyOf="withdrawal.find"
          longest={100}
          value={asked.filters.q ?? ""}
          fieldRef={findRef}
          onFind={(q) => onFilters(q === "" ? without("q") : { ...asked.filters, q })}
        />
        {chips.map((name) => (
          <span key={name} className="chip">
            {t(filterTitles[name])} <b className="cut">{valueText(name, asked.filters[name] ?? "")}</b>
            <button type="button" className="chip-off" onClick={() => onFilters(without(name))}>
              <Icon name="close" size="xs" />
              <span className="sr">{t("withdrawal.filter.remove", { name: t(filterTitles[name]) })}</span>
            </button>
          </span>
        ))}
        <button type="button" className="chip add opt" onClick={() => kit.run("withdrawal.filter", "button")}>
          <Icon name="plus" size="xs" />
          {t("withdrawal.filter.add")}
          <CommandKey id="withdrawal.filter" />
        </button>
        <span className="sum end">
          {state.count !== null && t("withdrawal.rows", { count: state.count })}
          {state.sum !== null && (
            <>
              {" "}
              <span className="t3">·</span>{" "}
              <b>
                <bdi>{formats.amount(state.sum)}</bdi>
              </b>{" "}
              {currency?.code}
            </>
          )}
        </span>
        {state.waiting > 0 && (
          <CommandButton id="withdrawal.show-new" className="pill">
            {t("withdrawal.new", { count: state.waiting })}
          </CommandButton>
        )}
      </div>
    </Pane>
  );
}
