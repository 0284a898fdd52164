import "./counters-pane.css";
import { useEffect } from "react";
import { useStore } from "zustand";
import type { CounterName, NotificationDetails } from "../../contract/notifications.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { spanText } from "../api/formats.ts";
import { Instant } from "../api/instant.tsx";
import { useApi, useFormats, useSignedIn } from "../api/use-api.ts";
import { usePart } from "../kit/loading/chunk.ts";
import { Icon } from "../kit/look/icon.tsx";
import type { IconName } from "../kit/look/icon.tsx";
import { Pane } from "../kit/panes/panes.tsx";
import { CommandKey } from "../kit/look/command-button.tsx";
import { useKit } from "../kit/use-kit.ts";
import type { MessageKey } from "../kit/texts/messages.ts";
import { hasText, useText } from "../kit/texts/texts.ts";
import { initials } from "../api/initials.ts";
import { pins } from "./pinned.ts";
import { Sparkline } from "./sparkline.tsx";
import { useSecond } from "../api/use-second.ts";
import { useShell } from "./use-shell.ts";

interface Counter {
  readonly name: CounterName;
  readonly label: MessageKey;
  readonly hue: "process" | "pending" | "critical";
  readonly icon: IconName;
  readonly mini: IconName;
  readonly screen: ScreenName;
  readonly trend: "deposits" | "withdrawals" | "accounts";
}

export const counters: readonly Counter[] = [
  { name: "deposit", label: "counters.deposits", hue: "process", icon: "process", mini: "deposit", screen: "deposits", trend: "deposits" },
  {
    name: "withdraw",
    label: "counters.withdrawals",
    hue: "pending",
    icon: "pending",
    mini: "withdrawal",
    screen: "withdrawals",
    trend: "withdrawals",
  },
  {
    name: "paymentAccount",
    label: "counters.accounts",
    hue: "critical",
    icon: "critical",
    mini: "critical",
    screen: "payment-accounts",
    trend: "accounts",
  },
];

/** Pending work, its trend and the operators: a pane at the end of the page, or three figures in the header on a narrow one. */
export function CountersPane() {
  const t = useText();
  const { counters: state } = useApi();
  const { counts, details } = useStore(state.store);
  return (
    <Pane name="counters" as="aside" className="side" label={t("shell.counters")}>
      {counters.map((counter) =>
        counts[counter.name] === null ? null : (
          <Figure key={counter.name} counter={counter} count={counts[counter.name] ?? 0} details={details} />
        ),
      )}
      <Pinned />
      <Signals details={details} />
      {details?.operators && details.operators.length > 0 && <Operators operators={details.operators} />}
      {details?.today && <Today today={details.today} />}
    </Pane>
  );
}

const loadPinned = async () => (await import("./pinned-views.tsx")).PinnedViews;

/** The views pinned here; few have any, so that they come with the first. */
function Pinned() {
  const wanted = useStore(pins, ({ pinned }) => pinned.length > 0);
  const Views = usePart(loadPinned, { wanted, absent: () => undefined }); // tried again with the next pin
  return wanted && Views !== null ? Views({}) : null;
}

function Figure({ counter, count, details }: { counter: Counter; count: number; details: NotificationDetails | null }) {
  const t = useText();
  const { time } = useApi();
  const { config } = useSignedIn();
  useSecond();
  const trend = details?.[counter.trend];
  const change = trend?.change ?? 0;
  const oldest = trend?.oldest_at ? time.now() - Date.parse(trend.oldest_at) : null;
  const { amber_minutes, red_minutes } = (counter.name === "deposit" ? config.deposits : config.withdrawals).sla;
  const tone = oldest === null ? "" : oldest >= red_minutes * 60_000 ? "age re" : oldest >= amber_minutes * 60_000 ? "age am" : "";
  const { routed } = useShell();
  return (
    <section className={`blk ctr h-${counter.hue}`}>
      <h2>
        <span className="hue">
          <Icon name={counter.icon} />
        </span>
        <span className="cut">{t(counter.label)}</span>
        {routed.has(counter.screen) && (
          <span className="end" aria-hidden="true">
            <CommandKey id={`go.${counter.screen}`} />
          </span>
        )}
      </h2>
      <div className="fig">
        <b>{count}</b>
        {trend && (
          <span className="delta">
            <bdi>{change === 0 ? "±0" : `${change > 0 ? "↑" : "↓"} ${Math.abs(change)}`}</bdi>{" "}
            <span className="t3">{t("counters.in-15-min")}</span>
          </span>
        )}
        {trend && <Sparkline points={trend.points} />}
      </div>
      <div className="sub">
        <span>{t("counters.oldest")}</span>
        <b className={tone}>
          <bdi>{oldest === null ? "–" : spanText(oldest)}</bdi>
        </b>
      </div>
    </section>
  );
}

/** Rows a block shows at most, before "and 3 more". */
const operatorsShown = 8;
const reasonsShown = 6;

function More({ count }: { count: number }) {
  const t = useText();
  return count > 0 ? <p className="more">{t("counters.more", { count })}</p> : null;
}

const linkDots = { live: "dot", connecting: "dot wait", down: "dot bad", off: "dot off" } as const;

function Signals({ details }: { details: NotificationDetails | null }) {
  const t = useText();
  const { live, sound, time } = useApi();
  const formats = useFormats();
  const { services } = useKit();
  const { link, lastEventAt } = useStore(live.store);
  const { on, blocked } = useStore(sound.store);
  const now = useSecond();
  useEffect(() => sound.recheck());
  const seconds = lastEventAt === null ? null : Math.max(0, Math.floor((now - lastEventAt) / 1000));
  return (
    <section className="blk">
      <div className="kv">
        <span style={{ display: "flex", gap: 8, alignItems: "center" }}>
          <i className={linkDots[link]} />
          <b>{t(`live.${link}`)}</b>
        </span>
        {link === "live" && seconds !== null && <span className="t3 cut">{t("live.last-event", { span: spanText(seconds * 1000) })}</span>}
      </div>
      {link !== "off" && (
        <div className="kv">
          <span>{t("sound.this-tab")}</span>
          <button
            type="button"
            className={on && blocked ? "blocked" : undefined}
            aria-pressed={on && !blocked}
            onClick={() => services.shell.toggleSound()}
          >
            {on && blocked ? t("sound.blocked") : <Icon name={on ? "sound" : "muted"} size="s" />}
            {!on && t("sound.off")}
            {on && !blocked && <span className="sr">{t("sound.on")}</span>}
            <span aria-hidden="true">
              <CommandKey id="console.sound" />
            </span>
          </button>
        </div>
      )}
      {(details?.disabledEndpointCount ?? 0) > 0 && (
        <div className="kv">
          <span className="cut">{t("counters.disabled-endpoints")}</span>
          <button
            type="button"
            className="alarm"
            aria-label={`${t("counters.disabled-endpoints")}: ${details?.disabledEndpointCount}`}
            onClick={() => services.go("merchants", { search: { endpoint: "disabled" } })}
          >
            <Icon name="warn" size="s" />
            <b>{details?.disabledEndpointCount}</b>
          </button>
        </div>
      )}
      {(details?.alarmedWatcherCount ?? 0) > 0 && (
        <div className="kv">
          <span className="cut">{t("counters.alarmed-watchers")}</span>
          <button
            type="button"
            className="alarm"
            aria-label={`${t("counters.alarmed-watchers")}: ${details?.alarmedWatcherCount}`}
            onClick={() => services.go("score-watchers", { search: { state: "below,error" } })}
          >
            <Icon name="critical" size="s" />
            <b>{details?.alarmedWatcherCount}</b>
          </button>
        </div>
      )}
      {(details?.downtimes?.active ?? 0) > 0 && (
        <div className="kv">
          <span className="cut">{t("counters.downtimes")}</span>
          <button
            type="button"
            className="alarm"
            aria-label={`${t("counters.downtimes")}: ${details?.downtimes?.active}`}
            onClick={() => services.go("downtime-schedule", { search: { state: "now" } })}
          >
            <Icon name="clock" size="s" />
            <b>{details?.downtimes?.active}</b>
          </button>
        </div>
      )}
      {details?.downtimes?.next_at != null && (
        <div className="kv">
          <span className="cut">{t("counters.next-downtime")}</span>
          <b>
            <Instant
              at={details.downtimes.next_at}
              as={formats.day(details.downtimes.next_at) === formats.day(time.now()) ? "clock" : "day"}
            />
          </b>
        </div>
      )}
      {details?.claims && (
        <div className="kv">
          <span>{t("counters.my-claims")}</span>
          <b>
            <bdi>
              {details.claims.open} / {details.claims.limit}
            </bdi>
          </b>
        </div>
      )}
    </section>
  );
}

function Operators({ operators }: { operators: NonNullable<NotificationDetails["operators"]> }) {
  const t = useText();
  const { user } = useSignedIn();
  return (
    <section className="blk">
      <h2>
        {t("counters.operators")}
        <span className="end">{t("counters.per-hour")}</span>
      </h2>
      {operators.slice(0, operatorsShown).map((operator, at) => (
        <div className="op" key={`${operator.name}${at}`}>
          <span className={operator.name === user.name ? "av me" : "av"} aria-hidden="true">
            {initials(operator.name)}
          </span>
          <div>
            <p>
              <bdi>{operator.name}</bdi>
            </p>
            {operator.doing !== null && (
              <p>
                {t("counters.deciding")} <bdi className="mono">…{operator.doing.slice(-6)}</bdi>
              </p>
            )}
          </div>
          <span className="decided">{operator.decided}</span>
        </div>
      ))}
      <More count={operators.length - operatorsShown} />
    </section>
  );
}

function Today({ today }: { today: NonNullable<NotificationDetails["today"]> }) {
  const t = useText();
  const most = Math.max(1, ...today.reasons.map(({ count }) => count));
  const rate = today.decided > 0 ? ` · ${((100 * today.rejected) / today.decided).toFixed(1)} %` : "";
  const lines: readonly (readonly [MessageKey, string])[] = [
    ["counters.decided", String(today.decided)],
    ["counters.median", today.median_seconds === null ? "–" : spanText(today.median_seconds * 1000)],
    ["counters.p95", today.p95_seconds === null ? "–" : spanText(today.p95_seconds * 1000)],
    ["counters.recalled", String(today.recalled)],
    ["counters.rejected", `${today.rejected}${rate}`],
  ];
  return (
    <>
      <section className="blk">
        <h2>{t("counters.today")}</h2>
        {lines.map(([label, value]) => (
          <div className="kv" key={label}>
            <span>{t(label)}</span>
            <b>
              <bdi>{value}</bdi>
            </b>
          </div>
        ))}
      </section>
      {today.reasons.length > 0 && (
        <section className="blk" style={{ border: 0 }}>
          <h2>{t("counters.by-reason")}</h2>
          {today.reasons.slice(0, reasonsShown).map(({ code, count }) => (
            <div className="kv" key={code}>
              <span className="cut">
                <Reason code={code} />
              </span>
              <span style={{ display: "flex", gap: 8, alignItems: "center" }}>
                <span className="reason-bar">
                  <i style={{ "--v": `${(100 * count) / most}%` }} />
                </span>
                <b>{count}</b>
              </span>
            </div>
          ))}
          <More count={today.reasons.length - reasonsShown} />
        </section>
      )}
    </>
  );
}

/** A preset's own text, else the translation of its code, else the code. */
function Reason({ code }: { code: string }) {
  const t = useText();
  const { config } = useSignedIn();
  const own = config.withdrawals.reject_reasons.find((reason) => reason.code === code)?.text;
  const key = `reason.${code}`;
  return <>{own ?? (hasText(key) ? t(key) : code)}</>;
}
