import { setAmountDecimals } from "../kit/look/amounts.ts";
import { createCall } from "./call.ts";
import type { Call } from "./call.ts";
import { createCounters } from "./counters.ts";
import { createDrafts } from "./drafts.ts";
import type { CallFailure } from "./failure.ts";
import type { Jar } from "./jar.ts";
import { createLink } from "./link.ts";
import { createLive } from "./live.ts";
import type { LivePage } from "./live.ts";
import { createQueries } from "./query.ts";
import { createRowPublisher } from "./rows.ts";
import { createSelection } from "./selection.ts";
import type { TabStorage } from "./selection.ts";
import { createSend } from "./send.ts";
import { createServerTime } from "./server-time.ts";
import { endingOf, keepEnding } from "./session-end.ts";
import { createSession } from "./session.ts";
import type { SessionDeps, SessionMessage } from "./session.ts";
import { createSound } from "./sound.ts";
import { createTokens } from "./tokens.ts";
import type { Locks } from "./tokens.ts";

/** What the api asks of the page; main.tsx provides it. */
interface ApiDeps {
  /** Shows a toast from the error catalogue. */
  report(failure: CallFailure): void;
  reportSession: SessionDeps["report"];
  /** The session ended while the page was open; `stillSignedIn` where another tab has signed in again. */
  ended(stillSignedIn: boolean): void;
  forbidden(needed: readonly string[]): void;
  /** Asks the user to prove their identity again; true once the server has accepted the proof. */
  proveAgain(): Promise<boolean>;
  clearStorage(): void;
  flush(): Promise<void>;
}

/** What the api needs from the browser. */
interface BrowserParts {
  readonly jar: Jar;
  readonly tab: TabStorage;
  readonly locks: Locks | null;
  readonly page: LivePage;
  readonly announce: (message: SessionMessage) => void;
  readonly sound: { read(): boolean; write(on: boolean): void };
  /** Put before every path; "" in the browser. */
  readonly base?: string;
}

export type Api = ReturnType<typeof createApi>;

export function createApi(browser: BrowserParts, deps: ApiDeps) {
  const time = createServerTime();
  const link = createLink(browser.base);
  const send = createSend(link, time);
  const selection = createSelection(browser.jar, browser.tab);
  const tokens = createTokens(browser.jar, send, time, selection, browser.locks, browser.base);
  const queries = createQueries();
  const rows = createRowPublisher();
  const sound = createSound(browser.sound);
  const session = createSession(() => call, tokens, selection, time, {
    report: deps.reportSession,
    clearStorage: deps.clearStorage,
    announce: browser.announce,
    shut(ended) {
      browser.announce({ kind: "signed-out", ended });
      deps.ended(false);
    },
    flush: deps.flush,
  });
  keepEnding(session.store, browser.tab);
  const drafts = createDrafts(session, browser.tab);
  // subscribed first, so that every other subscriber already draws with the new currency's decimals
  session.store.subscribe(({ at }) => setAmountDecimals(at?.currency?.minor_digits ?? 2));
  const call: Call = createCall(
    send,
    tokens,
    selection,
    {
      switchEnd: session.switchEnd,
      reloadContext: session.reloadContext,
      leaveCurrency: session.leaveCurrency,
      async reloadProfile() {
        // dismisses open sheets, because they would cover what the page asks next
        await deps.flush();
        return session.reloadProfile().then(
          () => true,
          () => false,
        );
      },
      lost(used, failure) {
        const { phase } = session.store.getState();
        // a user who has signed out needs no reason
        if (phase === "signed-out") return;
        const wasSignedIn = phase === "signed-in";
        const ended = endingOf(failure);
        const over = session.end(used, ended);
        if (over && wasSignedIn) browser.announce({ kind: "signed-out", ended });
        if (wasSignedIn) deps.ended(!over);
      },
      forbidden: deps.forbidden,
      proveAgain: deps.proveAgain,
      report: deps.report,
    },
    browser.base,
  );
  const counters = createCounters(
    () => call,
    () => session.store.getState().at?.context.permissions ?? {},
    (name) => session.store.getState().at?.config.sounds?.[name] !== false && sound.alert(),
  );
  const live = createLive(
    () => call,
    session,
    {
      onEvent(name, event) {
        counters.onEvent(event);
        if (name === "scoreAlarm" && session.store.getState().at?.config.sounds?.scoreAlarm !== false) sound.alert();
      },
      onRights: () => void session.reloadContext(),
      onGap() {
        void counters.refresh();
        void session.reloadConfig();
      },
      isExpected: () => tokens.refreshToken() !== null || tokens.access() !== null,
    },
    browser.page,
  );

  // The channel may be down because the server is gone or because the session or a right has ended: a request finds out which, so
  // that the page says so before the user acts.
  live.store.subscribe((now, past) => {
    // a right that was taken before the channel was joined, or while it was down, was told to nobody here
    if (now.link === "live" && past.link !== "live") void session.reloadContext();
    if (now.link !== "down" || past.link === "down") return;
    void link.probe().then((answers) => {
      if (answers && session.store.getState().at) void session.reloadContext();
    });
  });

  // a switch drops what was loaded for the old tenant or currency, and loads the counters again
  let before = session.store.getState();
  session.store.subscribe((now) => {
    const left = now.at === null && before.at !== null;
    const moved = now.epoch !== before.epoch;
    const entered = now.at !== null && before.at === null;
    before = now;
    if (left || moved) {
      queries.clear();
      counters.clear();
    }
    if (entered || (moved && now.at)) void counters.refresh();
    sound.follow(now.at && `${now.at.tenant.id}.${now.at.currency?.code ?? ""}`);
  });

  return { call, session, selection, tokens, time, link, queries, rows, counters, live, sound, drafts };
}
