import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { currencyRoutes } from "../../../contract/currencies.ts";
import { settingRoutes } from "../../../contract/settings.ts";
import { CallFailure } from "../../api/failure.ts";
import { usePlace } from "../../api/place.ts";
import { useApi, useFormats, useRead, useReadKey, useSignedIn } from "../../api/use-api.ts";
import { ConflictSides } from "../../kit/form/conflict-sheet.tsx";
import { FormAlert } from "../../kit/form/form-alert.tsx";
import { Failure } from "../../lists/failure.tsx";
import { useSentHere } from "../../lists/sent-here.ts";
import { CommandButton } from "../../kit/look/command-button.tsx";
import type { PaneState } from "../../kit/commands/context.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { useAskBeforeClose } from "../../kit/form/leaving.ts";
import type { MessageKey } from "../../kit/texts/messages.ts";
import { Pane } from "../../kit/panes/panes.tsx";
import { hasText, useText } from "../../kit/texts/texts.ts";
import { useKit, useVerdict } from "../../kit/use-kit.ts";
import { usePane, withoutRows } from "../../kit/panes/use-pane.ts";
import type { FormDesk } from "../../kit/commands/desks.ts";
import { OutgoingMails } from "./outgoing-mails.tsx";
import { Field } from "./setting-field.tsx";
import type { SettingSection } from "./setting-fields.ts";
import { fieldLabel, settingSections, settingTexts, writtenValue } from "./setting-fields.ts";
import { SettingCurrencies } from "./setting-currencies.tsx";
import { SettingHistory } from "./setting-history.tsx";
import type { SettingState, SettingWork } from "./setting-work.ts";
import { settingWork } from "./setting-work.ts";
import "../../entity/entity.css";
import "./setting.css";

const paneScopes: PaneState["scopes"] = ["pane"];

/** What a tenant sets for itself: sections on digits, one form over all of them. */
export function Component() {
  const t = useText();
  const api = useApi();
  const { services } = useKit();
  const queries = useQueryClient();
  const { tenant, user } = useSignedIn();
  const read = useRead(settingRoutes.readSettings, {});
  const key = useReadKey(settingRoutes.readSettings, {});
  const currenciesKey = useReadKey(currencyRoutes.listCurrencies, {});
  const needs = useMemo(() => ({ api, services, queries, key, currenciesKey }), [api, services, queries, key, currenciesKey]);
  const work = settingWork(tenant.id, user.uuid, needs);
  useLayoutEffect(() => work.draw(needs), [work, needs]);
  const detail = read.data?.data;
  useEffect(() => {
    if (detail) work.take(detail);
  }, [work, detail]);
  const state = useSyncExternalStore(work.subscribe, work.getState);
  if (state !== null) {
    return (
      <>
        <Form work={work} state={state} />
        <Conflict work={work} session={state.session} />
      </>
    );
  }
  if (read.error instanceof CallFailure) {
    return (
      <div className="entity setting-instead">
        <Failure title={t("record.failed", { screen: t("screen.setting") })} failure={read.error} onRetry={() => void read.refetch()} />
      </div>
    );
  }
  return (
    <p className="setting-instead t2 late" role="status">
      {t("setting.loading")}
    </p>
  );
}

const nothing: readonly string[] = [];

function Form({ work, state: { session, detail, kept } }: { work: SettingWork; state: SettingState }) {
  const t = useText();
  const place = usePlace();
  const { context } = useSignedIn();
  const form = useSyncExternalStore(session.subscribe, session.getState);
  const { verdict } = useVerdict("setting.save");
  const readOnly = verdict.state === "absent";
  const sections = useMemo(() => settingSections(detail.row), [detail.row]);
  const standard = useMemo(() => settingTexts(detail.defaults), [detail.defaults]);
  const names = useMemo(
    () => [
      ...sections.map(({ name }) => name as string),
      "history",
      ...(context.user_groups.includes("owner") ? ["mails"] : nothing),
      "currencies",
    ],
    [sections, context.user_groups],
  );
  const asked = place.get("section") ?? "";
  const shown = names.includes(asked) ? asked : (names[0] ?? "");
  const section = sections.find(({ name }) => name === shown);
  // whoever may not change them sees what is in force, not what they had typed
  const values = readOnly ? work.inForce : form.values;
  const changedNames = readOnly ? "" : work.changes().join(" ");
  const changed = useMemo(() => changedNames.split(" ").filter(Boolean), [changedNames]);
  const wrong = Object.keys(form.lines);
  const { currencies } = work;
  const added = useSyncExternalStore(currencies.subscribe, currencies.getState);
  const newCurrency = currencies.isWritten && !readOnly ? 1 : 0;
  // in its own section a written currency is what is saved
  const addable = shown === "currencies" && newCurrency > 0;
  const { refusals } = form;
  const saving = form.saving || added.saving;
  const savable = addable ? 1 : changed.length;
  const changes = changed.length + newCurrency;

  const back = useSentHere();
  const scrollRef = useRef<HTMLDivElement>(null);

  const desk = useMemo(
    (): FormDesk => ({
      sections: names,
      pick(name) {
        place.set({ section: name });
        scrollRef.current?.focus();
      },
      changes,
      refusal: () => (saving ? "record.form.saving" : savable === 0 ? "setting.refuse.unchanged" : null),
      async save() {
        if (!addable) return work.save();
        if (await currencies.add()) back?.();
      },
      discard: () => work.discard(),
    }),
    [names, place, changes, savable, saving, work, addable, currencies, back],
  );
  const common = {
    scopes: paneScopes,
    ...withoutRows,
    form: desk,
  } as const;
  const listRef = useRef<HTMLElement>(null);
  const bodyRef = useRef<HTMLElement>(null);
  usePane(listRef, { ...common, id: "setting.sections" });
  usePane(bodyRef, { ...common, id: "setting.form" });

  // the screen begins in its sections, or where the operator was sent to write
  const isSent = back !== null;
  useEffect(() => {
    if (isSent) bodyRef.current?.querySelector<HTMLElement>("input")?.focus();
    if (!bodyRef.current?.contains(document.activeElement)) listRef.current?.querySelector<HTMLElement>("[aria-current=true]")?.focus();
  }, [isSent]);

  const { keys } = useKit();
  useEffect(() => {
    if (listRef.current === null) return undefined;
    const step = (by: number) => () => {
      const buttons = [...(listRef.current?.querySelectorAll("button") ?? [])];
      const at = buttons.findIndex((button) => button === document.activeElement);
      buttons[Math.min(buttons.length - 1, Math.max(0, at + by))]?.focus();
    };
    return keys.claim(listRef.current, { ArrowDown: step(1), ArrowUp: step(-1) });
  }, [keys]);

  // a refused save leads to the first field that is wrong, wherever it is
  const firstWrong = sections.find(({ fields }) => fields.some(({ name }) => wrong.includes(name)))?.name ?? null;
  const toldAt = useRef(refusals);
  useEffect(() => {
    if (refusals === toldAt.current) return;
    if (firstWrong !== null && firstWrong !== shown && !section?.fields.some(({ name }) => wrong.includes(name))) {
      place.set({ section: firstWrong });
      return;
    }
    toldAt.current = refusals;
    bodyRef.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals, firstWrong, shown, section, wrong, place]);

  useEffect(() => {
    if (!readOnly) work.sayKept();
  }, [work, readOnly]);

  // a page closed with something unsaved asks, as browsers do
  useAskBeforeClose(changes > 0);

  /** The product's own words for a reason it knows. */
  const placeholderOf = (name: string): string | undefined => {
    if (name === "withdrawal_expiry_hours") return t("setting.never");
    const key = `reason.${values[name.replace(/text$/, "code")] ?? ""}`;
    return /^reject_reasons\..\.text$/.test(name) && hasText(key) ? t(key) : undefined;
  };
  const count = (one: SettingSection | undefined, of: readonly string[]) => one?.fields.filter(({ name }) => of.includes(name)).length ?? 0;

  const dirtyOf = (name: string): number =>
    name === "currencies"
      ? newCurrency
      : count(
          sections.find((each) => each.name === name),
          changed,
        );
  const title = t(`setting.section.${shown}` as MessageKey);
  const unsaved = dirtyOf(shown) > 0 ? t("setting.changes-short", { count: dirtyOf(shown) }) : null;

  return (
    <div className="entity setting">
      <Pane name="list" as="nav" innerRef={listRef} className="setting-sections" label={t("setting.sections")}>
        {names.map((name, at) => {
          const one = sections.find((each) => each.name === name);
          const dirty = dirtyOf(name);
          const bad = name === "currencies" ? Object.keys(added.lines).length : count(one, wrong);
          return (
            <button
              key={name}
              type="button"
              aria-current={name === shown}
              {...(name === shown && { "data-pane-focus": "" })}
              onClick={() => desk.pick(name)}
            >
              <KeyCap chord={String((at + 1) % 10)} />
              <span className="grow cut">{t(`setting.section.${name}` as MessageKey)}</span>
              {bad > 0 && (
                <span className="fail">
                  <Icon name="warn" size="xs" />
                  <span className="sr">{t("record.form.wrong", { count: bad })}</span>
                </span>
              )}
              {dirty > 0 && (
                <b className="dirty mark">
                  <span aria-hidden="true">{dirty}</span>
                  <span className="sr">{t("setting.changes-short", { count: dirty })}</span>
                </b>
              )}
            </button>
          );
        })}
      </Pane>
      <Pane name="detail" innerRef={bodyRef} className="setting-pane" label={unsaved === null ? title : `${title} – ${unsaved}`}>
        {kept !== null && changes > 0 && (
          <div className="kept">
            <Icon name="info" size="s" />
            <p>
              {t("setting.kept", { count: kept.count })} {kept.moved > 0 && t("setting.kept-moved", { count: kept.moved })}
            </p>
            <CommandButton id="setting.discard">{t("setting.discard")}</CommandButton>
          </div>
        )}
        <div ref={scrollRef} className="setting-body" data-pane-focus="" tabIndex={section ? -1 : 0}>
          <h2>
            {title} {unsaved !== null && <b className="dirty">{unsaved}</b>}
          </h2>
          {readOnly && section && <p className="t2 about">{t("setting.read-only")}</p>}
          <FormAlert wrong={0} others={form.others} />
          {section && (
            <>
              <p className="t2 about">{t(`setting.about.${section.name}` as MessageKey)}</p>
              {section.name === "development" && !detail.development && <p className="t2 about">{t("setting.production")}</p>}
              <div className={section.name === "reasons" ? "fields reasons" : "fields"}>
                {section.fields.map((field) => (
                  <Field
                    key={field.name}
                    setting={field}
                    value={values[field.name] ?? ""}
                    standard={standard[field.name] ?? ""}
                    changed={changed.includes(field.name)}
                    by={repeated(section, field.name) ? null : (detail.changed[field.part] ?? null)}
                    lines={form.lines}
                    linked={session.linked}
                    readOnly={readOnly}
                    placeholder={placeholderOf(field.name)}
                    onWrite={(value) => session.write(field.name, value)}
                  />
                ))}
              </div>
            </>
          )}
          {shown === "history" && <SettingHistory of={detail.row.uuid} events={detail.history} />}
          {shown === "mails" && <OutgoingMails />}
          {shown === "currencies" && <SettingCurrencies work={currencies} readOnly={readOnly} />}
        </div>
        {!readOnly && (
          <div className="acts">
            {/* commands and not a form's own buttons, because setting.save and setting.discard have keys that can be rebound and reasons why not */}
            <div className="bar">
              <CommandButton id="setting.save" look="go">
                {saving
                  ? t("record.form.saving")
                  : addable
                    ? t("setting.currency.add")
                    : savable === 0
                      ? t("sheet.save")
                      : t("setting.save", { count: savable })}
              </CommandButton>
              <CommandButton id="setting.discard">{t("setting.discard")}</CommandButton>
            </div>
          </div>
        )}
      </Pane>
    </div>
  );
}

/**
 * What another saved meanwhile. Beside the form, not in it: a sheet tells the kit of itself whenever it is drawn, and the form is
 * drawn whenever the kit hears something.
 */
function Conflict({ work, session }: { work: SettingWork; session: SettingState["session"] }) {
  const t = useText();
  const formats = useFormats();
  const { conflict } = useSyncExternalStore(session.subscribe, session.getState);
  if (conflict === null) return null;
  return (
    <ConflictSides
      title={t("record.conflict.title", { name: t("screen.setting") })}
      session={session}
      conflict={conflict}
      labelOf={(name) => fieldLabel(t, name)}
      time={formats.time}
      written={(name, value) => writtenValue(t, name, value)}
      onSave={() => void work.save()}
      onLeave={() => void work.discard()}
    />
  );
}

/** Who changed a part last is told at its first field only. */
function repeated({ fields }: SettingSection, name: string): boolean {
  const part = fields.find((field) => field.name === name)?.part;
  return fields.find((field) => field.part === part)?.name !== name;
}
