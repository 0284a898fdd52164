import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeCrew } from "../support/crew.ts";
import { testDatabase } from "../support/database.ts";
import { makeAccount } from "../support/factories.ts";
import { hold, holds } from "../support/held-connections.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import { makeOffice } from "../support/payments.ts";
import type { ServerProcess } from "../support/processes.ts";
import { serverProcess } from "../support/processes.ts";
import { settingsFor } from "../support/settings-for.ts";

const db = testDatabase();
let server: ServerProcess;

beforeEach(async () => {
  server = await serverProcess(settingsFor(db));
  await server.start();
});
afterEach(() => server.end());

describe("an orderly stop ends, logging no error, before the client does that", () => {
  test.each(holds)("%s", async (_, words, first) => {
    const held = await hold(server.url, words);
    await expect.poll(held.heard).toContain(first);
    const { code, logged } = await server.stop();
    expect({ code, logged, hadEnough: held.hadEnough() }).toEqual({ code: 0, logged: "", hadEnough: false });
    held.socket.destroy();
  });
});

test("what runs is finished and answered, as its connection's last", async () => {
  const office = await makeOffice(db);
  await makeAccount(db, office.tenant);
  const merchant = await makeSigningMerchant(db, office.deps, office.tenant, { callback_url: null, wallet: "10000" });
  const [operator] = await makeCrew(db, { deps: office.deps, url: server.url } as unknown as Parameters<typeof makeCrew>[1], office, 1); // it asks over the url only
  const { id: uuid, version } = await office.withdraw(merchant);
  const holder = await db.owner.connect();
  try {
    await holder.query("begin");
    await holder.query("select from transactions where id = $1 for update", [uuid]);
    const acted = operator?.act("claim", { uuid, version });
    await expect
      .poll(
        async () =>
          (await db.owner.query("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")).rowCount,
      )
      .toBe(1);
    const stopped = server.stop();
    await holder.query("rollback");
    expect(await acted).toMatchObject({ done: true });
    expect(await stopped).toEqual({ code: 0, logged: "" });
  } finally {
    holder.release();
  }
});

test("a probe learns that the server is stopping before it is gone, and that its connection closes", async () => {
  const asked: { status: number; connection: string | null }[] = [];
  const ask = async () => {
    const { status, headers } = await fetch(`${server.url}/readyz`);
    asked.push({ status, connection: headers.get("connection") });
  };
  await ask();
  const stopped = server.stop();
  for (let gone = false; !gone;) {
    // oxlint-disable-next-line no-await-in-loop -- as a probe does, one after the other
    gone = await ask().then(
      () => false,
      () => true,
    );
    // oxlint-disable-next-line no-await-in-loop
    await delay(20);
  }
  expect(await stopped).toEqual({ code: 0, logged: "" });
  expect(asked[0]).toEqual({ status: 200, connection: "keep-alive" });
  expect(asked.at(-1)).toEqual({ status: 503, connection: "close" });
});
