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
import { createRowNews } from "./rows.ts";
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

/** Where the page lets the api out: the shell fills these in. */
interface ApiDeps {
  /** Toast of the error catalogue. */
  report(failure: CallFailure): void;
  reportSession: SessionDeps["report"];
  /** The session ended under the page; `stillSignedIn` where another tab holds one. */
  ended(stillSignedIn: boolean): void;
  forbidden(): void;
  /** Asks for a new proof of who one is; true once the server took it. */
  proveAgain(): Promise<boolean>;
  clearStorage(): void;
  flush(): Promise<void>;
}

/** What of the browser the api stands on. */
interface ApiGround {
  readonly jar: Jar;
  readonly tab: TabStorage;
  readonly locks: Locks | null;
  readonly page: LivePage;
  readonly announce: (message: SessionMessage) => void;
  readonly sound: { read(): boolean; write(on: boolean): void };
  /** Before every path; "" in a page. */
  readonly base?: string;
}

export type Api = ReturnType<typeof createApi>;

export function createApi(ground: ApiGround, deps: ApiDeps) {
  const time = createServerTime();
  const link = createLink(ground.base);
  const send = createSend(link, time);
  const selection = createSelection(ground.jar, ground.tab);
  const tokens = createTokens(ground.jar, send, time, selection, ground.locks, ground.base);
  const queries = createQueries();
  const rows = createRowNews();
  const sound = createSound(ground.sound);
  const session = createSession(() => call, tokens, selection, time, {
    report: deps.reportSession,
    clearStorage: deps.clearStorage,
    announce: ground.announce,
    shut(ended) {
      ground.announce({ kind: "signed-out", ended });
      deps.ended(false);
    },
    flush: deps.flush,
  });
  keepEnding(session.store, ground.tab);
  const drafts = createDrafts(session, ground.tab);
  // before all others hear of it: what they draw then has the currency's decimals
  session.store.subscribe(({ at }) => setAmountDecimals(at?.currency?.minor_digits ?? 2));
  const call: Call = createCall(
    send,
    tokens,
    selection,
    {
      reloadContext: session.reloadContext,
      leaveCurrency: session.leaveCurrency,
      async reloadProfile() {
        // a question left open would stand before what the page asks now
        await deps.flush();
        return session.reloadProfile().then(
          () => true,
          () => false,
        );
      },
      lost(used, failure) {
        const { phase } = session.store.getState();
        // what one has left oneself needs no reason
        if (phase === "signed-out") return;
        const wasSignedIn = phase === "signed-in";
        const ended = endingOf(failure);
        const over = session.end(used, ended);
        if (over && wasSignedIn) ground.announce({ kind: "signed-out", ended });
        if (wasSignedIn) deps.ended(!over);
      },
      forbidden: deps.forbidden,
      proveAgain: deps.proveAgain,
      report: deps.report,
    },
    ground.base,
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
      onEvent: (_, event) => counters.onEvent(event),
      onGap() {
        void counters.refresh();
        void session.reloadConfig();
      },
    },
    ground.page,
  );

  // a channel that broke off may be the server gone, or closed because the session or a right is: ask, so that the page says so
  // before anyone acts
  live.store.subscribe((now, past) => {
    if (now.link !== "down" || past.link === "down") return;
    void link.probe().then((answers) => {
      if (answers && session.store.getState().at) void session.reloadContext();
    });
  });

  // a switch drops what was loaded for the old tenant or currency, and counts anew
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
