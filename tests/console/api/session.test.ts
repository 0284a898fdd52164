import { afterEach, describe, expect, test } from "vitest";
import { routes } from "../../../src/contract/index.ts";
import { endingOf } from "../../../src/console/api/session-end.ts";
import type { Ending } from "../../../src/console/api/session-end.ts";
import { createSession } from "../../../src/console/api/session.ts";
import type { Call } from "../../../src/console/api/call.ts";
import type { Session, SessionMessage } from "../../../src/console/api/session.ts";
import { accessToken, openTab, startServer } from "./tab-and-server.ts";
import type { Asked } from "./tab-and-server.ts";

const harbour = { id: "11111111-1111-4111-8111-111111111111", code: "MHP", name: "Mekong Harbour", colour: "#a9bd3a" };
const straits = { id: "22222222-2222-4222-8222-222222222222", code: "SBX", name: "Straits Bridge", colour: "#7b2ff2" };
const stranger = "99999999-9999-4999-8999-999999999999";
const currency = (code: string) => ({ code, name: code, minor_digits: 2, country: { name: code, timezone: { gmt: "+08:00" } } });
const user = { uuid: "33333333-3333-4333-8333-333333333333", tenant_id: harbour.id, email: "n@a.my", name: "Nurul Aisyah" };

type Answer = { status: number; body?: unknown };
let stop: () => Promise<void> = () => Promise.resolve();
afterEach(() => stop());

/** A server of two tenants; `breaks` answers a path otherwise. */
async function fixture(breaks: (asked: Asked) => Answer | null | Promise<Answer | null> = () => null) {
  const server = await startServer(async (asked) => {
    const broken = await breaks(asked);
    if (broken) return broken;
    const tenant = String(asked.headers["x-tenant-id"] ?? harbour.id);
    const path = asked.path.split("?")[0];
    if (path === routes.login.path) return ok({ access_token: accessToken(Date.now() + 900_000), refresh_token: "r" });
    if (path === routes.logout.path) return ok({});
    if (tenant !== harbour.id && tenant !== straits.id)
      return { status: 403, body: { message: "Invalid tenant ID", code: "tenant.invalid" } };
    if (path === routes.readContext.path)
      return ok({ user_groups: ["operator"], permissions: {}, current_tenant: tenant, available_tenants: [harbour, straits] });
    if (path === routes.readConfig.path)
      return ok({
        currencies: tenant === harbour.id ? [currency("MYR"), currency("THB")] : [currency("SGD")],
        server_time: new Date().toISOString(),
      });
    if (path === routes.readProfile.path) return ok({ user });
    return { status: 404, body: { message: "none", code: "not-found" } };
  });
  stop = server.stop;
  const said: string[] = [];
  const announced: SessionMessage[] = [];
  const shut: Ending[] = [];
  let cleared = 0;
  const tab = openTab(server.base, {
    hooks: {
      switchEnd: () => session.switchEnd(),
      reloadContext: () => session.reloadContext(),
      leaveCurrency: (used) => session.leaveCurrency(used),
      lost: (used, failure) => void session.end(used, endingOf(failure)),
    },
  });
  const call: Call = tab.call;
  const session = createSession(() => call, tab.tokens, tab.selection, tab.time, {
    report: (kind, failure) => void said.push(failure ? `${kind}: ${failure.serverMessage}` : kind),
    clearStorage: () => void cleared++,
    announce: (message) => void announced.push(message),
    shut: (ending) => void shut.push(ending),
    flush: () => Promise.resolve(),
  });
  return { server, session, said, announced, shut, cleared: () => cleared, ...tab, state: session.store.getState };
}
const ok = (data: object): Answer => ({ status: 200, body: { data } });

describe("signing in", () => {
  test("asks for config and profile at once, because only the context must come before them", async () => {
    let profileAsked = (): void => {};
    const asked = new Promise<null>((resolve) => (profileAsked = () => resolve(null)));
    const { session, state } = await fixture(({ path }) => {
      if (path === routes.readProfile.path) profileAsked();
      return path === routes.readConfig.path ? asked : null;
    });
    await session.signIn("n@a.my", "right");
    expect(state().phase).toBe("signed-in");
  });

  test("succeeds when context, config and profile have loaded, asked for in this order", async () => {
    const { session, server, state, selection, announced } = await fixture();
    await session.signIn("n@a.my", "right");
    expect(server.asked.map(({ path }) => path)).toEqual([
      routes.login.path,
      routes.readContext.path,
      routes.readConfig.path,
      routes.readProfile.path,
    ]);
    expect(state()).toMatchObject({
      phase: "signed-in",
      at: { tenant: { code: "MHP" }, currency: { code: "MYR" }, user: { name: "Nurul Aisyah" } },
    });
    expect([selection.tenant(), selection.currency()]).toEqual([harbour.id, "MYR"]);
    expect(announced).toEqual([{ kind: "signed-in", user: user.uuid }]);
  });

  test("with two-factor on waits for the code, and a wrong code leaves the challenge open", async () => {
    const { session, state, server, tokens } = await fixture(({ path, body }) => {
      if (path === routes.login.path) return ok({ challenge: "c-1", expires_at: new Date().toISOString() });
      if (path !== routes.signInTwoFactor.path) return null;
      const { code } = body as { code?: string };
      if (code !== "123456") return { status: 422, body: { message: "The code is not right", code: "code.refused" } };
      return ok({ access_token: accessToken(Date.now() + 900_000), refresh_token: "r" });
    });
    const challenge = await session.signIn("n@a.my", "right");
    expect([challenge, tokens.access(), state().at]).toEqual(["c-1", null, null]);
    await expect(session.prove("c-1", { code: "654321" })).rejects.toMatchObject({ code: "code.refused" });
    expect(tokens.access()).toBeNull();
    await session.prove("c-1", { code: "123456" });
    expect(state().phase).toBe("signed-in");
    expect(server.to(routes.signInTwoFactor.path)[1]?.body).toEqual({ challenge: "c-1", code: "123456" });
  });

  test.each([routes.readContext.path, routes.readConfig.path, routes.readProfile.path])("is undone when %s fails", async (path) => {
    const { session, tokens, state, said } = await fixture((asked) =>
      asked.path === path ? { status: 500, body: { message: "Broken", code: "server.failed" } } : null,
    );
    await expect(session.signIn("n@a.my", "right")).rejects.toMatchObject({ status: 500 });
    expect([tokens.access(), tokens.refreshToken()]).toEqual([null, null]);
    expect(state()).toMatchObject({ phase: "signed-out", at: null });
    expect(said).toEqual([path === routes.readProfile.path ? "profile: Broken" : "load: Broken"]);
  });

  test("a failed one ends the session on the server too, but requests nothing more of a server that does not answer", async () => {
    let status = 500;
    const { session, server } = await fixture((asked) =>
      asked.path === routes.readProfile.path ? { status, body: { message: "Broken", code: "server.failed" } } : null,
    );
    await expect(session.signIn("n@a.my", "right")).rejects.toMatchObject({ status });
    expect(server.asked.at(-1)).toMatchObject({
      path: routes.logout.path,
      body: { refresh_token: "r" },
      headers: { authorization: expect.stringMatching(/^Bearer ey/) },
    });
    status = 504;
    await expect(session.signIn("n@a.my", "right")).rejects.toMatchObject({ status });
    expect(server.to(routes.logout.path)).toHaveLength(1);
  });

  test("with a remembered tenant that the user has left, begins without it", async () => {
    const { session, selection, state } = await fixture();
    selection.chooseTenant(stranger);
    await session.signIn("n@a.my", "right");
    expect(state().at?.tenant.code).toBe("MHP");
  });
});

describe("a page opened", () => {
  test("without cookies requests nothing", async () => {
    const { session, server, state } = await fixture();
    await session.start();
    expect(state().phase).toBe("signed-out");
    expect(server.asked).toEqual([]);
  });

  test("with cookies restores the session, once for all callers", async () => {
    const { session, server, state, tokens } = await fixture();
    tokens.keep({ access_token: accessToken(Date.now() + 900_000), refresh_token: "r" });
    await Promise.all([session.start(), session.start()]);
    expect(state().phase).toBe("signed-in");
    expect(server.asked).toHaveLength(3);
  });

  test("while the server does not answer, keeps its cookies for later", async () => {
    const { session, server, state, tokens } = await fixture();
    tokens.keep({ access_token: accessToken(Date.now() + 900_000), refresh_token: "r" });
    await server.stop();
    stop = () => Promise.resolve();
    await session.start();
    expect(state().phase).toBe("unreachable");
    expect(tokens.refreshToken()).toBe("r");
  });
});

describe("tenant and currency", () => {
  test("a switch to another available tenant reloads context, config and profile, and drops what was shown", async () => {
    const { session, server, state, selection } = await fixture();
    await session.signIn("n@a.my", "right");
    const before = server.asked.length;
    expect(await session.switchTenant(straits.id)).toBe(true);
    expect(server.asked.slice(before).map(({ headers }) => headers["x-tenant-id"])).toEqual([straits.id, straits.id, straits.id]);
    expect(state()).toMatchObject({ epoch: 1, switching: true, at: { tenant: { code: "SBX" }, currency: { code: "SGD" } } });
    expect(selection.tenant()).toBe(straits.id);
  });

  test("an unavailable tenant is refused without a request", async () => {
    const { session, server, state, said } = await fixture();
    await session.signIn("n@a.my", "right");
    const before = server.asked.length;
    expect(await session.switchTenant(stranger)).toBe(false);
    expect(said).toEqual(["invalid-tenant"]);
    expect(server.asked).toHaveLength(before);
    expect(state().at?.tenant.code).toBe("MHP");
  });

  test("a failed switch leaves the old tenant in place", async () => {
    const { session, state, selection, said } = await fixture((asked) =>
      asked.path === routes.readConfig.path && asked.headers["x-tenant-id"] === straits.id
        ? { status: 500, body: { message: "Broken", code: "server.failed" } }
        : null,
    );
    await session.signIn("n@a.my", "right");
    await expect(session.switchTenant(straits.id)).rejects.toMatchObject({ status: 500 });
    expect(state()).toMatchObject({ epoch: 0, switching: false, at: { tenant: { code: "MHP" } } });
    expect(selection.tenant()).toBe(harbour.id);
    expect(said).toEqual(["load: Broken"]);
  });

  test("a switch of currency reloads the config", async () => {
    const { session, server, state, jar } = await fixture();
    await session.signIn("n@a.my", "right");
    const before = server.asked.length;
    expect(await session.switchCurrency("THB")).toBe(true);
    expect(server.asked.slice(before).map(({ path, headers }) => [path, headers["x-currency"]])).toEqual([[routes.readConfig.path, "THB"]]);
    expect(state()).toMatchObject({ epoch: 1, at: { currency: { code: "THB" } } });
    expect(jar.days.get("currency")).toBe(7);
  });

  test.each([
    ["currency", (session: Session) => session.switchCurrency("THB"), { "x-currency": "THB" }],
    ["tenant", (session: Session) => session.switchTenant(straits.id), { "x-tenant-id": straits.id }],
  ])(
    "what is asked during a switch of %s waits for it: it has the new place, or the old one where the switch failed",
    async (_, act, there) => {
      let answer = (_with: Answer | null): void => undefined;
      let gate: Promise<Answer | null> | null = null;
      const { call, session, server } = await fixture(({ path }) => (path === routes.readConfig.path ? gate : null));
      await session.signIn("n@a.my", "right");
      const meanwhile = async (switchAnswer: Answer | null) => {
        gate = new Promise((resolve) => (answer = resolve));
        const before = server.asked.length;
        const late = act(session).catch(() => null);
        await expect.poll(() => server.asked.slice(before).some(({ path }) => path === routes.readConfig.path)).toBe(true);
        const kept = call(routes.listWithdrawals, { query: {} }, { quiet: true }).catch(() => null);
        const page = new AbortController();
        const dropped = call(routes.listDeposits, { query: {} }, { signal: page.signal }).catch(
          (failure: { kind: string }) => failure.kind,
        );
        page.abort();
        const begun = call(routes.takeNextWithdrawal, { body: {} }, { quiet: true }).catch((failure: { kind: string }) => failure.kind);
        answer(switchAnswer);
        await Promise.all([late, kept]);
        expect([await dropped, await begun]).toEqual(["aborted", "aborted"]);
        const since = server.asked.slice(before).filter(({ path }) => path !== routes.readContext.path && path !== routes.readProfile.path);
        expect(since.map(({ path }) => path)).toEqual([routes.readConfig.path, routes.listWithdrawals.path]);
        return since.at(-1)?.headers;
      };
      const old = { "x-tenant-id": harbour.id, "x-currency": "MYR" };
      expect(await meanwhile({ status: 500, body: { message: "Broken", code: "server.failed" } })).toMatchObject(old);
      expect(await meanwhile(null)).toMatchObject(there);
    },
  );

  test("a currency not in the list is refused", async () => {
    const { session, said, state } = await fixture();
    await session.signIn("n@a.my", "right");
    expect(await session.switchCurrency("USD")).toBe(false);
    expect(said).toEqual(["invalid-currency"]);
    expect(state().at?.currency?.code).toBe("MYR");
  });
});

describe("what was there a moment ago", () => {
  const rows = [{ uuid: "7d4f2f1e-98b7-4d1f-9c58-2b8a4f0d5a11", version: 3 }];

  /** Signed in at Harbour, which then refuses the user. */
  async function shutOut(also: (asked: Asked) => Answer | null = () => null) {
    let shut = false;
    const all = await fixture((asked) => {
      const tenant = asked.headers["x-tenant-id"];
      if (!shut || asked.path === routes.logout.path) return null;
      if (tenant === harbour.id) return { status: 403, body: { message: "Invalid tenant ID", code: "tenant.invalid" } };
      if (tenant === undefined && asked.path === routes.readContext.path)
        return ok({ user_groups: [], permissions: {}, current_tenant: straits.id, available_tenants: [straits] });
      return also(asked);
    });
    await all.session.signIn("n@a.my", "right");
    shut = true;
    return all;
  }

  test("a write into a lost tenant reaches no other one: the tab switches, says why, and its keys are disabled for a moment", async () => {
    const { call, server, state, said, reported, forbidden, selection } = await shutOut();
    const write = () => call(routes.approveWithdrawals, { body: { rows } });
    const outcomes = await Promise.allSettled([write(), write(), write()]);
    expect(outcomes.map((outcome) => outcome.status === "rejected" && (outcome.reason as { code: string }).code)).toEqual(
      Array(3).fill("tenant.invalid"),
    );
    expect(server.to(routes.approveWithdrawals.path).map(({ headers }) => headers["x-tenant-id"])).toEqual(Array(3).fill(harbour.id));
    expect(state()).toMatchObject({ epoch: 1, switching: true, at: { tenant: { code: "SBX" }, currency: { code: "SGD" } } });
    expect([said, reported.length, forbidden(), selection.tenant()]).toEqual([["tenant-gone"], 0, 0, straits.id]);
    await expect.poll(() => state().switching).toBe(false);
  });

  test("where the next tenant fails too, the tab stays where it was", async () => {
    const { call, server, state, selection, said } = await shutOut(({ path }) =>
      path === routes.readConfig.path ? { status: 403, body: { message: "No right", code: "permission.missing" } } : null,
    );
    await expect(call(routes.approveWithdrawals, { body: { rows } })).rejects.toMatchObject({ status: 403 });
    expect(server.to(routes.approveWithdrawals.path).every(({ headers }) => headers["x-tenant-id"] === harbour.id)).toBe(true);
    expect(state()).toMatchObject({ epoch: 0, switching: false, at: { tenant: { code: "MHP" } } });
    expect([selection.tenant(), said]).toEqual([harbour.id, ["load: No right"]]);
  });

  test("a tenant lost during the switch to it is reported as unavailable", async () => {
    let shut = false;
    const { session, said, state } = await fixture((asked) =>
      shut && asked.headers["x-tenant-id"] === straits.id
        ? { status: 403, body: { message: "Invalid tenant ID", code: "tenant.invalid" } }
        : null,
    );
    await session.signIn("n@a.my", "right");
    shut = true;
    expect(await session.switchTenant(straits.id)).toBe(false);
    expect([said, state().at?.tenant.code]).toEqual([["invalid-tenant"], "MHP"]);
  });

  test("a currency that the tenant has removed is replaced by its first one, once, with a message", async () => {
    let gone = false;
    const { call, session, server, state, said, reported, selection } = await fixture(({ path, headers }) => {
      if (!gone) return null;
      if (path === routes.readConfig.path) return ok({ currencies: [currency("THB")], server_time: new Date().toISOString() });
      if (path.startsWith(routes.listWithdrawals.path) && headers["x-currency"] === "MYR")
        return { status: 422, body: { message: "Invalid selected currency", code: "currency.invalid" } };
      return null;
    });
    await session.signIn("n@a.my", "right");
    expect(await session.leaveCurrency("MYR")).toBe(false);
    expect([state().epoch, said]).toEqual([0, []]);
    gone = true;
    const before = server.to(routes.readConfig.path).length;
    const read = () => call(routes.listWithdrawals, { query: {} }).catch((failure: { reported: boolean }) => failure.reported);
    expect(await Promise.all([read(), read(), read()])).toEqual([true, true, true]);
    // a late refusal of an earlier request
    expect(await session.leaveCurrency("MYR")).toBe(true);
    expect(server.to(routes.readConfig.path).length - before).toBe(1);
    expect(state()).toMatchObject({ epoch: 1, switching: true, at: { currency: { code: "THB" } } });
    expect([selection.currency(), said, reported.length]).toEqual(["THB", ["invalid-currency"], 0]);
  });
});

test("a profile that cannot be read anew is told, and what is known of it stays", async () => {
  let isBroken = false;
  const { session, state, said } = await fixture((asked) =>
    isBroken && asked.path === routes.readProfile.path ? { status: 500, body: { message: "Broken", code: "server.failed" } } : null,
  );
  await session.signIn("n@a.my", "right");
  const before = state().at?.user;
  isBroken = true;
  await expect(session.reloadProfile()).rejects.toMatchObject({ status: 500 });
  expect([said, state().at?.user]).toEqual([["profile: Broken"], before]);
});

describe("leaving", () => {
  test.each([
    ["a context loaded again", (session: Session) => session.reloadContext()],
    ["a profile", (session: Session) => session.reloadProfile()],
    ["settings", (session: Session) => session.reloadConfig()],
    ["a switch of tenant", (session: Session) => session.switchTenant(straits.id)],
    ["a switch of currency", (session: Session) => session.switchCurrency("THB")],
    ["a currency given up", (session: Session) => session.leaveCurrency("MYR")],
  ])("is final: %s that arrives afterwards signs nobody in again", async (_, act) => {
    let open = () => {};
    let gate: Promise<null> | null = null;
    const { session, state } = await fixture(() => gate);
    await session.signIn("n@a.my", "right");
    gate = new Promise((resolve) => (open = () => resolve(null)));
    const late = act(session);
    session.forget(null);
    open();
    await Promise.allSettled([late]);
    expect(state()).toMatchObject({ phase: "signed-out", at: null, switching: false });
  });

  test("signing out revokes on the server, then clears cookies and storages and tells the other tabs", async () => {
    const { session, server, tokens, cleared, announced, state } = await fixture();
    await session.signIn("n@a.my", "right");
    await session.signOut();
    expect(server.asked.at(-1)).toMatchObject({ path: routes.logout.path, body: { refresh_token: "r" } });
    expect([tokens.access(), tokens.refreshToken(), cleared(), state().phase]).toEqual([null, null, 1, "signed-out"]);
    expect(announced.at(-1)).toEqual({ kind: "signed-out", ended: null });
  });

  test("a session ended by the server ends only for the token that was refused", async () => {
    const { session, tokens, state } = await fixture();
    await session.signIn("n@a.my", "right");
    expect(session.end("a token another tab has replaced", null)).toBe(false);
    expect(state().phase).toBe("signed-in");
    expect(session.end(tokens.access(), null)).toBe(true);
    expect(state().phase).toBe("signed-out");
  });

  const changed = { why: "password-changed", at: "2026-11-23T05:12:00.000Z", by: null, ip: "10.0.0.7", agent: "Firefox/140.0" } as const;
  const over = (data?: object): Answer => ({ status: 401, body: { message: "Your session was ended.", code: "session.ended", data } });

  test.each([
    ["with its reason", over(changed), changed],
    ["without one", over(), { why: "over" }],
    ["by its time", { status: 401, body: { message: "Sign in first.", code: "session.missing" } }, { why: "expired" }],
  ] as const)("a session found over %s says so, in the page that stands and in one opened anew", async (_, answer, ending) => {
    let isOver = false;
    const { session, tokens, state } = await fixture(({ path }) => (isOver && path !== routes.login.path ? answer : null));
    await session.signIn("n@a.my", "right");
    isOver = true;
    const kept = { access_token: tokens.access() ?? "", refresh_token: tokens.refreshToken() ?? "" };
    await session.reloadContext();
    expect(state()).toMatchObject({ phase: "signed-out", ended: ending });
    tokens.keep(kept);
    await session.start();
    expect(state()).toMatchObject({ phase: "signed-out", ended: ending });
    isOver = false;
    // another tab has signed in meanwhile
    tokens.keep(kept);
    await session.start();
    expect(state()).toMatchObject({ phase: "signed-in", ended: null });
    session.end(tokens.access(), { why: "over" });
    await session.signIn("n@a.my", "right");
    expect(state()).toMatchObject({ phase: "signed-in", ended: null });
  });

  test("a user without any tenant left is suspended: signed out at once, with that reason", async () => {
    let isShut = false;
    const refused = { status: 403, body: { message: "Invalid tenant ID", code: "tenant.invalid" } };
    const { session, call, shut, state, forbidden, reported } = await fixture(() => (isShut ? refused : null));
    await session.signIn("n@a.my", "right");
    isShut = true;
    await expect(call(routes.listWithdrawals, { query: {} })).rejects.toMatchObject({ code: "tenant.invalid" });
    expect(state()).toMatchObject({ phase: "signed-out", ended: { why: "suspended" } });
    expect([shut, forbidden(), reported.length]).toEqual([[{ why: "suspended" }], 0, 0]);
  });
});
