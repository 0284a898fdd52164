import "./practice.css";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { shownAmount } from "../../kit/look/amounts.ts";
import { ChordPopUp } from "../../kit/messages/chord-pop-up.tsx";
import { CommandButton } from "../../kit/look/command-button.tsx";
import type { PaneState } from "../../kit/commands/context.ts";
import { Grid } from "../../kit/grid/grid.tsx";
import type { GridHandle } from "../../kit/commands/grid-handle.ts";
import { LiveRegion } from "../../kit/messages/live-region.tsx";
import { Pane } from "../../kit/panes/panes.tsx";
import { Sheets } from "../../kit/sheets/sheets.tsx";
import { StatusBar } from "../../kit/messages/status-bar.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { KitContext, useKit, useStore } from "../../kit/use-kit.ts";
import { usePane } from "../../kit/panes/use-pane.ts";
import type { OwnKeys } from "../own-keys.ts";
import type { FakeWithdrawal } from "./fake-withdrawals.ts";
import { PracticeDetail } from "./practice-detail.tsx";
import { createPracticeKit } from "./practice-kit.ts";
import { practiceColumns } from "./practice-columns.ts";
import { PracticeResult } from "./practice-result.tsx";
import { PracticeRun } from "./practice-run.ts";

/** Twenty fake withdrawals over the whole page, decided with the user's own keys. */
export function Practice({ ownKeys }: { ownKeys: OwnKeys }) {
  const { kit } = ownKeys;
  const [round, setRound] = useState(0);
  const place = useRef<HTMLDivElement>(null);

  // the page behind is inert, and gets the focus back afterwards
  useEffect(() => {
    const before = document.activeElement;
    const own = place.current;
    const others = [...(own?.parentElement?.children ?? [])].filter((other) => other !== own && !other.hasAttribute("inert"));
    for (const other of others) other.setAttribute("inert", "");
    return () => {
      for (const other of others) other.removeAttribute("inert");
      if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus();
      kit.keepFocus();
    };
  }, [kit]);

  return (
    <div ref={place} className="practice-place">
      <Round key={round} ownKeys={ownKeys} onAgain={() => setRound(round + 1)} />
    </div>
  );
}

/** Records that practice was offered only when it is left, because nothing is sent while it runs; it is not offered again. */
function leave({ kit, preferences }: OwnKeys): void {
  kit.sheet.set(null);
  if (!preferences.store.getState().preferences.practised) preferences.set({ practised: true });
}

/** Keys that do not count as a press: Esc, and modifiers held with another key. */
const unpressed: readonly string[] = ["Escape", "Control", "Shift", "Alt", "Meta"];

function Round({ ownKeys, onAgain }: { ownKeys: OwnKeys; onAgain: () => void }) {
  const [run] = useState(() => new PracticeRun(ownKeys.rules()));
  const [practice] = useState(() => createPracticeKit(ownKeys.kit, run, () => leave(ownKeys)));

  // runs before the grid takes the focus, so that its pane is known to have it
  useLayoutEffect(() => {
    const stops = [
      ownKeys.kit.keys.capture((event) => {
        if (!event.repeat && !unpressed.includes(event.key)) run.pressed();
        return practice.keys.press(event);
      }),
      practice.context.follow(document),
    ];
    return () => {
      stops.forEach((stop) => stop());
      practice.keys.lapse();
      practice.undo.clear();
    };
  }, [ownKeys, practice, run]);

  return (
    <KitContext value={practice}>
      <Table run={run} ownKeys={ownKeys} onAgain={onAgain} />
      <ChordPopUp />
      <Sheets />
      <LiveRegion />
    </KitContext>
  );
}

const scopes: PaneState["scopes"] = ["pane", "grid"];
const none: readonly never[] = [];
const nothing = (): void => undefined;
/** A queue in name only: its keys are the practice queue's own commands. */
const queue: PaneState["queue"] = { active: true, enter: nothing, leave: nothing, endBy: (act) => act(), next: nothing, previous: nothing };

function Table({ run, ownKeys, onAgain }: { run: PracticeRun; ownKeys: OwnKeys; onAgain: () => void }) {
  const t = useText();
  const { current, decided, endedAt } = useStore(run);
  const { context } = useKit();
  const grid = useRef<GridHandle<FakeWithdrawal>>(null);
  const list = useRef<HTMLElement>(null);
  const pane = usePane(list, {
    id: "practice.list",
    scopes,
    subject: null,
    cursor: null,
    marked: none,
    grid: null,
    queue,
    detail: null,
  });
  const columns = useMemo(() => practiceColumns(), []);

  useEffect(() => {
    pane.publish({ grid: grid.current });
    grid.current?.focus();
  }, [pane]);
  // the run moves on by itself, and the cursor follows
  useEffect(() => {
    if (current === null) return;
    if (grid.current?.cursorRow()?.uuid !== current.uuid) grid.current?.scrollToId(current.uuid);
    pane.publish({ aim: { id: current.txn_no, note: `${shownAmount(current.amount)} ${context.read().currency ?? ""}` } });
  }, [current, pane, context]);

  return (
    <div className="practice" role="dialog" aria-modal="true" aria-label={t("practice.title")}>
      <header className="practice-head">
        <h1>{t("practice.title")}</h1>
        <p className="grow cut t2">{t("practice.lesson")}</p>
        <Figures run={run} />
        <CommandButton id="console.escape">{t("practice.leave")}</CommandButton>
      </header>
      <div className="practice-body">
        <Pane name="list" innerRef={list} className="list-pane" label={t("practice.title")}>
          <Grid
            source={run.source}
            columns={columns}
            label={t("practice.title")}
            handleRef={grid}
            marks={false}
            dim={isDecided}
            onCursor={(row) => run.look(row)}
          />
        </Pane>
        {endedAt === null ? <PracticeDetail row={current} /> : <PracticeResult run={run} best={ownKeys.best} onAgain={onAgain} />}
      </div>
      <span className="sr" role="status">
        {t("practice.decided", { count: decided, of: run.total })}
      </span>
      <StatusBar />
    </div>
  );
}

const isDecided = (row: FakeWithdrawal): boolean => row.status !== "process";

/** The score so far. */
function Figures({ run }: { run: PracticeRun }) {
  const t = useText();
  useStore(run);
  useEverySecond();
  const { decided, seconds, over, wrong } = run.result();
  return (
    <dl className="practice-figures">
      <div>
        <dt>{t("practice.figure.decided")}</dt>
        <dd>
          <bdi>
            {decided} / {run.total}
          </bdi>
        </dd>
      </div>
      <div>
        <dt>{t("practice.figure.seconds")}</dt>
        <dd>{seconds}</dd>
      </div>
      <div>
        <dt>{t("practice.figure.over")}</dt>
        <dd>{over}</dd>
      </div>
      <div>
        <dt>{t("practice.figure.wrong")}</dt>
        <dd className={wrong > 0 ? "fail" : undefined}>{wrong}</dd>
      </div>
    </dl>
  );
}

function useEverySecond(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
}
