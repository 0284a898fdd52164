import type { Page, WebSocketRoute } from "playwright";
import type { ChangeEvent } from "../../../src/contract/notifications.ts";

/** Rows named by an event, and ms between events: 100 changes a second, as the server puts together what changes within 100 ms. */
const [named, between] = [10, 100];

interface Told {
  readonly event: string;
  readonly channel?: string;
}
interface Read {
  readonly data: { uuid: string; version: number; customer_name: string }[];
}

/**
 * Prepares a page that is not open yet: from `begin` to `end` it hears of 100 changed withdrawals a second, of those it read last, and is
 * answered each of them that it reads again with another name; `end` tells how many these were. Its line and its answers are given that here, so that nothing is decided on the machine that is measured.
 */
export async function changing(page: Page): Promise<{ begin(): void; end(): number }> {
  let line: WebSocketRoute | undefined;
  let channel: string | undefined;
  let near: readonly string[] = [];
  let changed = 0;
  await page.routeWebSocket(/\/app\//, (own) => {
    line = own;
    own.connectToServer().onMessage((message) => {
      const told = JSON.parse(String(message)) as Told; // the protocol's own shape
      if (told.event === "pusher_internal:subscription_succeeded" && told.channel?.startsWith("private-channel.")) channel = told.channel;
      own.send(message);
    });
  });
  await page.route(/\/withdrawals\?.*filter(?:\[|%5B)uuid/, async (route) => {
    const response = await route.fetch();
    const read = (await response.json()) as Read; // a list of the contract
    for (const row of read.data) {
      changed += 1;
      row.version += changed;
      row.customer_name = `Customer ${changed}`;
    }
    await route.fulfill({ response, json: read });
  });
  page.on("response", (response) => {
    if (!/\/withdrawals\?(?!.*uuid)/.test(response.url()) || !response.ok()) return;
    response.json().then(
      ({ data }: Read) => void (near = data.map(({ uuid }) => uuid)),
      () => undefined, // the page is closed
    );
  });
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    begin() {
      let turn = 0;
      timer = setInterval(() => {
        const uuids = Array.from({ length: named }, () => near[(turn++ * 7) % Math.max(1, near.length)] ?? "").filter(Boolean);
        const event: ChangeEvent = {
          process_count: 1,
          pending_count: turn,
          critical_account_count: 0,
          uuids,
          at: new Date().toISOString(),
        };
        line?.send(JSON.stringify({ event: "withdraw", channel, data: JSON.stringify(event) }));
      }, between);
    },
    end() {
      clearInterval(timer);
      return changed;
    },
  };
}
