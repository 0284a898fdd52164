import { createStore } from "zustand/vanilla";
import { counterPermissions, notificationRoutes } from "../../contract/notifications.ts";
import type { ChangeEvent, CounterName, NotificationDetails } from "../../contract/notifications.ts";
import { isAllowed } from "../../contract/permissions.ts";
import type { PermissionMap } from "../../contract/permissions.ts";
import type { Call } from "./call.ts";

interface CountersState {
  /** Null until loaded, and where the user may not see the count. */
  readonly counts: Readonly<Record<CounterName, number | null>>;
  readonly details: NotificationDetails | null;
  /** True where the last load failed, so that the figures shown are old. */
  readonly failed: boolean;
}

const none: CountersState = { counts: { deposit: null, withdraw: null, paymentAccount: null }, details: null, failed: false };

type Counts = CountersState["counts"];
const counterNames = Object.keys(none.counts) as CounterName[];

/** The lower of two counts each; what one does not know is the other's. */
function lower(one: Counts, other: Counts): Counts {
  const of = (name: CounterName) =>
    one[name] === null || other[name] === null ? (other[name] ?? one[name]) : Math.min(one[name], other[name]);
  return { deposit: of("deposit"), withdraw: of("withdraw"), paymentAccount: of("paymentAccount") };
}

/** After an event the details (trend, operators, today) are refetched, at most this often in ms. */
const interval = 5_000;

/**
 * The three counts, from events and from calls. `onRise` is called when an event brings a count above what events told before it, also where
 * an answer has shown that count already: an answer is silent, and may overtake the event that it follows from.
 */
export function createCounters(call: () => Call, permissions: () => PermissionMap, onRise: (name: CounterName) => void) {
  const store = createStore<CountersState>(() => none);
  let asked = 0;
  let events = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let loadedAt = -Infinity;
  /** What an event must exceed to be a rise: the counts of the last event, or less where an answer showed less since. */
  let heard = none.counts;

  const maySee = (name: CounterName) => isAllowed(permissions(), counterPermissions[name]);
  const mayLoad = () => maySee("deposit") || maySee("withdraw") || maySee("paymentAccount");

  const visible = (deposit: number, withdraw: number, paymentAccount: number) => ({
    deposit: maySee("deposit") ? deposit : null,
    withdraw: maySee("withdraw") ? withdraw : null,
    paymentAccount: maySee("paymentAccount") ? paymentAccount : null,
  });

  async function refresh(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (!mayLoad()) {
      heard = none.counts;
      store.setState(none);
      return;
    }
    const mine = ++asked;
    const before = events;
    loadedAt = performance.now();
    try {
      const { data } = await call()(notificationRoutes.readNotificationDetails, {}, { background: true });
      if (mine !== asked) return; // a newer answer is on its way
      store.setState({ details: data, failed: false });
      // counts of an event received meanwhile are newer
      if (before === events) {
        const counts = visible(data.processDepositCount, data.pendingWithdrawalCount, data.criticalAccountCount);
        heard = lower(heard, counts);
        store.setState({ counts });
      }
    } catch {
      if (mine === asked) store.setState({ failed: true });
    }
  }

  return {
    store,
    refresh,
    /** Takes the counts that came with an event. */
    onEvent(event: ChangeEvent) {
      events++;
      const before = heard;
      const counts = visible(event.process_count, event.pending_count, event.critical_account_count);
      heard = counts;
      store.setState({ counts });
      for (const name of counterNames) if (before[name] !== null && (counts[name] ?? 0) > before[name]) onRise(name);
      timer ??= setTimeout(() => void refresh(), Math.max(loadedAt + interval - performance.now(), 250));
    },
    clear() {
      asked++;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      heard = none.counts;
      store.setState(none);
    },
  };
}
