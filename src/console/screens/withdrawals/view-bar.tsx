import type { Withdrawal, WithdrawalView } from "../../../contract/withdrawals.ts";
import { useFormats, useSignedIn } from "../../api/use-api.ts";
import { CommandButton } from "../../kit/command-button.tsx";
import { useText } from "../../kit/texts.ts";
import { FilterBar } from "../../lists/filter-bar.tsx";
import type { FilterBarProps } from "../../lists/filter-bar.tsx";
import type { LiveState } from "../../lists/live-list.ts";
import { withdrawalFilters } from "./filters.ts";

export interface ViewBarProps extends Pick<FilterBarProps<Withdrawal>, "views" | "set" | "rows" | "findRef" | "onFilters"> {
  readonly state: LiveState;
  readonly counts: Readonly<Partial<Record<WithdrawalView, number>>>;
}

/** Views with their digits and counts, filters, what the rows come to, and the pill of new ones. */
export function ViewBar({ state, counts, ...bar }: ViewBarProps) {
  const t = useText();
  const formats = useFormats();
  const { currency } = useSignedIn();
  const { held, waiting } = state;
  const news = waiting > 0 ? t("withdrawal.new", { count: waiting }) : null;
  const pill = held === null ? news : held === 0 ? t("withdrawal.held") : t("withdrawal.held-changes", { count: held });
  const unfiltered = Object.keys(bar.set).length === 0;
  return (
    <FilterBar
      {...bar}
      subject="withdrawal"
      filters={withdrawalFilters}
      countOf={({ id, current }) => (current && unfiltered ? state.count : counts[id as WithdrawalView])}
      count={state.count}
      sum={
        state.sum !== null && (
          <>
            {" "}
            <span className="t3">·</span>{" "}
            <b>
              <bdi>{formats.amount(state.sum)}</bdi>
            </b>{" "}
            {currency?.code}
          </>
        )
      }
    >
      {pill !== null && (
        <CommandButton id="withdrawal.follow" className="pill">
          {pill}
        </CommandButton>
      )}
    </FilterBar>
  );
}
