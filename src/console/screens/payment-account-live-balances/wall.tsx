import { paysOut } from "../../../contract/live-shows.ts";
import type { ReactNode } from "react";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { formatCount } from "../../../values/counts.ts";
import { money } from "../../../values/money.ts";
import { useApi, useFormats } from "../../api/use-api.ts";
import type { PaneState } from "../../kit/commands/context.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { UsedBar, usedHue } from "../../kit/look/used-bar.tsx";
import { Pane } from "../../kit/panes/panes.tsx";
import { usePane, withoutRows } from "../../kit/panes/use-pane.ts";
import { useText } from "../../kit/texts/texts.ts";
import { Failure } from "../../lists/failure.tsx";
import type { Views } from "../../views/use-views.ts";
import { markOfAccount } from "./account-mark.ts";
import type { AccountLine, LimitName } from "./live-lines.ts";
import { isAccount, sumsOf, usedPercent } from "./live-lines.ts";
import type { LivePlace } from "./live-place.ts";
import type { LiveWork } from "./live-work.ts";
import { shortAmount, wholeAmount } from "../../kit/look/short-amount.ts";
import "./wall.css";

interface WallProps {
  readonly work: LiveWork;
  readonly asked: LivePlace;
  readonly lends: Pick<PaneState, "list" | "balances">;
  readonly views: Views;
  readonly bar: ReactNode;
  readonly title: string;
}

const scopes: PaneState["scopes"] = ["pane"];

/** From a million on three figures say more across a room than ten. */
const figureOf = (amount: string): string => (Math.abs(Number(money(amount) / 10_000n)) >= 1e6 ? shortAmount(amount) : wholeAmount(amount));

/** The accounts shown, in figures to be read across a room: what needs attention first, then each by what its limits leave. */
export function Wall({ work, asked, lends, views, bar, title }: WallProps) {
  const t = useText();
  const { zone } = useFormats();
  const { list } = work;
  const { failure } = useSyncExternalStore(list.subscribe, list.getState);
  useEffect(() => work.ask(asked), [work, asked, zone]);
  useStore(list.figures);
  const { counts } = useStore(useApi().counters.store);
  const accounts = list.source.rows.filter(isAccount);
  const aim = useAim(accounts.length);
  const ref = useRef<HTMLElement>(null);
  usePane(ref, {
    id: "payment-account-live-balances.list",
    scopes,
    ...withoutRows,
    ...lends,
    aim,
    views: views.handle,
  });
  useEffect(() => ref.current?.focus(), []);
  const first = accounts.filter(({ attention }) => attention);
  const rest = accounts.filter(({ attention }) => !attention);
  const { payable, balance } = sumsOf(accounts);
  return (
    <>
      {bar}
      <Pane name="list" innerRef={ref} className="wall" label={title}>
        {failure !== null && <Failure title={t("record.failed", { screen: title })} failure={failure} onRetry={() => void list.reload()} />}
        {first.length > 0 && (
          <ul className="wall-first" style={{ "--n": Math.min(3, first.length) }} aria-label={t("live-balance.first")}>
            {first.map((line) => (
              <First key={line.uuid} line={line} />
            ))}
          </ul>
        )}
        <ul className="wall-rest" style={{ "--n": columnsFor(rest.length) }} aria-label={title}>
          {rest.map((line) => (
            <Tile key={line.uuid} line={line} />
          ))}
        </ul>
        <dl className="wall-sums">
          <Sum name={t("payment-account.field.payable")} shown={figureOf(payable)} />
          <Sum name={t("payment-account.field.balance")} shown={figureOf(balance)} />
          <Sum name={t("live-balance.wall-accounts")} shown={formatCount(accounts.length)} />
          {counts.deposit !== null && <Sum name={t("counters.deposits")} shown={formatCount(counts.deposit)} />}
          {counts.withdraw !== null && <Sum name={t("counters.withdrawals")} shown={formatCount(counts.withdraw)} />}
        </dl>
      </Pane>
    </>
  );
}

/** Tiles side by side: five, and more where there are many. */
const columnsFor = (count: number): number => (count <= 20 ? 5 : count <= 36 ? 6 : count <= 64 ? 8 : 10);

/** Said for the record that keys would act on; the same object while the count is the same. */
function useAim(count: number): PaneState["aim"] {
  const t = useText();
  return useMemo(() => ({ id: null, note: t("live-balance.wall-aim", { count, shown: formatCount(count) }) }), [t, count]);
}

function First({ line }: { line: AccountLine }) {
  const t = useText();
  const mark = markOfAccount(line, t);
  const share = usedPercent(line.withdrawal_daily);
  return (
    <li className={`is-${mark.hue}`}>
      <h2>
        <Icon name={mark.icon} />
        <bdi>{line.code}</bdi>
        <span className="end cut">
          {mark.word} · <bdi>{line.bank}</bdi>
        </span>
      </h2>
      <b className="figure">
        <bdi>{figureOf(line.balance)}</bdi>
      </b>
      <p>
        {t("payment-account.field.payable")}{" "}
        <b className={money(line.payable) < 0n ? "hue" : undefined}>
          <bdi>{figureOf(line.payable)}</bdi>
        </b>
        {share !== null && (
          <>
            {" · "}
            {t("live-balance.used-today")} <b className={share >= 90 ? "hue" : undefined}>{Math.round(share)} %</b>
          </>
        )}
        {" · "}
        {t("live-balance.waiting", {
          count: line.open_in.count + line.open_out.count,
          shown: formatCount(line.open_in.count + line.open_out.count),
        })}
      </p>
    </li>
  );
}

function Tile({ line }: { line: AccountLine }) {
  const t = useText();
  const pays = paysOut(line);
  const name: LimitName = pays ? "withdrawal_daily" : "deposit_daily";
  const share = usedPercent(line[name]);
  const mark = markOfAccount(line, t);
  const isOff = line.status === "inactive" || line.state === "suspended";
  return (
    <li className={isOff ? "off" : undefined}>
      <h3>
        <bdi>{line.code}</bdi>
        <span className="end cut">{line.bank}</span>
      </h3>
      <b className="figure">
        <bdi>{figureOf(line.balance)}</bdi>
      </b>
      <div className="below">
        <span className="cut">{isOff ? mark.word : t(pays ? "live-balance.used-today" : "live-balance.taken-today")}</span>
        {share !== null && <span className={usedHue(share)}>{Math.round(share)} %</span>}
      </div>
      <UsedBar share={share ?? 0} />
    </li>
  );
}

function Sum({ name, shown }: { name: string; shown: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{shown}</bdi>
      </dd>
    </div>
  );
}
