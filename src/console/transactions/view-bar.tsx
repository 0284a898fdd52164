import { useFormats, useSignedIn } from "../api/use-api.ts";
import { CommandButton } from "../kit/look/command-button.tsx";
import { useText } from "../kit/texts/texts.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import type { FilterBarProps } from "../lists/filter-bar.tsx";
import type { LiveRow, LiveState } from "./live-rules.ts";

export interface ViewBarProps<Row extends LiveRow> extends Pick<
  FilterBarProps<Row>,
  "views" | "filters" | "set" | "rows" | "findRef" | "onFilters"
> {
  readonly state: LiveState;
  /** Rows of each view; a view that cannot be counted is left out. */
  readonly counts: Readonly<Partial<Record<string, number>>>;
}

/** Views with their digits and counts, filters, what the rows come to, and the pill of new ones. */
export function ViewBar<Row extends LiveRow>({ state, counts, ...bar }: ViewBarProps<Row>) {
  const t = useText();
  const formats = useFormats();
  const { currency } = useSignedIn();
  const { held, waiting } = state;
  const news = waiting > 0 ? t("record.new", { count: waiting }) : null;
  const pill = held === null ? news : held === 0 ? t("transaction.held") : t("transaction.held-changes", { count: held });
  const unfiltered = Object.keys(bar.set).length === 0;
  return (
    <FilterBar
      {...bar}
      countOf={({ id, current }) => (current && unfiltered ? state.count : counts[id])}
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
        <CommandButton id="list.follow" className="pill">
          {pill}
        </CommandButton>
      )}
    </FilterBar>
  );
}
