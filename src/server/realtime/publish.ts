import { Agent as PlainAgent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import Pusher from "pusher";
import type { ChangeEvent, ChangeEventName } from "../../contract/notifications.ts";
import type { RealtimeConfig } from "../config.ts";
import type { Logger } from "../log.ts";
import { channelOfTenant } from "./protocol.ts";

/** A tenant's counters in one currency; without `currency`, over all of them. */
export interface Counts {
  readonly currency?: string | undefined;
  readonly processDepositCount: number;
  readonly pendingWithdrawalCount: number;
  readonly criticalAccountCount: number;
}

export interface Publisher {
  /** Publishes changed rows; call it after the commit. Returns at once and never throws; changes within about 100 ms become one event. */
  changed(tenantId: string, event: ChangeEventName, uuids: readonly string[]): void;
  /** Resolves when every change so far has been sent or given up. */
  flush(): Promise<void>;
  /** Sends what is waiting, within about two seconds, and then stops. */
  close(): Promise<void>;
}

interface PublisherDeps {
  /** Where to publish. Read at the first event, when an embedded endpoint knows its port. */
  readonly service: () => RealtimeConfig;
  /** The current counters: one entry, and one event, per currency. */
  counts(tenantId: string): Promise<readonly Counts[]>;
  readonly log: Logger;
}

const coalesceMs = 100;
const retryMs = [200, 500, 1000, 2000, 4000];
/** Most uuids in an event, which keeps it well below the 8000 bytes of a notification; beyond it the event has `more`. */
const uuidLimit = 100;
/** Events in one batch (Pusher's HTTP API). */
const batchLimit = 10;

type Changes = Map<ChangeEventName, Set<string>>;
interface Queue {
  changes: Changes;
  timer: NodeJS.Timeout | undefined;
  sending: Promise<void> | undefined;
}

function add(changes: Changes, event: ChangeEventName, uuids: Iterable<string>): void {
  const all = changes.get(event) ?? new Set();
  changes.set(event, all);
  // one beyond the limit is kept, because it means `more`
  for (const uuid of uuids) if (all.size <= uuidLimit) all.add(uuid);
}

/** Publishes with the official client, in order per tenant, with counts read just before sending. */
export function createPublisher({ service, counts, log }: PublisherDeps): Publisher {
  const queues = new Map<string, Queue>();
  const closing = new AbortController();
  let pusher: Pusher | undefined;

  function client(): Pusher {
    if (pusher) return pusher;
    const { appId, key, secret, host, port, tls } = service();
    const agent = new (tls ? TlsAgent : PlainAgent)({ keepAlive: true, maxSockets: 8 });
    pusher = new Pusher({ appId, key, secret, host, port: String(port), useTLS: tls, timeout: 3000, agent });
    return pusher;
  }

  async function publish(tenantId: string, changes: Changes): Promise<void> {
    const at = new Date().toISOString();
    const batch: Pusher.BatchEvent[] = [];
    for (const now of await counts(tenantId)) {
      for (const [name, all] of changes) {
        const data: ChangeEvent = {
          process_count: now.processDepositCount,
          pending_count: now.pendingWithdrawalCount,
          critical_account_count: now.criticalAccountCount,
          ...(now.currency === undefined ? {} : { currency: now.currency }),
          uuids: [...all].slice(0, uuidLimit),
          ...(all.size > uuidLimit ? { more: true } : {}),
          at,
        };
        batch.push({ channel: channelOfTenant(tenantId), name, data });
      }
    }
    for (let from = 0; from < batch.length; from += batchLimit) await client().triggerBatch(batch.slice(from, from + batchLimit));
  }

  /** Changes that could not be sent are merged with later ones, and the next attempt sends both with fresh counts. */
  async function send(tenantId: string, queue: Queue): Promise<void> {
    for (let attempt = 0; queue.changes.size > 0; attempt++) {
      const changes = queue.changes;
      queue.changes = new Map();
      try {
        await publish(tenantId, changes);
        return;
      } catch (error) {
        for (const [event, uuids] of queue.changes) add(changes, event, uuids);
        const wait = closing.signal.aborted ? undefined : retryMs[attempt];
        if (wait === undefined) {
          queue.changes = new Map();
          return log.error({ err: error, tenantId }, "realtime event given up");
        }
        queue.changes = changes;
        log.warn({ err: error, tenantId, attempt }, "realtime event not sent; trying again");
        await delay(wait, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  function start(tenantId: string, queue: Queue): void {
    clearTimeout(queue.timer);
    queue.timer = undefined;
    queue.sending = send(tenantId, queue).finally(() => {
      queue.sending = undefined;
      if (queue.changes.size > 0) schedule(tenantId, queue);
      else queues.delete(tenantId);
    });
  }

  function schedule(tenantId: string, queue: Queue): void {
    queue.timer = setTimeout(() => start(tenantId, queue), coalesceMs).unref();
  }

  async function flush(): Promise<void> {
    while (queues.size > 0) {
      for (const [tenantId, queue] of queues) if (!queue.sending) start(tenantId, queue);
      await Promise.all([...queues.values()].map((queue) => queue.sending));
    }
  }

  return {
    changed(tenantId, event, uuids) {
      if (closing.signal.aborted) return;
      const queue = queues.get(tenantId) ?? { changes: new Map(), timer: undefined, sending: undefined };
      queues.set(tenantId, queue);
      add(queue.changes, event, uuids);
      if (!queue.timer && !queue.sending) schedule(tenantId, queue);
    },
    flush,
    async close() {
      const sent = flush();
      await Promise.race([sent, delay(1500, undefined, { ref: false })]);
      closing.abort();
      await Promise.race([sent, delay(500, undefined, { ref: false })]);
    },
  };
}
