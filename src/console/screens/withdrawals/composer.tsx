import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { FocusEvent } from "react";
import { useStore } from "zustand";
import type { PayoutPlan } from "../../../contract/payouts.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import { money, moneyText } from "../../../values/money.ts";
import { useApi, useFormats, useLive, useSignedIn } from "../../api/use-api.ts";
import type { DialogAct } from "../../kit/commands/context.ts";
import type { GridHandle } from "../../kit/commands/grid-handle.ts";
import { useAskBeforeClose, useHeldPage } from "../../kit/form/leaving.ts";
import { Grid } from "../../kit/grid/grid.tsx";
import { RowSource } from "../../kit/grid/row-source.ts";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { shownAmount } from "../../kit/look/amounts.ts";
import { SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { reasonText, useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { useRoom } from "../../lists/use-room.ts";
import { newWork } from "./composer-confirm.ts";
import { composerColumns } from "./composer-columns.ts";
import { composerDesk } from "./composer-desk.ts";
import { ComposerPane } from "./composer-pane.tsx";
import type { Asked } from "./composer-plan.ts";
import { composerRows } from "./composer-rows.ts";
import type { ComposerRow } from "./composer-rows.ts";
import { ComposerTotal } from "./composer-total.tsx";
import { losesWork } from "./composer-work.ts";
import type { ComposerState, ComposerWork } from "./composer-work.ts";
import "./composer.css";

interface ComposerProps {
  readonly asked: Asked;
  /** The list behind, whose marks follow what was paid. */
  readonly grid: GridHandle<Withdrawal> | null;
  onClose(): void;
}

const loseQuestion = {
  title: "payout.ask.lose",
  text: "payout.ask.lose-text",
  words: {},
  buttons: { yes: "record.ask.discard-yes", no: "record.ask.discard-no" },
} as const;

/** Payouts composed of many withdrawals: each with the account that would pay it, adjusted by keys and confirmed once. */
export function Composer({ asked, grid: list, onClose }: ComposerProps) {
  const t = useText();
  const { services } = useKit();
  const { call, time } = useApi();
  const formats = useFormats();
  const room = useRoom();
  const { currency } = useSignedIn();
  const code = currency?.code ?? "";
  const wording = useMemo(() => ({ t, formats }), [t, formats]);
  const [work] = useState(() => newWork(asked, { call, services, list, currency: code }));
  const [desk] = useState(() => composerDesk({ work, services, wording }));
  const state = useStore(work.store);
  const { stage, plan } = state;
  const { cursor, side, aimed } = useStore(desk.store);
  const [source] = useState(() => new RowSource<ComposerRow>());
  const holder = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLElement>(null);
  const columns = useMemo(() => composerColumns({ formats, now: () => time.now(), room, t }), [formats, time, room, t]);

  // the grid is there before the dialog takes the focus
  useLayoutEffect(() => {
    first.current = holder.current?.querySelector<HTMLElement>("[role=grid]") ?? null;
  }, []);
  useEffect(() => {
    void work.plan();
    return () => work.close();
  }, [work]);
  const rows = useMemo(() => composerRows(state, wording), [state, wording]);
  useLayoutEffect(() => {
    if (plan === null) return;
    const end = { more: false, total: rows.length };
    if (source.length === 0) source.setPage(rows, end);
    else source.refresh(rows, end);
  }, [source, rows, plan]);
  useLive("withdraw", (event) => work.heard(event.more === true ? null : event.uuids));
  useLive("gap", () => work.heard(null));
  useAskBeforeClose(stage === "running");
  useHeldPage(losesWork(state) ? loseQuestion : null);

  const leave = async (): Promise<void> => {
    if (stage === "running") return work.stop();
    if (losesWork(state) && (await services.ask("confirm", loseQuestion)) !== true) return;
    onClose();
  };
  const confirm = (): void => {
    const why = work.refusal();
    if (why === null) return void work.confirm();
    if (stage === "over") return onClose();
    services.say(...sayable(why), "warn");
  };
  const dialogActs: Partial<Record<DialogAct, () => void>> = {
    ...(stage === "planning" ? desk.acts : desk.motions),
    confirm,
    close: () => void leave(),
    toggle: () => undefined,
  };
  const onFocus = ({ target }: FocusEvent): void => {
    const isAccounts = target.closest(".composer-accounts") !== null;
    if ((side === "accounts") !== isAccounts) desk.store.setState({ side: isAccounts ? "accounts" : "rows" });
  };
  const why = work.refusal();

  return (
    <SheetFrame
      full
      dialog={{ name: "payout", acts: dialogActs, deafToEnter: true }}
      title={t("payout.title")}
      first={first}
      head={<Head state={state} currency={code} onPrefer={() => desk.acts.prefer?.()} clock={formats.seconds(plan?.computed_at ?? null)} />}
    >
      <div className="composer" onFocus={onFocus} onPaste={(event) => event.stopPropagation()}>
        <section ref={holder} className="composer-list" aria-label={t("payout.list")}>
          <Grid
            source={source}
            columns={columns}
            label={t("payout.list")}
            handleRef={desk.setGrid}
            marks={false}
            onCursor={(row) => desk.store.setState({ cursor: row })}
            empty={<p className="t2">{t("payout.empty")}</p>}
          />
          {plan === null && state.failure === null && <p className="composer-instead t2">{t("payout.computing")}</p>}
          {state.failure !== null && (
            <p className="composer-instead fail" role="alert">
              {state.failure}{" "}
              <button type="button" className="btn" onClick={() => void work.plan()}>
                {t("page.retry")}
                <KeyCap chord="e" />
              </button>
            </p>
          )}
          {plan !== null && <ComposerTotal plan={plan} />}
        </section>
        <ComposerPane
          state={state}
          cursor={cursor}
          aimed={side === "accounts" ? aimed : null}
          accountsRef={desk.setAccounts}
          wording={wording}
          currency={code}
          refused={why === null ? null : reasonText(t, why)}
          canResend={stage === "over" && why === null}
          onConfirm={confirm}
          onRecompute={() => void work.plan(true)}
          onLeave={() => void leave()}
        />
      </div>
    </SheetFrame>
  );
}

const sayable = (why: NonNullable<ReturnType<ComposerWork["refusal"]>>) =>
  typeof why === "string" ? ([why, {}] as const) : ([why.key, why.words] as const);

const chosenSum = ({ placed, cannot, left_out }: PayoutPlan): string =>
  moneyText(money(placed.amount) + money(cannot.amount) + money(left_out.amount));

interface HeadProps {
  readonly state: ComposerState;
  readonly currency: string;
  readonly clock: string;
  onPrefer(): void;
}

function Head({ state: { plan, adjusted, busy }, currency, clock, onPrefer }: HeadProps) {
  const t = useText();
  const all = plan === null ? 0 : plan.rows.length;
  return (
    <div className="composer-head grow">
      <button type="button" className="chip" onClick={onPrefer}>
        {t("payout.prefer")} <b>{t(`payout.prefer.${adjusted.prefer}`)}</b> <KeyCap chord="f" />
      </button>
      <span className="grow" />
      {plan !== null && plan.matching > all && <span className="warn">{t("payout.more-match", { count: all, of: plan.matching })}</span>}
      {plan !== null && plan.missing.length > 0 && <span className="warn">{t("payout.missing", { count: plan.missing.length })}</span>}
      {plan !== null && (
        <span className="t2">
          {t("payout.chosen", { count: all })} · <bdi className="strong">{shownAmount(chosenSum(plan))}</bdi> {currency}
        </span>
      )}
      <span className="t2" role="status">
        {busy ? t("payout.computing") : clock === "" ? "" : t("payout.computed", { at: clock })}
      </span>
    </div>
  );
}
