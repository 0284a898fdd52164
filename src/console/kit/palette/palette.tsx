import { Command } from "cmdk";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { subjectOf } from "../commands/context.ts";
import type { Context, DialogAct } from "../commands/context.ts";
import { screenIcons } from "../look/icon.tsx";
import { KeyCap } from "../keys/key-cap.tsx";
import type { Completion } from "../query/complete.ts";
import { noteOf } from "../query/complete.ts";
import { PaletteAsk } from "./palette-ask.tsx";
import type { UsedRecord } from "./palette-frecency.ts";
import { usePaletteDialog } from "./palette-dialog.ts";
import { PaletteFrame, PaletteHeading, useSelectedRow } from "./palette-frame.tsx";
import { Foot, Modes, ResultRow } from "./palette-list.tsx";
import type { PaletteMode } from "./palette-modes.ts";
import { readMode, turnMode } from "./palette-modes.ts";
import { normalise } from "./palette-ranking.ts";
import { countOf, cut, finder, grouped, mayName } from "./palette-results.ts";
import type { CutGroup, GroupName, Result } from "./palette-results.ts";
import { PaletteRow } from "./palette-row.tsx";
import { runFromPalette } from "./palette-run.ts";
import type { FoundRecord, PaletteSources } from "./palette-store.ts";
import { commandName, commandWords, englishName, useText } from "../texts/texts.ts";
import { useCompletions } from "./use-completions.ts";
import { useFoundRecords } from "./use-found-records.ts";
import { useKit, useStore, useStorePart } from "../use-kit.ts";

/** Modes that need a source, or a grid in view, are offered only with it. */
function offeredModes(sources: PaletteSources, context: Context | null): ReadonlySet<PaletteMode> {
  return new Set<PaletteMode>([
    "all",
    "row",
    "go",
    "keys",
    ...(context?.pane?.grid ? (["grid"] as const) : []),
    ...(sources.findAmount === undefined ? [] : (["amount"] as const)),
    ...(context?.pane?.views ? (["views"] as const) : []),
  ]);
}

/** Value of the row that stands for a record still being searched. */
const openWhenFound = "open-when-found";
/** Value of the row that finds the text in the grid. */
const findInGrid = "find-in-grid";
/** One element, so that the row it is on need not be drawn anew. */
const tab = <KeyCap chord="Tab" />;

// ids without blanks at their ends, because the library takes those off
const offerId = ({ text }: Completion): string => `offer ${text}`.trim();
const recordId = ({ id }: FoundRecord): string => `record ${id}`.trim();
const idsOf = (groups: readonly CutGroup[]): string[] => groups.flatMap(({ results }) => results.map(({ id }) => id));
const viewId = ({ id }: { readonly id: string }): string => `view ${id}`;

/** Most recently opened records shown before anything is typed. */
const mostRecalled = 5;

/** Records opened from the palette in this tenant and currency, the most used first. */
function recalled(sources: PaletteSources, records: readonly UsedRecord[], context: Context): FoundRecord[] {
  return records
    .filter(({ tenant, currency }) => tenant === context.tenant && currency === context.currency)
    .slice(0, mostRecalled)
    .flatMap((record) => sources.recall?.(record) ?? []);
}

/** Finds commands, screens, tenants and records by name; or shows the question of a command started here. */
export function PaletteBox() {
  const { palette } = useKit();
  const question = useStorePart(palette, "question");
  return question === null ? <PaletteList /> : <PaletteAsk page={question} />;
}

function PaletteList() {
  const t = useText();
  const kit = useKit();
  const { palette, registry, services, sources } = kit;
  const { context, text: typed, page, behind } = useStore(palette);
  const offered = useMemo(() => offeredModes(sources, context), [sources, context]);
  const { mode, text } = page === null ? readMode(typed, offered) : { mode: "all" as const, text: typed };
  const input = useRef<HTMLInputElement>(null);

  const { find, opened } = useMemo(() => {
    if (context === null) return { find: null, opened: [] };
    const { weightOf, records } = palette.remembered();
    return {
      opened: recalled(sources, records, context),
      find: finder({
        registry,
        context,
        weightOf,
        nameOf: ({ id }) => commandName(t, id, subjectOf(context)),
        wordsOf: ({ id }) => commandWords(t, id),
        englishOf: ({ id }) => englishName(id),
        entriesOf: (of) => ({ tenant: sources.tenants, currency: sources.currencies, language: sources.languages })[of]?.() ?? [],
      }),
    };
  }, [context, registry, palette, sources, t]);
  const found = useMemo(() => find?.(mode, page, text) ?? { results: [], total: 0, ms: 0 }, [find, mode, page, text]);

  const searched = useFoundRecords(
    mode === "amount" ? sources.findAmount : sources.findRecords,
    page === null && (mode === "all" || mode === "amount") ? text : "",
  );
  const isBlank = page === null && mode === "all" && text === "";
  const { isLine, offers, take, write } = useCompletions(
    page === null && mode === "all" ? sources.completions : undefined,
    typed,
    input,
    palette.setText,
  );
  const answered = isBlank ? { found: opened, searching: false, failed: false } : searched;
  // what was found by a name is not offered as what a line finds
  const isOther = isLine && answered.searching && answered.found[0]?.line !== true;
  const records = isOther ? { ...answered, found: [] } : answered;
  const awaitsFind = records.searching && mode === "all" && (isLine ? records.found.length === 0 : mayName(text, found.results));
  // a pasted id or code with Enter before the answer: the record opens when it is found
  const [awaited, setAwaited] = useState<{ readonly text: string; readonly beside: boolean } | null>(null);
  const views = mode === "views" ? (context?.pane?.views?.slots ?? []).filter(({ name }) => normalise(name).includes(normalise(text))) : [];

  // only rows that fit the window, and more while scrolling, because each row costs time at every key
  const [grown, setGrown] = useState({ typed: "", limit: 0 });
  const limit = Math.max(grown.typed === typed ? grown.limit : 0, rowsInView());
  const shown = found.results.length + records.found.length + views.length + offers.length;

  const groups = grouped(found.results);
  // records come after exact matches and the row's commands
  const after = groups.findIndex((group) => group.tier !== 0 && !(group.group === "row" && group.tier === 1) && group.group !== "recent");
  const lead = after === -1 ? groups.length : after;
  const recordsShown = records.found.length > 0 && !awaitsFind;
  const before = cut(groups.slice(0, lead), limit);
  const recordsCut = recordsShown ? records.found.slice(0, Math.max(0, limit - countOf(before))) : [];
  const behindRecords = cut(groups.slice(lead), limit - countOf(before) - recordsCut.length);
  const findsInGrid = mode === "grid" && text !== "";
  // in the order in which they are drawn; one left out would look selected, but Tab and screen readers would not know of it
  const ids = [
    ...idsOf(before),
    ...(awaitsFind ? [openWhenFound] : []),
    ...recordsCut.map(recordId),
    ...offers.map(offerId),
    ...idsOf(behindRecords),
    ...views.map(viewId),
    ...(findsInGrid ? [findInGrid] : []),
  ];
  const [selected, setSelected] = useSelectedRow(ids, typed);

  const chosenOffer = offers.find((offer) => offerId(offer) === selected);

  const close = (): void => palette.close();
  const acts: Partial<Record<DialogAct, () => void>> = {
    close: page === null ? close : palette.back,
    toggle: close,
    confirm: openBeside,
    next: () =>
      offers[0] === undefined ? page === null && palette.setText(turnMode(mode, text, offered, 1)) : take(chosenOffer ?? offers[0]),
    previous: () => page === null && palette.setText(turnMode(mode, text, offered, -1)),
    ...(typed === "" && page !== null ? { back: palette.back } : {}),
  };
  const release = usePaletteDialog(acts, input);

  /** Opens a screen or record beside the current one. */
  function openBeside(): void {
    if (selected === openWhenFound) return setAwaited({ text: text.trim(), beside: true });
    const record = records.found.find((one) => recordId(one) === selected);
    const screen = found.results.find(({ id, verdict }) => id === selected && verdict?.state === "ready")?.command?.leadsTo;
    if (record !== undefined) pickRecord(record, true);
    else if (screen !== undefined) leaveAnd(() => services.shell.splitScreen(screen));
  }

  /** Closes the palette first, so that the act can move the focus. */
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
    if (command !== undefined && context !== null) leaveAnd(() => void runFromPalette(kit, command.id, context, typed));
    if (entry === undefined) return;
    if (result.group === "tenants") leaveAnd(() => void services.shell.switchTenant(entry.id));
    else if (result.group === "currencies") leaveAnd(() => void services.shell.switchCurrency(entry.id));
    else leaveAnd(() => services.shell.setLanguage(entry.id));
  }

  function pickRecord(record: FoundRecord, beside: boolean): void {
    // the answer in view is to the line as it was
    if (isLine && record.line === true && records.searching) return setAwaited({ text: text.trim(), beside });
    if (record.refused === true) return;
    if (record.list !== true) palette.usedRecord(record);
    const { splitScreen } = services.shell;
    leaveAnd(() =>
      (beside ? splitScreen : services.go)(record.screen, { ...(record.params && { params: record.params }), search: record.search }),
    );
  }
  /** The act of the row with that value. */
  function pickRow(id: string): void {
    const result = found.results.find((one) => one.id === id);
    const record = records.found.find((one) => recordId(one) === id);
    const offer = offers.find((one) => offerId(one) === id);
    const view = views.find((one) => viewId(one) === id);
    if (id === openWhenFound) setAwaited({ text: text.trim(), beside: false });
    else if (id === findInGrid) leaveAnd(() => context?.pane?.grid?.find(text));
    else if (result !== undefined) pick(result);
    else if (record !== undefined) pickRecord(record, false);
    else if (offer !== undefined) take(offer);
    else if (view !== undefined) leaveAnd(() => context?.pane?.views?.pick(view.id));
  }
  const latestPick = useRef(pickRow);
  useLayoutEffect(() => {
    latestPick.current = pickRow;
  });
  const onSelect = useCallback((id: string) => latestPick.current(id), []);

  const first = records.found[0];
  const isAwaited = awaited?.text === text.trim() && !records.searching;
  useEffect(() => {
    if (isAwaited && first !== undefined) pickRecord(first, awaited.beside);
  });
  // keyed by position, because changing a row's text is much cheaper than creating a row
  const groupOf = ({ group, results, count }: CutGroup) => (
    <Command.Group key={group} heading={<PaletteHeading title={groupTitle(group)} count={count} />}>
      {results.map((result, at) => (
        <ResultRow key={at} t={t} result={result} text={text} onSelect={onSelect} />
      ))}
    </Command.Group>
  );

  return (
    <PaletteFrame
      label={t("palette.title")}
      placeholder={page === null ? t("palette.placeholder") : t(`palette.page.${page}`)}
      input={input}
      text={typed}
      count={t("palette.found", { count: found.total, shown, ms: found.ms })}
      head={page === null && <Modes mode={mode} offered={offered} turns={offers.length === 0} />}
      selected={selected}
      steady
      onText={write}
      onSelected={setSelected}
      onLeave={close}
      onNearEnd={() => setGrown({ typed, limit: limit + 50 })}
      foot={<Foot isPage={page !== null} goesBack={behind !== null} currency={context?.currency ?? null} />}
      notes={
        <>
          {shown === 0 && mode !== "grid" && !records.searching && (
            <p className="none">{mode === "row" && text === "" ? t("palette.empty-row") : t("palette.empty", { text: text.trim() })}</p>
          )}
          {records.searching && <p className="none">{t("palette.searching")}</p>}
          {records.failed && <p className="none fail">{t("palette.search-failed")}</p>}
        </>
      }
    >
      {before.map(groupOf)}
      {awaitsFind && (
        <PaletteRow
          id={openWhenFound}
          name={t("palette.open-when-found", { text: text.trim() })}
          text={text}
          icon="find"
          onSelect={onSelect}
        />
      )}
      {recordsCut.length > 0 && (
        <Command.Group
          heading={<PaletteHeading title={t(isBlank ? "palette.group.opened" : "palette.group.records")} count={records.found.length} />}
        >
          {recordsCut.map((record, at) => (
            <PaletteRow
              key={at}
              id={recordId(record)}
              name={record.name}
              // a line is no part of a name: its answer need not be drawn anew for each letter
              text={isLine ? "" : text}
              icon={record.icon ?? screenIcons[record.screen]}
              note={record.note}
              end={record.end}
              refused={record.refused}
              wrong={record.wrong}
              chips={record.chips}
              onSelect={onSelect}
            />
          ))}
        </Command.Group>
      )}
      {offers.length > 0 && (
        <Command.Group heading={<PaletteHeading title={t("palette.group.offers")} count={offers.length} />}>
          {offers.map((offer, at) => (
            <PaletteRow
              key={at}
              id={offerId(offer)}
              name={offer.text}
              text={typed.slice(offer.from, offer.to)}
              icon="filter"
              note={noteOf(offer)}
              end={offer === (chosenOffer ?? offers[0]) && tab}
              onSelect={onSelect}
            />
          ))}
        </Command.Group>
      )}
      {behindRecords.map(groupOf)}
      {views.length > 0 && (
        <Command.Group heading={<PaletteHeading title={t("palette.group.views")} count={views.length} />}>
          {views.map((view) => (
            <PaletteRow
              key={view.id}
              id={viewId(view)}
              name={view.name}
              text={text}
              icon="filter"
              note={view.saved === null ? undefined : t(view.saved.shared ? "view.shared" : "view.private")}
              end={view.digit === null ? undefined : <KeyCap chord={String(view.digit)} />}
              onSelect={onSelect}
            />
          ))}
        </Command.Group>
      )}
      {findsInGrid && <PaletteRow id={findInGrid} name={t("palette.find-in-grid", { text })} text="" icon="find" onSelect={onSelect} />}
    </PaletteFrame>
  );

  function groupTitle(group: GroupName): string {
    const pane = context?.pane ?? null;
    if (group === "list" && pane === null) return t("palette.group.commands");
    if (group !== "row") return t(`palette.group.${group}`);
    if (pane !== null && pane.marked.length > 0) return t("palette.group.rows", { count: pane.marked.length });
    return pane?.aim?.id == null ? t("palette.group.commands") : t("palette.group.row", { target: pane.aim.id });
  }
}

/** px of palette and page around the rows, of the rows in the tallest palette, and of a row (palette.css). */
const aroundRows = 256;
const mostOfRows = 568;
const rowHeight = 32;

const rowsInView = (): number => Math.ceil(Math.min(window.innerHeight - aroundRows, mostOfRows) / rowHeight) + 4;
