import { useCallback, useId, useRef } from "react";
import { useStore } from "zustand";
import { useApi, useFormats, useSignedIn } from "../api/use-api.ts";
import { CommandKey } from "../kit/look/command-button.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { useEscape, useKit, useVerdict } from "../kit/use-kit.ts";
import { commandName, useText } from "../kit/texts/texts.ts";
import { counters } from "./counters-pane.tsx";
import { initials } from "../api/initials.ts";
import { instantTitle } from "../api/instant.tsx";
import { LanguageChoice, ThemeChoice } from "./preferences.tsx";
import { pins } from "./pinned.ts";
import { useSecond } from "../api/use-second.ts";

/** Tenant, currency, zone and clock; the search box; the counters; the operators; the user menu. */
export function Header() {
  const t = useText();
  const { services } = useKit();
  const { tenant, currency } = useSignedIn();
  const menu = useId();
  return (
    <>
      <header className="head">
        <button type="button" className="pick tenant" onClick={() => services.open("tenant")}>
          <span className="code" aria-hidden="true">
            {tenant.code}
          </span>
          <span className="cut">{tenant.name}</span>
          <Icon name="down" size="xs" />
          <span className="sr">{t("shell.change-tenant")}</span>
          <span aria-hidden="true">
            <CommandKey id="session.tenant" bare />
          </span>
        </button>
        {currency && (
          <button type="button" className="pick" onClick={() => services.open("currency")}>
            <b>{currency.code}</b>
            <Icon name="down" size="xs" />
            <span className="sr">{t("shell.change-currency")}</span>
            <span aria-hidden="true">
              <CommandKey id="session.currency" bare />
            </span>
          </button>
        )}
        <span className="sep" />
        <Clock />
        <button type="button" className="omni" onClick={() => services.open("palette")}>
          <Icon name="find" size="s" />
          <span className="grow cut" style={{ textAlign: "start" }}>
            {t("shell.omni")}
          </span>
          <span aria-hidden="true">
            <CommandKey id="console.palette" />
          </span>
        </button>
        <Mini />
        <Faces />
        <Bell />
        <UserButton menu={menu} />
      </header>
      <UserMenu id={menu} />
    </>
  );
}

function Clock() {
  const { time } = useApi();
  const formats = useFormats();
  useSecond();
  const now = time.now();
  return (
    <span className="pick" title={instantTitle(formats, now, "whole")}>
      <bdi>{formats.zoneText}</bdi>
      <bdi className="opt">{formats.day(now)}</bdi>
      <b>
        <bdi>{formats.clock(now)}</bdi>
      </b>
    </span>
  );
}

/** The three counters where there is no room for their pane. */
function Mini() {
  const t = useText();
  const counts = useStore(useApi().counters.store, (state) => state.counts);
  return (
    <span className="mini">
      {counters.map(({ name, hue, mini, label }) =>
        counts[name] === null ? null : (
          <span key={name} className={`hue h-${hue}`} title={t(label)}>
            <Icon name={mini} size="s" />
            <span className="sr">{t(label)}</span>
            <b>{counts[name]}</b>
          </span>
        ),
      )}
      <PastViews />
    </span>
  );
}

/** How many views are past their thresholds, where there is no room for the pane. */
function PastViews() {
  const t = useText();
  const past = useStore(pins, ({ pinned }) => pinned.filter(({ isPast }) => isPast).length);
  if (past === 0) return null;
  const label = `${t("counters.pinned")}: ${t("pin.is-past")}`;
  return (
    <span className="past-views" title={label}>
      <Icon name="warn" size="s" />
      <span className="sr">{label}</span>
      <b>{past}</b>
    </span>
  );
}

/** The other operators at work. */
function Faces() {
  const t = useText();
  const { user } = useSignedIn();
  const operators = useStore(useApi().counters.store, ({ details }) => details?.operators);
  const others = (operators ?? []).filter(({ name }) => name !== user.name);
  if (others.length === 0) return null;
  return (
    <>
      <span className="faces opt" style={{ paddingInline: 8 }} role="group" aria-label={t("counters.operators")}>
        {others.slice(0, 4).map(({ name }, at) => (
          <span className="av" key={`${name}${at}`} title={name}>
            {initials(name)}
          </span>
        ))}
        {others.length > 4 && (
          <span className="label" style={{ marginInlineStart: 6 }}>
            <bdi>+{others.length - 4}</bdi>
          </span>
        )}
      </span>
      <span className="sep opt" />
    </>
  );
}

/** Opens the message log; the dot marks accounts in a critical state, and watchers that give the alarm. */
function Bell() {
  const t = useText();
  const { services } = useKit();
  const critical = useStore(
    useApi().counters.store,
    ({ counts, details }) => (counts.paymentAccount ?? 0) + (details?.alarmedWatcherCount ?? 0),
  );
  return (
    <button
      type="button"
      className="bell"
      aria-label={t("shell.messages")}
      title={t("shell.messages")}
      onClick={() => services.open("messages")}
    >
      <Icon name="bell" />
      {critical > 0 && <i />}
    </button>
  );
}

function UserButton({ menu }: { menu: string }) {
  const t = useText();
  const { user } = useSignedIn();
  return (
    <button type="button" className="pick" style={{ paddingInline: 4 }} popoverTarget={menu}>
      <span className="av me" aria-hidden="true">
        {initials(user.name)}
      </span>
      <span className="sr">
        {user.name}, {t("shell.own-menu")}
      </span>
      <span className="opt t2" aria-hidden="true" style={{ paddingInline: 4 }}>
        <bdi>{user.name}</bdi>
      </span>
    </button>
  );
}

/** A menu item that runs a command and closes the menu. */
function OwnAct({ id, onRun }: { id: string; onRun: () => void }) {
  const t = useText();
  const kit = useKit();
  const { verdict } = useVerdict(id);
  if (verdict.state === "absent") return null;
  return (
    <button
      type="button"
      onClick={({ detail }) => {
        onRun();
        kit.run(id, detail === 0 ? "focus" : "button");
      }}
    >
      <span className="cut">{commandName(t, id)}</span>
      <span className="key">
        <CommandKey id={id} />
      </span>
    </button>
  );
}

/** A native popover: a click elsewhere closes it, and Esc does by the kit's order. */
function UserMenu({ id }: { id: string }) {
  const t = useText();
  const { user } = useSignedIn();
  const { services } = useKit();
  const element = useRef<HTMLDivElement>(null);
  const close = useCallback(() => {
    if (!element.current?.matches(":popover-open")) return false;
    element.current.hidePopover();
    return true;
  }, []);
  useEscape("menu", close);
  return (
    <div ref={element} id={id} popover="auto" className="user-menu menu" role="dialog" aria-label={t("shell.own-menu")} data-overlay="">
      <p className="strong">
        <bdi>{user.name}</bdi>
      </p>
      <p className="t2 cut" dir="auto">
        <bdi>{user.email}</bdi>
      </p>
      <hr />
      <OwnAct id="go.profile" onRun={close} />
      <OwnAct id="keys.edit" onRun={close} />
      <hr />
      <h2>{t("shell.language")}</h2>
      <LanguageChoice />
      <h2>{t("shell.theme")}</h2>
      <ThemeChoice />
      <hr />
      <button type="button" onClick={() => void services.shell.signOut()}>
        {t("shell.sign-out")}
      </button>
    </div>
  );
}
