import "./messages.css";
import { formatCount } from "../../../values/counts.ts";
import { CommandKey } from "../look/command-button.tsx";
import type { ReactNode } from "react";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Context, OpenDialog, PaneState } from "../commands/context.ts";
import { Icon } from "../look/icon.tsx";
import { KeyCap } from "../keys/key-cap.tsx";
import type { MessageKey } from "../texts/messages.ts";
import type { Undo } from "../commands/services.ts";
import { StrongEnd } from "../look/strong-end.tsx";
import { shortName, useText } from "../texts/texts.ts";
import { usefulKeys } from "../keys/useful-keys.ts";
import { useKit, useRejudge, useStore, useStorePart } from "../use-kit.ts";

/** ms for which a message is shown. */
const saidFor = 6000;

/** Dialogs that the bar names; any other is a menu to it. */
const known = [
  "palette",
  "help",
  "messages",
  "reason",
  "money",
  "confirm",
  "choice",
  "bulk",
  "text",
  "form",
  "payout",
  "receipt",
  "secret",
  "menu",
] as const;
type Mode = (typeof known)[number] | "list" | "detail" | "header" | "queue" | "typing" | "picture" | "page";

function modeOf(context: Context): Mode {
  const dialog = known.find((name) => name === context.dialog?.name);
  if (dialog !== undefined) return dialog;
  if (context.dialog !== null) return "menu";
  if (context.typing) return "typing";
  const { pane } = context;
  if (pane?.queue?.active === true) return "queue";
  if (pane?.grid?.inHeader() === true) return "header";
  if (pane === null) return "page";
  if (pane.scopes.includes("grid")) return "list";
  if (pane.scopes.includes("picture")) return "picture";
  return pane.subject === null ? "page" : "detail";
}

/** Mode, target of the next key, undo, useful keys, position, live state and figures of the selection. */
export function StatusBar({ live }: { live?: ReactNode }) {
  const t = useText();
  const { context: store, palette } = useKit();
  useStore(store);
  const frozen = useStorePart(palette, "context");
  // the focused pane rather than the last one, because the bar names what the next key acts on
  const context = store.read();
  const mode = modeOf(context);
  const pane = frozen === null ? context.pane : frozen.pane;
  return (
    <footer className="stat" aria-label={t("bar.status")}>
      <span className={mode === "queue" || mode === "palette" ? "mode queue" : "mode"}>{t(`mode.${mode}`)}</span>
      {context.dialog?.aimless === true ? null : <Target pane={pane} />}
      <UndoCountdown />
      <span className="keys grow">
        <Said />
        <Keys context={context} mode={mode} />
      </span>
      <Offers />
      {pane?.place != null && (
        <span className="opt">
          {pane.place.of === null
            ? t("bar.row-of-unknown", { row: formatCount(pane.place.row) })
            : t("bar.row", { row: formatCount(pane.place.row), of: formatCount(pane.place.of) })}
        </span>
      )}
      {live}
      <Figures pane={pane} />
    </footer>
  );
}

/** Slot for offers, beside the keys and never over them. */
function Offers() {
  const { offers } = useKit();
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    offers.set(place.current);
    return () => offers.set(null);
  }, [offers]);
  return <span className="offers" ref={place} />;
}

/** For a range its size, count, sum and mean; for marked rows the screen's figures, if it has any, else the same. */
function Figures({ pane }: { pane: PaneState | null }) {
  const t = useText();
  const grid = pane?.grid ?? null;
  const subscribe = useCallback((listener: () => void) => grid?.onSelection(listener) ?? (() => {}), [grid]);
  const selection = useSyncExternalStore(subscribe, () => grid?.selection() ?? null);
  const said = pane?.figures ?? [];
  const own = (): readonly string[] => {
    if (selection === null || (selection.of === "marks" && pane?.marked.length === 0)) return [];
    const { rows, columns, figures } = selection;
    const size = selection.of === "range" ? [t("bar.selection.cells", { rows: formatCount(rows), columns })] : [];
    if (figures === null) return size;
    const { count, sum, mean } = figures;
    return [
      ...size,
      t("bar.selection.sum", { amount: sum }),
      ...(selection.of === "range" ? [t("bar.selection.count", { count })] : []),
      t("bar.selection.mean", { amount: mean }),
    ];
  };
  const shown = selection?.of === "range" || said.length === 0 ? own() : said;
  if (shown.length === 0) return null;
  return (
    <span className="opt">
      {shown.map((figure, at) => (
        <bdi key={figure} className={at === 0 ? "strong" : undefined}>
          {figure}
        </bdi>
      ))}
    </span>
  );
}

/** Always names what the next key acts on. */
function Target({ pane }: { pane: PaneState | null }) {
  const t = useText();
  if (pane === null) return null;
  if (pane.subject === null) return pane.aim?.note ? <PlainAim note={pane.aim.note} /> : null;
  const marked = pane.marked.length;
  if (marked > 0) {
    return (
      <span className="aim many">
        <Icon name="tick" size="xs" />
        {t("bar.marked", { count: marked })}
        {pane.aim?.note ? <Note note={pane.aim.note} /> : null}
      </span>
    );
  }
  if (pane.cursor === null) return <span className="t3">{t("bar.no-target")}</span>;
  return (
    <span className="aim">
      <Icon name="right" size="xs" flips />
      {pane.aim?.id != null && <StrongEnd id={pane.aim.id} />}
      {pane.aim?.note ? <Note note={pane.aim.note} /> : null}
    </span>
  );
}

/** The separating dot follows the page's direction, whatever the note's is. */
function Note({ note }: { note: string }) {
  return (
    <span className="note">
      · <bdi>{note}</bdi>
    </span>
  );
}

/** For a pane without records: an hour of a chart, a figure. */
function PlainAim({ note }: { note: string }) {
  return (
    <span className="aim">
      <Icon name="right" size="xs" flips />
      <bdi>{note}</bdi>
    </span>
  );
}

/** The newest act that can be undone, with the seconds left. */
function UndoCountdown() {
  const newest = useStore(useKit().undo).at(-1);
  return newest === undefined ? null : <Countdown key={newest.id} undo={newest} />;
}

function Countdown({ undo }: { undo: Undo }) {
  const t = useText();
  const [left, setLeft] = useState(() => undo.until - performance.now());
  const [whole] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setLeft(undo.until - performance.now()), 250);
    return () => clearInterval(timer);
  }, [undo]);
  return (
    <span className="undo" style={{ "--left": `${Math.max(0, whole)}ms` }}>
      {t(undo.text, undo.words)}
      <CommandKey id="console.undo" />
      {t("undo.undo")} <b>{t("undo.seconds", { count: Math.max(0, Math.ceil(left / 1000)) })}</b>
    </span>
  );
}

/** The last message, shown before the keys for a few seconds. */
function Said() {
  const { messages } = useKit();
  const newest = useStore(messages)[0];
  const [gone, setGone] = useState(0);
  const id = newest?.id ?? 0;
  useEffect(() => {
    const timer = setTimeout(() => setGone(id), saidFor);
    return () => clearTimeout(timer);
  }, [id]);
  if (newest === undefined || id === gone || newest.toast) return null;
  const tone = { plain: "said", done: "said pass", warn: "said warn", fail: "said fail" }[newest.tone];
  return (
    <span className={tone}>
      {newest.tone === "warn" || newest.tone === "fail" ? <Icon name="warn" size="xs" /> : null}
      {newest.text}
    </span>
  );
}

interface Hint {
  readonly chords: readonly string[];
  readonly key: MessageKey;
}

/** Keys while the palette asks a question or lists choices. */
const choosing: readonly Hint[] = [
  { chords: ["ArrowUp", "ArrowDown"], key: "hint.move" },
  { chords: ["Enter"], key: "hint.accept" },
  { chords: ["Escape"], key: "hint.back" },
];

const fixed: Readonly<Partial<Record<Mode, readonly Hint[]>>> = {
  // what Tab does, the palette says beside its modes or what it offers
  palette: [
    { chords: ["ArrowUp", "ArrowDown"], key: "hint.move" },
    { chords: ["Enter"], key: "hint.run" },
    { chords: ["Escape"], key: "hint.back" },
  ],
  typing: [
    { chords: ["Escape"], key: "hint.leave-field" },
    { chords: ["$mod+k"], key: "palette.title" },
  ],
};

function Keys({ context, mode }: { context: Context; mode: Mode }) {
  const t = useText();
  const { registry, palette } = useKit();
  const question = useStorePart(palette, "question");
  const page = useStorePart(palette, "page");
  const plain = context.dialog === null && mode !== "typing";
  const useful = plain ? usefulKeys(registry, context) : [];
  useRejudge(useful.some(({ ready }) => !ready) ? "again" : null);
  if (!plain) {
    const acts: OpenDialog["acts"] = context.dialog?.acts ?? {};
    const hints: readonly Hint[] = (question !== null || page !== null ? choosing : fixed[mode]) ?? [
      ...(acts.accept === undefined ? [] : [{ chords: ["Enter"], key: "hint.accept" } as const]),
      ...(acts.confirm === undefined || acts.accept !== undefined ? [] : [{ chords: ["$mod+Enter"], key: "hint.confirm" } as const]),
      ...(acts.close === undefined ? [] : [{ chords: ["Escape"], key: "hint.close" } as const]),
    ];
    return (
      <>
        {hints.map((hint) => (
          <span key={hint.key}>
            {hint.chords.map((chord) => (
              <KeyCap key={chord} chord={chord} />
            ))}
            {t(hint.key)}
          </span>
        ))}
        {mode === "typing" && <span className="t3 opt">{t("bar.typing")}</span>}
      </>
    );
  }
  return useful.map(({ command, ready }) => (
    <span key={command.id} className={ready ? undefined : "soon"}>
      {command.keys !== undefined && <KeyCap chord={command.keys[0]} />}
      {shortName(t, command.id)}
    </span>
  ));
}
