import "../../views/views.css";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Dashboard } from "../../../contract/dashboard.ts";
import { CallFailure } from "../../api/failure.ts";
import { spanText } from "../../api/formats.ts";
import { instantTitle } from "../../api/instant.tsx";
import { useApi, useFormats, useSignedIn } from "../../api/use-api.ts";
import { useSecond } from "../../api/use-second.ts";
import { Failure } from "../../lists/failure.tsx";
import { CommandButton } from "../../kit/look/command-button.tsx";
import type { PaneState } from "../../kit/commands/context.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { Pane } from "../../kit/panes/panes.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { useContextState, useKit } from "../../kit/use-kit.ts";
import { usePane, withoutRows } from "../../kit/panes/use-pane.ts";
import { AgesPanel } from "./ages.tsx";
import { hourOf } from "./day.ts";
import type { BoardDesk } from "../../kit/commands/desks.ts";
import { FirstStepsBoard } from "./first-steps.tsx";
import { Figures } from "./figures.tsx";
import { FlowPanel, MinutesPanel } from "./hours.tsx";
import { AccountsPanel, CallbacksPanel, MerchantsPanel, OperatorsPanel } from "./lists.tsx";
import { Panel } from "./panel.tsx";
import { charts, itemsOf, panelNames, panelTitle, placeOf, step } from "./panels.ts";
import type { Cursor, Item, Lane, PanelName } from "./panels.ts";
import { useBoard } from "./use-board.ts";
import { useFirstSteps } from "./use-first-steps.ts";
import type { FirstStepsNow } from "./use-first-steps.ts";
import "../../entity/entity.css";
import "./dashboard.css";

const paneScopes: PaneState["scopes"] = ["pane"];

/** The day so far in one currency: its flow, what waits, and the problems. */
export function Component() {
  const t = useText();
  const read = useBoard();
  const { data, error } = read;
  const [from] = useState(() => document.activeElement);
  const steps = useFirstSteps();
  if (steps.shown && steps.first !== null) return <FirstStepsBoard now={steps} first={steps.first} />;
  if (data !== undefined && !steps.isComing) return <Board board={data} stale={read.isError} from={from} steps={steps} />;
  return (
    <div className="entity dashboard">
      <Pane name="list" className="board-pane">
        {error instanceof CallFailure ? (
          <Failure title={t("record.failed", { screen: t("screen.dashboard") })} failure={error} onRetry={() => void read.refetch()} />
        ) : (
          <Skeleton />
        )}
      </Pane>
    </div>
  );
}

function Skeleton() {
  const t = useText();
  return (
    <div className="board waiting">
      <p className="sr" role="status">
        {t("dashboard.loading")}
      </p>
      <div className="figures" />
      {panelNames.slice(1).map((name) => (
        <Panel key={name} name={name}>
          <i className="ghost" />
        </Panel>
      ))}
    </div>
  );
}

/** Elements of a panel on which the cursor can be. */
const elementsOf = (board: HTMLElement | null, panel: PanelName): HTMLElement[] => [
  ...(board?.querySelectorAll<HTMLElement>(`[data-panel=${panel}] [data-item]`) ?? []),
];

/** Panels drawn as a chart, which has one focus for all its columns. */
const drawn: ReadonlySet<PanelName> = new Set(["flow", "minutes"]);
const isAcross = (panel: PanelName, asTable: boolean) => panel === "figures" || (charts.has(panel) && !asTable);

/** `from` had the focus when the screen was opened. */
function Board({ board, stale, from, steps }: { board: Dashboard; stale: boolean; from: Element | null; steps: FirstStepsNow }) {
  const t = useText();
  const kit = useKit();
  const formats = useFormats();
  const { currency } = useSignedIn();
  const { rightToLeft } = useContextState();
  const [panel, setPanel] = useState<PanelName>("figures");
  const [lane, setLane] = useState<Lane>("withdrawals");
  const [cursors, setCursors] = useState<Readonly<Partial<Record<PanelName, Cursor>>>>({});
  const [asTable, setAsTable] = useState(false);
  const hour = hourOf(board.as_of, formats.zone);

  const items = useMemo(
    () =>
      Object.fromEntries(panelNames.map((name) => [name, itemsOf(board, name, { t, lane, hour })])) as Record<PanelName, readonly Item[]>, // one entry for every name
    [board, t, lane, hour],
  );
  // until it is moved, the cursor of a chart is on the current hour
  const at = (name: PanelName) => placeOf(items[name], cursors[name] ?? (drawn.has(name) ? { id: String(hour), at: hour } : undefined));
  const place = at(panel);
  const item = items[panel][place];

  const paneRef = useRef<HTMLElement>(null);
  const pick = useCallback(
    (name: PanelName, to: number) => {
      const id = items[name][to]?.id;
      if (id !== undefined) setCursors((before) => ({ ...before, [name]: { id, at: to } }));
    },
    [items],
  );

  const last = items[panel].length - 1;
  const desk = useMemo(
    (): BoardDesk => ({
      move(motion) {
        const across = isAcross(panel, asTable);
        if (panel === "flow" && across && (motion === "up" || motion === "down")) {
          setLane(motion === "up" ? "deposits" : "withdrawals");
          return;
        }
        const by = step(motion, across, rightToLeft);
        const to = by === "first" ? 0 : by === "last" ? last : Math.min(last, Math.max(0, place + by));
        if (drawn.has(panel) && across) pick(panel, to);
        else elementsOf(paneRef.current, panel)[to]?.focus();
      },
      behind: () => item?.behind ?? null,
      refusal() {
        if (item === undefined) return "dashboard.refuse.nothing";
        const { screen } = item.behind;
        const go = kit.registry.get(`go.${screen}`);
        const verdict = go === undefined ? null : kit.registry.judge(go, { ...kit.context.read({ pane: "latest" }), dialog: null });
        if (verdict?.state === "ready") return null;
        const reason = verdict !== null && "reason" in verdict ? verdict.reason : undefined;
        return reason ?? { key: "dashboard.refuse.not-built", words: { screen: t(`screen.${screen}`) } };
      },
      toggleTables: () => setAsTable((before) => !before),
    }),
    [kit, t, panel, asTable, rightToLeft, place, last, item, pick],
  );
  const name = item === undefined ? t(panelTitle(panel)) : `${t(panelTitle(panel))} · ${item.name}`;
  const notes = JSON.stringify(item?.notes ?? []);
  const figures = useMemo(() => JSON.parse(notes) as string[], [notes]); // written a line above
  const aim = useMemo(() => ({ id: null, note: name }), [name]);
  usePane(paneRef, {
    id: "dashboard.board",
    scopes: paneScopes,
    ...withoutRows,
    aim,
    figures,
    board: desk,
  });

  // a refetch may redraw or remove the focused element; then the cursor stays in its panel
  const isOurs = useRef(false);
  const focused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (!isOurs.current || focused.current?.isConnected === true) return;
    const elements = elementsOf(paneRef.current, panel);
    (elements[drawn.has(panel) && !asTable ? 0 : place] ?? elements[0] ?? paneRef.current)?.focus();
  });

  // the focus starts on the figures, unless the user has moved it while they were loading
  useEffect(() => {
    if ([from, document.body].includes(document.activeElement)) elementsOf(paneRef.current, "figures")[0]?.focus();
  }, [from]);

  const chart = (one: PanelName) => ({ board, hour, items: items[one], at: at(one), asTable, onPick: (to: number) => pick(one, to) });
  return (
    <div className="entity dashboard">
      <Pane name="filters" as="div" className="views-pane">
        <div className="views">
          <b className="day">{t("dashboard.today")}</b>
          <span className="chip">
            <bdi>
              {board.day}, {formats.zoneText}
            </bdi>
          </span>
          <span className="t3 opt">{t("dashboard.against")}</span>
          <span className="grow" />
          {steps.isUnderWay && <CommandButton id="first-steps.show" look="bare" />}
          <AsOf instant={board.as_of} stale={stale} />
          <CommandButton id="dashboard.as-table" look="bare">
            {asTable ? t("dashboard.as-charts") : t("command.dashboard.as-table.short")}
          </CommandButton>
          <CommandButton id="dashboard.open-behind" look="bare">
            {t("command.dashboard.open-behind.short")}
          </CommandButton>
        </div>
      </Pane>
      <Pane name="list" innerRef={paneRef} className="board-pane" label={t("screen.dashboard")}>
        <div
          className="board"
          role="presentation"
          onFocus={({ target }) => {
            const inside = target.closest<HTMLElement>("[data-panel]")?.dataset["panel"];
            const one = panelNames.find((known) => known === inside);
            if (one === undefined) return;
            isOurs.current = true;
            focused.current = target;
            setPanel(one);
            if (!drawn.has(one) || asTable) pick(one, elementsOf(paneRef.current, one).indexOf(target));
          }}
          onBlur={({ relatedTarget }) => {
            // without a related target the element was removed, or the window lost the focus
            if (relatedTarget !== null) isOurs.current = false;
          }}
          onDoubleClick={({ target }) => {
            if (target instanceof Element && target.closest("[data-item]:not(.plot)")) kit.run("dashboard.open-behind", "button");
          }}
        >
          <Figures board={board} currency={currency?.code ?? ""} at={at("figures")} />
          <FlowPanel {...chart("flow")} />
          <MinutesPanel {...chart("minutes")} />
          <AgesPanel queue={board.queue} at={at("ages")} asTable={asTable} />
          <MerchantsPanel merchants={board.merchants} at={at("merchants")} />
          <AccountsPanel accounts={board.accounts} at={at("accounts")} />
          <CallbacksPanel callbacks={board.callbacks} at={at("callbacks")} />
          <OperatorsPanel operators={board.operators} at={at("operators")} />
        </div>
      </Pane>
    </div>
  );
}

/** ms after which a day that should have been refetched counts as old. */
const old = 90_000;

function AsOf({ instant, stale }: { instant: string; stale: boolean }) {
  const t = useText();
  const formats = useFormats();
  const { time } = useApi();
  useSecond();
  const age = time.now() - Date.parse(instant);
  const late = stale || age > old;
  return (
    <span className={late ? "as-of warn" : "as-of t3"} title={instantTitle(formats, instant, "part")}>
      {late && <Icon name="warn" size="xs" />}
      {t("dashboard.as-of", { time: `\u2068${formats.clock(instant)}\u2069`, age: `\u2068${spanText(age)}\u2069` })}
    </span>
  );
}
