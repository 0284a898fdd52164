import { Command } from "cmdk";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Context, DialogAct } from "./context.ts";
import { normalise } from "./palette-ranking.ts";
import { Icon, screenIcons } from "./icon.tsx";
import type { IconName } from "./icon.tsx";
import { KeyCap } from "./key-cap.tsx";
import type { PaletteMode } from "./palette-modes.ts";
import { modes, prefixes, readMode, turnMode } from "./palette-modes.ts";
import { findResults, grouped } from "./palette-results.ts";
import type { GroupName, Result, ResultGroup } from "./palette-results.ts";
import { PaletteRow } from "./palette-row.tsx";
import type { FoundRecord, PaletteSources } from "./palette-store.ts";
import { commandName, commandWords, reasonText, useText } from "./texts.ts";
import { useDialog } from "./use-dialog.ts";
import { useFoundRecords } from "./use-found-records.ts";
import { useKit, useStore } from "./use-kit.ts";

/** Modes that need a source appear only with it. */
function offeredModes(sources: PaletteSources, context: Context | null): ReadonlySet<PaletteMode> {
  return new Set<PaletteMode>([
    "all",
    "row",
    "go",
    "keys",
    ...(sources.findInGrid === undefined ? [] : (["grid"] as const)),
    ...(sources.findAmount === undefined ? [] : (["amount"] as const)),
    ...(context?.pane?.views ? (["views"] as const) : []),
  ]);
}

const icons: Readonly<Record<GroupName, IconName>> = {
  recent: "clock",
  row: "right",
  commands: "right",
  screens: "right",
  tenants: "store",
  currencies: "account",
  languages: "info",
  keys: "keys",
};

/** Everything by name: commands, screens, tenants, records. */
export function PaletteBox() {
  const t = useText();
  const kit = useKit();
  const { palette, registry, services, sources } = kit;
  const { context, text: typed, page, openedOn } = useStore(palette);
  const offered = useMemo(() => offeredModes(sources, context), [sources, context]);
  const { mode, text } = page === null ? readMode(typed, offered) : { mode: "all" as const, text: typed };
  const input = useRef<HTMLInputElement>(null);
  const [selected, setSelected] = useState("");

  const found = useMemo(() => {
    if (context === null) return { results: [], total: 0, ms: 0 };
    const offer = {
      registry,
      context,
      recent: palette.recent(),
      nameOf: ({ id }: { id: string }) => commandName(t, id),
      wordsOf: ({ id }: { id: string }) => commandWords(t, id),
      entriesOf: (of: "tenant" | "currency" | "language") =>
        ({ tenant: sources.tenants, currency: sources.currencies, language: sources.languages })[of]?.() ?? [],
    };
    return findResults(offer, mode, page, text);
  }, [context, registry, palette, sources, t, mode, page, text]);

  const records = useFoundRecords(
    mode === "amount" ? sources.findAmount : sources.findRecords,
    page === null && (mode === "all" || mode === "amount") ? text : "",
  );
  // a pasted id and Enter, faster than the answer: it is opened when it comes
  const [awaited, setAwaited] = useState<string | null>(null);
  const views = mode === "views" ? (context?.pane?.views?.slots ?? []).filter(({ name }) => normalise(name).includes(normalise(text))) : [];

  const close = (): void => palette.close();
  const back = (): void => (page !== null && page !== openedOn ? palette.setPage(null) : close());
  const acts: Partial<Record<DialogAct, () => void>> = {
    close: back,
    toggle: close,
    confirm: openBeside,
    next: () => page === null && palette.setText(turnMode(mode, text, offered, 1)),
    previous: () => page === null && palette.setText(turnMode(mode, text, offered, -1)),
    ...(typed === "" && page !== null ? { back: () => palette.setPage(null) } : {}),
  };
  const release = useDialog({ name: "palette", acts }, input);

  /** A screen or a record beside the present one (keyboard.md 1). */
  function openBeside(): void {
    const record = records.found.find(({ id }) => `record ${id}` === selected);
    const screen = found.results.find(({ id, verdict }) => id === selected && verdict?.state === "ready")?.command?.leadsTo;
    if (record !== undefined) leaveAnd(() => services.shell.splitScreen(record.screen, { ...record.search }));
    else if (screen !== undefined) leaveAnd(() => services.shell.splitScreen(screen));
  }

  /** Out of the way first, so that what the act does to the focus stays. */
  function leaveAnd(act: () => void): void {
    palette.close();
    release();
    act();
  }

  function pick(result: Result): void {
    const { command, entry, verdict } = result;
    if (command !== undefined && context !== null && verdict?.state !== "ready") {
      void registry.run(command.id, "palette", context);
      return;
    }
    if (command !== undefined && context !== null)
      leaveAnd(() => void registry.run(command.id, "palette", { ...context, now: performance.now() }));
    if (entry === undefined) return;
    if (result.group === "tenants") leaveAnd(() => void services.shell.switchTenant(entry.id));
    else if (result.group === "currencies") leaveAnd(() => void services.shell.switchCurrency(entry.id));
    else leaveAnd(() => services.shell.setLanguage(entry.id));
  }

  const pickRecord = (record: FoundRecord): void => leaveAnd(() => services.go(record.screen, { ...record.search }));
  const first = records.found[0];
  const isAwaited = awaited !== null && awaited === text.trim() && !records.searching;
  useEffect(() => {
    if (isAwaited && first !== undefined) pickRecord(first);
  });
  const shown = found.results.length + records.found.length + views.length;

  const groups = grouped(found.results);
  // Records stand after the thing itself and after what the row offers.
  const after = groups.findIndex((group) => group.tier !== 0 && !(group.group === "row" && group.tier === 1) && group.group !== "recent");
  const leading = groups.slice(0, after === -1 ? groups.length : after);
  const groupOf = ({ group, results }: ResultGroup) => (
    <Command.Group key={group} heading={<Heading title={groupTitle(group)} count={results.length} />}>
      {results.map((result) => (
        <ResultRow key={result.id} result={result} text={text} onSelect={() => pick(result)} />
      ))}
    </Command.Group>
  );

  return (
    <div data-overlay="">
      <button type="button" className="veil" tabIndex={-1} aria-label={t("sheet.close")} onClick={close} />
      <Command
        className="pal"
        shouldFilter={false}
        vimBindings={false}
        loop
        value={selected}
        onValueChange={setSelected}
        label={t("palette.title")}
        role="dialog"
        aria-label={t("palette.title")}
      >
        <div className="in">
          <Icon name="find" />
          <Command.Input
            ref={input}
            value={typed}
            onValueChange={palette.setText}
            placeholder={page === null ? t("palette.placeholder") : t(`palette.page.${page}`)}
          />
          <span className="label">{t("palette.found", { count: found.total, shown, ms: found.ms })}</span>
          <KeyCap chord="Escape" />
        </div>
        {page === null && <Modes mode={mode} text={text} offered={offered} />}
        <Command.List label={t("palette.title")}>
          {leading.map(groupOf)}
          {records.searching && looksLikeId(text) && (
            <PaletteRow
              id="open-when-found"
              name={t("palette.open-when-found", { text: text.trim() })}
              text={text}
              icon="find"
              onSelect={() => setAwaited(text.trim())}
            />
          )}
          {records.found.length > 0 && !(records.searching && looksLikeId(text)) && (
            <Command.Group heading={<Heading title={t("palette.group.records")} count={records.found.length} />}>
              {records.found.map((record) => (
                <PaletteRow
                  key={record.id}
                  id={`record ${record.id}`}
                  name={record.name}
                  text={text}
                  icon={record.icon ?? screenIcons[record.screen]}
                  note={record.note}
                  end={record.end}
                  onSelect={() => pickRecord(record)}
                />
              ))}
            </Command.Group>
          )}
          {groups.slice(leading.length).map(groupOf)}
          {views.length > 0 && (
            <Command.Group heading={<Heading title={t("palette.group.views")} count={views.length} />}>
              {views.map((view) => (
                <PaletteRow
                  key={view.id}
                  id={`view ${view.id}`}
                  name={view.name}
                  text={text}
                  icon="filter"
                  note={view.saved === null ? undefined : t(view.saved.shared ? "view.shared" : "view.private")}
                  end={view.digit === null ? undefined : <KeyCap chord={String(view.digit)} />}
                  onSelect={() => leaveAnd(() => context?.pane?.views?.pick(view.id))}
                />
              ))}
            </Command.Group>
          )}
          {mode === "grid" && text !== "" && (
            <PaletteRow
              id="find-in-grid"
              name={t("palette.find-in-grid", { text })}
              text=""
              icon="find"
              onSelect={() => leaveAnd(() => sources.findInGrid?.(text))}
            />
          )}
          {shown === 0 && mode !== "grid" && !records.searching && (
            <p className="none">{mode === "row" && text === "" ? t("palette.empty-row") : t("palette.empty", { text: text.trim() })}</p>
          )}
          {records.searching && <p className="none">{t("palette.searching")}</p>}
          {records.failed && <p className="none fail">{t("palette.search-failed")}</p>}
        </Command.List>
        <div className="ft">
          <span>
            <span className="kk">
              <KeyCap chord="ArrowUp" />
              <KeyCap chord="ArrowDown" />
            </span>
            {t("hint.move")}
          </span>
          <span>
            <KeyCap chord="Enter" />
            {t("hint.run")}
          </span>
          {page === null && (
            <span>
              <KeyCap chord="$mod+Enter" />
              {t("hint.beside")}
            </span>
          )}
          {page !== null && (
            <span>
              <KeyCap chord="Backspace" />
              {t("hint.back")}
            </span>
          )}
          <span className="end t3">
            {t("palette.rights")}
            {context?.currency != null && <bdi>· {context.currency}</bdi>}
          </span>
        </div>
      </Command>
    </div>
  );

  function groupTitle(group: GroupName): string {
    const pane = context?.pane ?? null;
    if (group !== "row") return t(`palette.group.${group}`);
    if (pane !== null && pane.marked.length > 0) return t("palette.group.rows", { count: pane.marked.length });
    return pane?.aim?.id == null ? t("palette.group.commands") : t("palette.group.row", { target: pane.aim.id });
  }
}

/** A number with its prefix or its last digits, or a uuid; not words. */
const looksLikeId = (text: string): boolean => /^\s*([a-z]{0,3}\d[\d-]{5,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})\s*$/i.test(text);

function Heading({ title, count }: { title: string; count: number }) {
  return (
    <>
      <span>{title}</span>
      <em>{count}</em>
    </>
  );
}

function ResultRow({ result, text, onSelect }: { result: Result; text: string; onSelect: () => void }) {
  const t = useText();
  const { command, verdict, entry } = result;
  const icon = command?.leadsTo !== undefined ? screenIcons[command.leadsTo] : (entry?.icon ?? icons[result.group]);
  const reason = verdict === undefined || verdict.state === "ready" ? undefined : verdict.reason;
  const end =
    reason !== undefined ? (
      t("palette.not-now")
    ) : entry !== undefined ? (
      <>
        {entry.end}
        {entry.current === true && <span className="tag">{t("palette.current")}</span>}
      </>
    ) : (
      command?.keys !== undefined && <KeyCap chord={command.keys[0]} />
    );
  return (
    <PaletteRow
      id={result.id}
      name={result.name}
      text={text}
      icon={icon}
      note={reason === undefined ? entry?.note : reasonText(t, reason)}
      end={end}
      refused={reason !== undefined}
      onSelect={onSelect}
    />
  );
}

function Modes({ mode, text, offered }: { mode: PaletteMode; text: string; offered: ReadonlySet<PaletteMode> }) {
  const t = useText();
  const { palette } = useKit();
  return (
    <div className="modes" role="group" aria-label={t("palette.modes")}>
      {modes
        .filter((name) => offered.has(name))
        .map((name) => (
          <button
            key={name}
            type="button"
            tabIndex={-1}
            className={name === mode ? "on" : undefined}
            aria-pressed={name === mode}
            onClick={() => palette.setText(prefixes[name] + text)}
          >
            {prefixes[name] !== "" && <kbd>{prefixes[name]}</kbd>}
            {t(`palette.mode.${name}`)}
          </button>
        ))}
      <span className="end">
        <KeyCap chord="Tab" />
        {t("hint.next-mode")}
      </span>
    </div>
  );
}
