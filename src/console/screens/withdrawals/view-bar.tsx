import { useEffect, useRef, useState } from "react";
import type { WithdrawalView } from "../../../contract/withdrawals.ts";
import { useFormats, useSignedIn } from "../../api/use-api.ts";
import { CommandButton } from "../../kit/command-button.tsx";
import { Icon } from "../../kit/icon.tsx";
import { KeyCap } from "../../kit/key-cap.tsx";
import { Pane } from "../../kit/panes.tsx";
import { useText } from "../../kit/texts.ts";
import { useEscape, useKit } from "../../kit/use-kit.ts";
import type { ViewsHandle } from "../../kit/views.ts";
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
        <div className="tabs" role="tablist" aria-label={t("withdrawal.views")}>
          {views.slots.map(({ id, name, digit, current, saved }, at) => {
            const count =
              current && chips.length === 0 && asked.filters.q === undefined ? (state.count ?? undefined) : counts[id as WithdrawalView];
            return (
              <button
                key={id}
                type="button"
                role="tab"
                className={at > 3 && !current && saved === null ? "view opt" : "view"}
                aria-selected={current}
                onClick={() => (digit === null ? views.pick(id) : kit.run(`view.pick-${digit}`, "button"))}
              >
                {digit !== null && <KeyCap chord={String(digit)} />}
                {saved?.shared === true && <Icon name="users" size="xs" />}
                <bdi>{name}</bdi>
                {saved !== null && current && views.changed && <span className="tag">{t("view.changed")}</span>}
                {count !== undefined && <em>{count}</em>}
              </button>
            );
          })}
        </div>
        <span className="sep" />
        <Find
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
          <KeyCap chord="f" />
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

/** ms after the last letter until the list is asked. */
const pause = 250;

/** Text search of this list; what is typed is in the address a moment later. */
function Find({
  value,
  fieldRef,
  onFind,
}: {
  value: string;
  fieldRef: (element: HTMLInputElement | null) => void;
  onFind: (q: string) => void;
}) {
  const t = useText();
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    // the address changed by other means
    setKnown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const find = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onFind(text.trim().slice(0, 100)), pause);
  };
  const field = useRef<HTMLInputElement | null>(null);
  useEscape("filter-text", () => {
    if (document.activeElement !== field.current || typed === "") return false;
    find("");
    return true;
  });
  return (
    <label className={typed === "" ? "chip find" : "chip find on"}>
      <Icon name="find" size="xs" />
      <input
        ref={(element) => {
          field.current = element;
          fieldRef(element);
        }}
        type="text"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder={t("withdrawal.filter.q")}
        aria-label={t("withdrawal.filter.q")}
        value={typed}
        onChange={(event) => find(event.target.value)}
      />
      <KeyCap chord="/" />
    </label>
  );
}
