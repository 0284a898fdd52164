import { isExported } from "../../contract/exports.ts";
import { pinRoutes } from "../../contract/pins.ts";
import { preferenceRoutes } from "../../contract/preferences.ts";
import type { Pin, SavedView } from "../../contract/preferences.ts";
import type { Answer } from "../../contract/route.ts";
import { isAllowed } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Api } from "../api/api.ts";
import { atMostEvery } from "../api/at-most-every.ts";
import { createFormats } from "../api/formats.ts";
import type { Services, Tone } from "../kit/commands/services.ts";
import type { QueryList } from "../kit/query/query-list.ts";
import { text } from "../kit/texts/texts.ts";
import { queryListOf } from "../screens/index.ts";
import { askThreshold } from "./ask-threshold.ts";
import { heard, noPins, pins, tellers } from "./pinned.ts";
import type { PinnedView } from "./pinned.ts";
import { figuresText, isPast, pinOf } from "./pinned-figures.ts";

/** ms between two readings of the figures: with what the server adds (shared-reads.ts) they are never older than two seconds. */
const interval = 1_400;
/** ms after which the pins themselves are read again, because no event tells that a colleague pinned one for everybody. */
const reloadInterval = 60_000;
/** ms after which a threshold of age is looked at again. */
const ageInterval = 1_000;
const day = 86_400_000;

type Read = Pick<PinnedView, "figures" | "fault">;

type PinsDeps = Pick<Services, "say" | "ask" | "text"> & { toast(toast: { title: string; text: string; tone: Tone }): void };

export type Pins = ReturnType<typeof createPins>;

/** Keeps the pinned views and their live figures, whether or not the pane is shown, so that a threshold sounds either way. */
export function createPins(api: Api, { toast, ...services }: PinsDeps) {
  const mayShow = (screen: ScreenName) => isAllowed(api.session.store.getState().at?.context.permissions ?? {}, screens[screen].permission);
  /** Counts what makes an answer under way out of date: another tenant or currency, or other pins. */
  let turn = 0;
  let reading: Promise<void> | null = null;
  const soon = atMostEvery(interval, () => void read());
  /** Screens of whose rows an event has told since they were read. */
  const changed = new Set<ScreenName>();

  async function reload(): Promise<void> {
    const mine = ++turn;
    if (api.session.store.getState().at === null) {
      soon.stop();
      pins.setState(noPins);
      return;
    }
    try {
      const { data } = await api.call(pinRoutes.listPinnedViews, {}, { background: true });
      if (mine !== turn) return;
      const before = new Map(pins.getState().pinned.map((one) => [one.view.uuid, one]));
      const pinned = data.flatMap((view): PinnedView[] => {
        const { screen } = view;
        if (!isExported(screen) || !mayShow(screen)) return [];
        const known = before.get(view.uuid) ?? { figures: null, fault: null, isPast: false };
        return [{ ...known, view, screen, params: pinOf(view)?.params ?? {} }];
      });
      judge(pinned);
      if (pinned.length > 0) soon.soon();
    } catch {
      if (mine === turn) pins.setState({ failed: true });
    }
  }

  /** One reading at a time; what is asked for meanwhile follows. */
  function read(): Promise<void> {
    reading ??= readNow().finally(() => (reading = null));
    return reading;
  }

  async function readNow(): Promise<void> {
    const mine = turn;
    const { at } = api.session.store.getState();
    const { pinned } = pins.getState();
    if (at === null || pinned.length === 0) return;
    let again = true;
    let told: readonly ScreenName[] = [];
    /** What was told is still to be read. */
    const putBack = (): void => told.forEach((screen) => changed.add(screen));
    try {
      const lists = await Promise.all(pinned.map(({ screen }) => queryListOf(screen, api)));
      const { zone } = createFormats(at.currency?.country.timezone.gmt);
      // a whole second, so that users who ask for the same within it are answered from one reading
      const now = Math.floor(api.time.now() / 1_000) * 1_000;
      const asked = pinned.flatMap((one, n) => {
        const list = lists[n];
        if (!list) return [];
        const query = list.query(one.view.state.search, now, zone);
        // the server's own day ends without an event
        const isMoving =
          query["view"] === "today" || JSON.stringify(query) !== JSON.stringify(list.query(one.view.state.search, now + day, zone));
        // only where every change is told can what has not changed be left as it is
        const isTold = heard.has(one.screen) && !isMoving && api.live.store.getState().link === "live";
        return isTold && one.figures !== null && !changed.has(one.screen) ? [] : [{ one, list, query, isTold }];
      });
      told = [...changed];
      changed.clear();
      again = false;
      if (asked.length === 0) return;
      again = true;
      const body = { lists: asked.map(({ one: { screen, params }, query }) => ({ screen, query, params })) };
      const { data } = await api.call(pinRoutes.readPinFigures, { body }, { background: true });
      if (mine !== turn) return putBack();
      const answers = new Map(asked.map(({ one, list }, n) => [one.view.uuid, readAnswer(list, data[n])]));
      for (const { one } of asked) if (isOld(one.screen, answers.get(one.view.uuid))) changed.add(one.screen);
      again = changed.size > 0 || asked.some(({ isTold }) => !isTold);
      judge(pins.getState().pinned.map((one) => ({ ...one, ...answers.get(one.view.uuid) })));
      pins.setState({ failed: false });
    } catch {
      putBack();
      if (mine === turn) pins.setState({ failed: true });
    } finally {
      if (again || mine !== turn || api.live.store.getState().link !== "live") soon.soon();
    }
  }

  /** The server keeps what it read a while where reading is slow. */
  const isOld = (screen: ScreenName, answer: Read | undefined) =>
    answer?.figures != null && answer.figures.asOf < (pins.getState().heardAt[screen] ?? 0);

  /** Marks the views that are past their thresholds; one that has just gone past is told, unless it is the first that is known of it. */
  function judge(pinned: readonly PinnedView[]): void {
    const { at } = api.session.store.getState();
    const before = new Map(pins.getState().pinned.map((one) => [one.view.uuid, one]));
    const [now, currency] = [api.time.now(), at?.currency?.code ?? null];
    const judged = pinned.map((one) => {
      const past = one.figures !== null && isPast(pinOf(one.view)?.threshold ?? null, one.figures, now, currency);
      return past === one.isPast ? one : { ...one, isPast: past };
    });
    pins.setState({ pinned: judged });
    for (const one of judged) {
      const old = before.get(one.view.uuid);
      if (!one.isPast || one.figures === null || old?.isPast !== false || old.figures === null) continue;
      api.sound.alert();
      toast({ title: text("pin.past.title", { name: one.view.name }), text: figuresText(one.figures, now), tone: "warn" });
    }
  }

  const isCounted = async (screen: string) => isExported(screen) && (await queryListOf(screen, api)) !== null;

  let epoch = api.session.store.getState().epoch;
  let isIn = false;
  const follow = (now: ReturnType<Api["session"]["store"]["getState"]>): void => {
    if (isIn === (now.at !== null) && epoch === now.epoch) return;
    [isIn, epoch] = [now.at !== null, now.epoch];
    pins.setState(noPins);
    void reload();
  };
  follow(api.session.store.getState());
  api.session.store.subscribe(follow);
  for (const [event, screen] of tellers)
    api.live.subscribe(event, ({ at }) => {
      pins.setState(({ heardAt }) => ({ heardAt: { ...heardAt, [screen]: Math.max(heardAt[screen] ?? 0, Date.parse(at)) } }));
      changed.add(screen);
      if (pins.getState().pinned.some((one) => one.screen === screen)) soon.soon();
    });
  api.live.subscribe("gap", () => {
    for (const screen of heard) changed.add(screen);
    void reload();
  });
  setInterval(() => void reload(), reloadInterval);
  setInterval(() => {
    const { pinned } = pins.getState();
    if (pinned.some(({ view }) => pinOf(view)?.threshold?.of === "age")) judge(pinned);
  }, ageInterval);

  /** Throws what the server refuses, once it is reported. */
  async function pin(view: SavedView, whose: "me" | "tenant", pin: Pin | null): Promise<void> {
    const { uuid, name } = view;
    if (pin !== null && !(await isCounted(view.screen))) return services.say("view.refuse.not-counted", {}, "warn");
    await api.call(pinRoutes.pinView, { params: { uuid }, body: { for: whose, pin } });
    const ofViews = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.includes(preferenceRoutes.listViews.path);
    await Promise.all([reload(), api.queries.invalidateQueries({ predicate: ofViews })]);
    services.say(
      pin === null ? "view.said.unpinned" : whose === "tenant" ? "view.said.pinned-for-all" : "view.said.pinned",
      { name },
      "done",
    );
  }

  /** Asks from when on the view gives the alarm, and pins it with that. */
  async function setThreshold(view: SavedView, here: Pin): Promise<void> {
    const threshold = await askThreshold(services, view, api.session.store.getState().at?.currency?.code ?? null);
    // the tenant's pin is changed by its maker, unless they have one of their own
    if (threshold !== undefined)
      await pin(view, view.pin === null && view.tenant_pin !== null && view.mine ? "tenant" : "me", {
        ...(pinOf(view) ?? here),
        threshold,
      });
  }

  return { pin, setThreshold };
}

function readAnswer(list: QueryList, answer: Answer<typeof pinRoutes.readPinFigures>["data"][number] | undefined): Read {
  if (!answer?.known) return { figures: null, fault: answer?.code ?? "server.failed" };
  const { count, sums, oldest_at: oldest, as_of: asOf } = answer;
  const sum = list.sumOf({ next: null, previous: null, sums });
  return { figures: { count, sum, oldestAt: oldest === null ? null : Date.parse(oldest), asOf: Date.parse(asOf) }, fault: null };
}
