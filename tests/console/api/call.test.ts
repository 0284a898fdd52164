import { afterEach, describe, expect, test } from "vitest";
import { routes } from "../../../src/contract/index.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import { urlOf } from "../../../src/console/api/call.ts";
import { accessToken, memoryJar, memoryLocks, openTab, startServer } from "./tab-and-server.ts";

const minutes = 60_000;
const fresh = (mark = "") => accessToken(Date.now() + 15 * minutes, mark);
const refreshPath = routes.refreshToken.path;
const rows = [{ uuid: "7d4f2f1e-98b7-4d1f-9c58-2b8a4f0d5a11", version: 3 }];

let stop: () => Promise<void> = () => Promise.resolve();
afterEach(() => stop());

async function serve(answer: Parameters<typeof startServer>[0]) {
  const server = await startServer(answer);
  stop = server.stop;
  return server;
}

/** A server that accepts one access token, and returns the next one for its refresh token. */
async function guarded() {
  let generation = 1;
  const current = () => fresh(String(generation));
  const server = await serve(({ path, headers, body }) => {
    if (path === refreshPath) {
      if ((body as { refresh_token: string }).refresh_token !== `refresh-${generation}`) {
        return { status: 401, body: { message: "no", code: "refresh.refused" } };
      }
      generation++;
      return { status: 200, body: { data: { access_token: current(), refresh_token: `refresh-${generation}` } } };
    }
    const mark = JSON.parse(Buffer.from(headers.authorization?.split(".")[1] ?? "e30", "base64url").toString()) as { mark?: string };
    if (mark.mark !== String(generation)) return { status: 401, body: { message: "Session expired", code: "session.expired" } };
    return { status: 200, body: { data: { processDepositCount: 1, pendingWithdrawalCount: 2, criticalAccountCount: 3 } } };
  });
  return { ...server, expire: () => void generation++, generation: () => generation };
}

const counts = routes.readNotificationDetails;

describe("what is sent", () => {
  test("path parameters and query are filled in, empty ones left out", () => {
    expect(urlOf(routes.readWithdrawal, { params: { uuid: "a/b" } })).toBe(`${routes.listWithdrawals.path}/a%2Fb`);
    expect(urlOf(routes.listWithdrawals, { query: { view: "all", q: "", limit: 5, cursor: undefined } })).toBe(
      `${routes.listWithdrawals.path}?view=all&limit=5`,
    );
  });

  test("every request names the tab's tenant and currency and carries the bearer token", async () => {
    const server = await serve(() => ({ status: 200, body: { data: {} } }));
    const tab = openTab(server.base);
    const token = fresh();
    tab.tokens.keep({ access_token: token, refresh_token: "r" });
    tab.selection.chooseTenant("t-1");
    tab.selection.chooseCurrency("MYR");
    await tab.call(counts, {});
    expect(server.asked[0]?.headers).toMatchObject({ "x-tenant-id": "t-1", "x-currency": "MYR", authorization: `Bearer ${token}` });
    expect(server.asked[0]?.headers).not.toHaveProperty("idempotency-key");
  });

  test("a sign-in sends no token", async () => {
    const server = await serve(() => ({ status: 200, body: { data: { access_token: "a", refresh_token: "b" } } }));
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await tab.call(routes.login, { body: { email: "a@b.c", password: "x" } });
    expect(server.asked[0]?.headers).not.toHaveProperty("authorization");
  });

  test("each write has an Idempotency-Key of its own", async () => {
    const server = await serve(() => ({ status: 200, body: { data: { outcomes: [] } } }));
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await tab.call(routes.approveWithdrawals, { body: { rows } });
    await tab.call(routes.approveWithdrawals, { body: { rows } });
    const keys = server.asked.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe("an access token near its end", () => {
  test("is refreshed first when less than 5 minutes remain", async () => {
    const server = await guarded();
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: accessToken(Date.now() + 4.9 * minutes, "1"), refresh_token: "refresh-1" });
    await tab.call(counts, {});
    expect(server.asked.map(({ path }) => path)).toEqual([refreshPath, counts.path]);
    expect(tab.jar.get("refresh_token")).toBe("refresh-2");
    expect(tab.jar.days.get("access_token")).toBe(2);
  });

  test("is not refreshed while more remains", async () => {
    const server = await guarded();
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: accessToken(Date.now() + 5.2 * minutes, "1"), refresh_token: "refresh-1" });
    await tab.call(counts, {});
    expect(server.to(refreshPath)).toHaveLength(0);
  });

  test("is judged by the server's clock: a machine an hour ahead does not refresh sooner", async () => {
    const server = await guarded();
    const tab = openTab(server.base);
    tab.time.noteExact(new Date(Date.now() - 60 * minutes).toISOString());
    tab.tokens.keep({ access_token: accessToken(Date.now() - 50 * minutes, "1"), refresh_token: "refresh-1" });
    await tab.call(counts, {});
    expect(server.to(refreshPath)).toHaveLength(0);
  });

  test("is refreshed once for all callers meanwhile", async () => {
    const server = await guarded();
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: accessToken(Date.now() + minutes, "1"), refresh_token: "refresh-1" });
    await Promise.all(Array.from({ length: 20 }, () => tab.call(counts, {})));
    expect(server.to(refreshPath)).toHaveLength(1);
  });
});

describe("401", () => {
  test("50 at once make one refresh, and all succeed", async () => {
    const server = await guarded();
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh("0"), refresh_token: "refresh-1" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => tab.call(counts, {})));
    expect(answers).toHaveLength(50);
    expect(server.to(refreshPath)).toHaveLength(1);
    expect(tab.lost).toEqual([]);
    expect(tab.reported).toEqual([]);
  });

  test("several tabs of one browser share one refresh", async () => {
    const server = await guarded();
    const [jar, locks] = [memoryJar(), memoryLocks()];
    const tabs = Array.from({ length: 4 }, () => openTab(server.base, { jar, locks }));
    tabs[0]?.tokens.keep({ access_token: fresh("0"), refresh_token: "refresh-1" });
    await Promise.all(tabs.flatMap((tab) => Array.from({ length: 10 }, () => tab.call(counts, {}))));
    expect(server.to(refreshPath)).toHaveLength(1);
  });

  test("a retried write keeps its idempotency key", async () => {
    const server = await guarded();
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh("0"), refresh_token: "refresh-1" });
    await tab.call(routes.approveWithdrawals, { body: { rows } }, { idempotencyKey: "intent-of-the-operator-1" });
    const keys = server.to(routes.approveWithdrawals.path).map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual(["intent-of-the-operator-1", "intent-of-the-operator-1"]);
  });

  test("a refused refresh ends the session, with the server's message as a toast", async () => {
    const server = await guarded();
    const tab = openTab(server.base);
    const used = fresh("0");
    tab.tokens.keep({ access_token: used, refresh_token: "stolen" });
    await expect(tab.call(counts, {})).rejects.toMatchObject({ status: 401, code: "session.expired", reported: true });
    expect(tab.lost).toEqual([used]);
    expect(tab.reported).toHaveLength(1);
    expect(server.to(counts.path)).toHaveLength(1);
  });

  test("a second 401 after the retry ends the session without a third try", async () => {
    const server = await serve(({ path }) =>
      path === refreshPath
        ? { status: 200, body: { data: { access_token: fresh("new"), refresh_token: "r2" } } }
        : { status: 401, body: { message: "Session ended", code: "session.ended" } },
    );
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh("old"), refresh_token: "r1" });
    await expect(tab.call(counts, {})).rejects.toBeInstanceOf(CallFailure);
    expect(server.asked.map(({ path }) => path)).toEqual([counts.path, refreshPath, counts.path]);
    expect(tab.lost).toHaveLength(1);
  });

  test("a refresh without an answer keeps the session", async () => {
    const server = await serve(({ path }) =>
      path === refreshPath ? { status: 0, cut: true } : { status: 401, body: { message: "Session expired", code: "session.expired" } },
    );
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh("old"), refresh_token: "r1" });
    await expect(tab.call(counts, {})).rejects.toMatchObject({ kind: "no-response" });
    expect(tab.lost).toEqual([]);
    expect(tab.tokens.refreshToken()).toBe("r1");
  });

  test("a wrong password neither refreshes nor ends the session", async () => {
    const server = await serve(() => ({ status: 401, body: { message: "Wrong", code: "login.refused" } }));
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r1" });
    await expect(tab.call(routes.login, { body: { email: "a@b.c", password: "x" } })).rejects.toMatchObject({ code: "login.refused" });
    expect(server.asked).toHaveLength(1);
    expect(tab.lost).toEqual([]);
  });
});

describe("403", () => {
  const no = { status: 403, body: { message: "No right", code: "permission.missing" } };
  const yes = { status: 200, body: { data: { outcomes: [] } } };

  test("reloads the context once and tries again", async () => {
    let reloads = 0;
    const server = await serve((_, n) => (n === 1 ? no : yes));
    const tab = openTab(server.base, { hooks: { reloadContext: () => Promise.resolve(++reloads > 0) } });
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await tab.call(routes.approveWithdrawals, { body: { rows } });
    expect(reloads).toBe(1);
    expect(tab.forbidden()).toBe(0);
    expect(server.asked[0]?.headers["idempotency-key"]).toBe(server.asked[1]?.headers["idempotency-key"]);
  });

  test("a second one goes to the forbidden page", async () => {
    const server = await serve(() => no);
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await expect(tab.call(counts, {})).rejects.toMatchObject({ status: 403, code: "permission.missing" });
    expect(tab.forbidden()).toBe(1);
    expect(server.asked).toHaveLength(2);
    expect(tab.reported).toHaveLength(1);
  });

  test.each([
    ["the one", { permission: "pas.merchant.merchants.view" }, ["pas.merchant.merchants.view"]],
    ["each of several", { permission: ["a.view", "b.view"] }, ["a.view", "b.view"]],
    ["none", { group: "owner" }, []],
  ])("which says what right was lacking takes %s along", async (_, data, needed) => {
    const server = await serve(() => ({ ...no, body: { ...no.body, data } }));
    const told: unknown[] = [];
    const tab = openTab(server.base, { hooks: { forbidden: (rights) => void told.push(rights) } });
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await expect(tab.call(counts, {})).rejects.toMatchObject({ status: 403 });
    expect(told).toEqual([needed]);
  });

  test("in the background changes no page and shows no toast", async () => {
    const server = await serve(() => no);
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await expect(tab.call(counts, {}, { background: true })).rejects.toMatchObject({ status: 403, reported: true });
    expect(tab.forbidden()).toBe(0);
    expect(tab.reported).toEqual([]);
  });

  test.each(["t-2", null])("that leaves the tab in tenant %s neither tries again nor changes the page", async (next) => {
    const server = await serve(() => no);
    const tab = openTab(server.base, {
      hooks: {
        reloadContext: () => {
          if (next === null) tab.selection.forgetTenant();
          else tab.selection.chooseTenant(next);
          return Promise.resolve(true);
        },
      },
    });
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    tab.selection.chooseTenant("t-1");
    await expect(tab.call(routes.approveWithdrawals, { body: { rows } })).rejects.toMatchObject({ code: "permission.missing" });
    expect(server.asked.map(({ headers }) => headers["x-tenant-id"])).toEqual(["t-1"]);
    expect([tab.forbidden(), tab.reported.length]).toEqual([0, 1]);
  });

  test.each(["password.must-change", "two-factor.must-set-up"])(
    "%s: the page asks for it, and neither says nor forbids anything",
    async (code) => {
      let came = true;
      let reads = 0;
      const server = await serve(() => ({ status: 403, body: { message: "First this", code } }));
      const tab = openTab(server.base, { hooks: { reloadProfile: () => Promise.resolve((reads++, came)) } });
      tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
      await expect(tab.call(counts, {})).rejects.toMatchObject({ status: 403, code });
      expect([reads, tab.forbidden(), tab.reported.length]).toEqual([1, 0, 0]);
      came = false;
      await expect(tab.call(counts, {})).rejects.toMatchObject({ status: 403, code });
      expect([reads, tab.forbidden(), tab.reported.length]).toEqual([2, 1, 1]);
      await expect(tab.call(counts, {}, { background: true })).rejects.toMatchObject({ status: 403, code });
      expect([reads, tab.forbidden(), tab.reported.length]).toEqual([2, 1, 1]);
    },
  );

  test("of the context itself does not reload the context", async () => {
    const server = await serve(() => no);
    const tab = openTab(server.base, { hooks: { reloadContext: () => Promise.reject(new Error("asked for")) } });
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await expect(tab.call(routes.readContext, {})).rejects.toMatchObject({ status: 403 });
    expect(server.asked).toHaveLength(1);
  });
});

describe("step-up", () => {
  const needed = { status: 428, body: { message: "Prove first that it is still you.", code: "step-up.required" } };
  const done = { status: 200, body: { data: { outcomes: [] } } };

  test("asks for proof and sends the same write again under its key", async () => {
    const server = await serve((_, n) => (n === 1 ? needed : done));
    let asked = 0;
    const tab = openTab(server.base, { hooks: { proveAgain: () => Promise.resolve(++asked > 0) } });
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await tab.call(routes.approveWithdrawals, { body: { rows } });
    const keys = server.asked.map(({ headers }) => headers["idempotency-key"]);
    expect([asked, keys.length, new Set(keys).size]).toEqual([1, 2, 1]);
    expect(server.asked[1]?.body).toEqual(server.asked[0]?.body);
    expect(tab.reported).toEqual([]);
  });

  test("reports nothing and sends nothing more where the user cancels", async () => {
    const server = await serve(() => needed);
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await expect(tab.call(routes.approveWithdrawals, { body: { rows } })).rejects.toMatchObject({ kind: "aborted", reported: true });
    expect(server.asked).toHaveLength(1);
    expect(tab.reported).toEqual([]);
  });

  test("asks only once: a server that still wants proof is reported", async () => {
    const server = await serve(() => needed);
    let asked = 0;
    const tab = openTab(server.base, { hooks: { proveAgain: () => Promise.resolve(++asked > 0) } });
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await expect(tab.call(routes.approveWithdrawals, { body: { rows } })).rejects.toMatchObject({ code: "step-up.required" });
    expect([asked, server.asked.length, tab.reported.length]).toEqual([1, 2, 1]);
  });

  test("never asks during a background call", async () => {
    const server = await serve(() => needed);
    let asked = 0;
    const tab = openTab(server.base, { hooks: { proveAgain: () => Promise.resolve(++asked > 0) } });
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await expect(tab.call(counts, {}, { background: true })).rejects.toMatchObject({ code: "step-up.required" });
    expect(asked).toBe(0);
  });
});

describe("where a call belongs", () => {
  const done = { status: 200, body: { data: { outcomes: [] } } };
  const first = {
    "a refresh": { status: 401, body: { message: "Session expired", code: "session.expired" } },
    "a context loaded again": { status: 403, body: { message: "No right", code: "permission.missing" } },
    "a pause": { status: 503, body: { message: "Busy", code: "request.busy" } },
    "a proof": { status: 428, body: { message: "Prove first", code: "step-up.required" } },
  };

  test.each(Object.entries(first))("is settled as it begins: after %s it goes out where it did before", async (why, refusal) => {
    let writes = 0;
    const server = await serve(({ path }) => {
      if (path === refreshPath) return { status: 200, body: { data: { access_token: fresh("new"), refresh_token: "r2" } } };
      // the operator switches meanwhile
      tab.selection.chooseCurrency("PHP");
      if (why !== "a context loaded again") tab.selection.chooseTenant("t-2");
      return ++writes === 1 ? refusal : done;
    });
    const tab = openTab(server.base, { hooks: { proveAgain: () => Promise.resolve(true) } });
    tab.tokens.keep({ access_token: fresh("old"), refresh_token: "r1" });
    tab.selection.chooseTenant("t-1");
    tab.selection.chooseCurrency("MYR");
    await tab.call(routes.approveWithdrawals, { body: { rows } });
    const places = server.to(routes.approveWithdrawals.path).map(({ headers }) => [headers["x-tenant-id"], headers["x-currency"]]);
    expect(places).toEqual([
      ["t-1", "MYR"],
      ["t-1", "MYR"],
    ]);
  });

  test("the refresh sends the same tenant and currency", async () => {
    const server = await guarded();
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh("0"), refresh_token: "refresh-1" });
    tab.selection.chooseTenant("t-1");
    tab.selection.chooseCurrency("MYR");
    await tab.call(counts, {});
    expect(server.to(refreshPath).map(({ headers }) => [headers["x-tenant-id"], headers["x-currency"]])).toEqual([["t-1", "MYR"]]);
  });
});

describe("a server that does not answer", () => {
  test("a cut write is sent again under the same key", async () => {
    const server = await serve((_, n) => (n === 1 ? { status: 0, cut: true } : { status: 200, body: { data: { outcomes: [] } } }));
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await tab.call(routes.approveWithdrawals, { body: { rows } });
    const keys = server.asked.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  test("a repeated write waits for its own first attempt to end", async () => {
    const busy = { status: 409, body: { message: "In progress", code: "request.in-progress" } };
    const server = await serve((_, n) =>
      n === 1 ? { status: 0, cut: true } : n === 2 ? busy : { status: 200, body: { data: { outcomes: [] } } },
    );
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await tab.call(routes.approveWithdrawals, { body: { rows } });
    expect(server.asked).toHaveLength(3);
  });

  test("what answers recovery codes is not sent twice, because the repeat of what was done would be refused", async () => {
    const server = await serve(() => ({ status: 0, cut: true }));
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    await expect(tab.call(routes.confirmTwoFactor, { body: { code: "123456" } })).rejects.toMatchObject({ kind: "no-response" });
    expect(server.asked).toHaveLength(1);
  });

  test("a sign-in is not sent twice", async () => {
    const server = await serve(() => ({ status: 0, cut: true }));
    const tab = openTab(server.base);
    await expect(tab.call(routes.login, { body: { email: "a@b.c", password: "x" } })).rejects.toMatchObject({ kind: "no-response" });
    expect(server.asked).toHaveLength(1);
    expect(tab.link.store.getState().online).toBe(false);
  });

  test("an aborted call reports nothing", async () => {
    const server = await serve(() => new Promise(() => {}));
    const tab = openTab(server.base);
    tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
    const leave = new AbortController();
    const asked = tab.call(counts, {}, { signal: leave.signal });
    leave.abort();
    await expect(asked).rejects.toMatchObject({ kind: "aborted", reported: true });
    expect(tab.reported).toEqual([]);
    expect(tab.link.store.getState().online).toBe(true);
  });
});

test("a currency that is gone is replaced, which is all that is reported; any other refusal is reported as usual", async () => {
  const server = await serve(() => ({ status: 422, body: { message: "Invalid selected currency", code: "currency.invalid" } }));
  let gone = true;
  let asked = 0;
  const tab = openTab(server.base, { hooks: { leaveCurrency: () => Promise.resolve((asked++, gone)) } });
  tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
  await expect(tab.call(counts, {})).rejects.toMatchObject({ code: "currency.invalid", reported: true });
  expect([asked, tab.reported.length]).toEqual([1, 0]);
  gone = false;
  await expect(tab.call(counts, {})).rejects.toMatchObject({ code: "currency.invalid" });
  expect([asked, tab.reported.length]).toEqual([2, 1]);
  // lists are read in the background: without a currency there is nothing to keep
  gone = true;
  await expect(tab.call(counts, {}, { background: true })).rejects.toMatchObject({ code: "currency.invalid", reported: true });
  expect([asked, tab.reported.length]).toEqual([3, 1]);
});

test("a quiet call's lines of a 422 are told in a toast all the same (specification, point 8)", async () => {
  const server = await serve(() => ({
    status: 422,
    body: { message: "Some fields need attention.", code: "request.invalid", data: { code: ["Already taken"] } },
    headers: {},
  }));
  const tab = openTab(server.base);
  tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
  await expect(tab.call(routes.claimWithdrawals, { body: { rows } }, { quiet: true })).rejects.toMatchObject({ reported: true });
  expect(tab.reported).toMatchObject([{ data: { code: ["Already taken"] } }]);
});

test("a quiet call leaves its refusal to the caller", async () => {
  const server = await serve(() => ({
    status: 409,
    body: { message: "Too late", code: "withdrawal.claimed", data: { by: "Dewi" } },
    headers: { "x-request-id": "q-7" },
  }));
  const tab = openTab(server.base);
  tab.tokens.keep({ access_token: fresh(), refresh_token: "r" });
  await expect(tab.call(routes.claimWithdrawals, { body: { rows } }, { quiet: true })).rejects.toMatchObject({
    code: "withdrawal.claimed",
    data: { by: "Dewi" },
    requestId: "q-7",
    reported: false,
  });
  expect(tab.reported).toEqual([]);
});
