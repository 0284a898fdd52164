import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Api } from "../../../src/console/api/api.ts";
import { createRegistry } from "../../../src/console/kit/commands/registry.ts";
import type { Services } from "../../../src/console/kit/commands/services.ts";
import { createDecisionWork } from "../../../src/console/transactions/decision-work.ts";
import { desk } from "../../commands/withdrawal-fixture.ts";
import { inLanguage } from "../in-language.ts";
import { aContext, aPane, aRow, notingServices } from "../kit/fakes.ts";
import { dewi, me } from "../withdrawals/rows.ts";
import { aMadeUp, madeUpCommands, madeUpDeposits } from "./made-up-deposits.ts";
import type { MadeUp } from "./made-up-deposits.ts";

beforeEach(() => inLanguage("en"));

const until = "2026-11-21T06:10:00.000Z";
const claimOf = (user: string, name: string) => ({ user, name, since: until, until });
const id = (n: number) => `33333333-3333-4333-8333-${String(n).padStart(12, "0")}`;

describe("a kind of transaction that the console has not seen before", () => {
  /** Its screen before a server that hands out one after another; `calls`: what was asked of it. */
  function workOf(count: number) {
    const held = new Map<string, MadeUp>();
    const calls: string[] = [];
    const call = async ({ path }: { path: string }) => {
      calls.push(path);
      if (path === "/made-up") return { data: [...held.values()], meta: { next: null, previous: null } };
      const n = held.size + 1;
      if (n > count) throw new Error("none is left");
      held.set(id(n), aMadeUp({ uuid: id(n), txn_no: `D${n}`, status: "process", claim: claimOf(me, "Me") }));
      return { data: { row: held.get(id(n)), checks: [], history: [] } };
    };
    const api = { call, time: { now: () => Date.parse(until) } } as unknown as Api; // all that the queue asks of it
    const { services, deeds } = notingServices();
    const work = createDecisionWork(madeUpDeposits, { api, services, queries: new QueryClient(), tenant: "t", currency: "MYR", me });
    return { work, held, deeds, calls };
  }

  test("is worked by the queue: the next comes when one is decided, and a take-over is told in its own words", async () => {
    const { work, held, deeds, calls } = workOf(3);
    await work.list.load(() => ({ view: "queue" }));
    const shown = () => work.list.source.rows.map(({ txn_no }) => txn_no);
    work.queue.enter();
    await vi.waitFor(() => expect(shown()).toEqual(["D1"]));
    work.took([aMadeUp({ uuid: id(1), version: 9, status: "approved", amount: "12.00" })]);
    await vi.waitFor(() => expect(shown()).toEqual(["D2"]));
    held.set(id(2), aMadeUp({ uuid: id(2), txn_no: "D2", version: 4, status: "process", claim: claimOf(dewi.uuid, "Dewi") }));
    await work.claims.heard([id(2)]);
    expect(deeds).toContainEqual(["toast", "deposit.claims.taken", "deposit.claims.taken-text", { id: "…D2", name: "Dewi" }, "warn"]);
    await vi.waitFor(() => expect(shown()).toContain("D3"));
    expect(work.queue.getState().tally).toEqual({ approved: 1, rejected: 0, deferred: 0, sum: "12.00" });
    expect(new Set(calls)).toEqual(new Set(["/made-up", "/made-up/take-next"]));
  });

  /** Its commands before a server that grants. */
  async function press(chord: string, row: MadeUp) {
    const sent: unknown[] = [];
    const said: string[] = [];
    const services = {
      async call({ path }: { path: string }, { body }: { body: { rows: { uuid: string }[]; reason?: string } }) {
        sent.push([path, body.rows, ...(body.reason === undefined ? [] : [body.reason])]);
        return { data: { outcomes: body.rows.map(({ uuid }) => ({ uuid, done: true, row: aMadeUp({ uuid, status: "approved" }) })) } };
      },
      ask: async () => "Its bank calls back",
      say: (key: string) => void said.push(key),
      changed() {},
    } as unknown as Services; // what these keys use
    const registry = createRegistry([...madeUpCommands], { services, routedScreens: new Set(["deposits"]) });
    const pane = aPane({
      subject: "deposit",
      cursor: aRow(row.uuid, row),
      decision: desk,
      detail: { uuid: row.uuid, version: row.version, paintedAt: 0 },
    });
    const permissions = { "pas.transaction.deposits": ["view", "process"] };
    const context = aContext({ screen: "deposits", user: me, permissions, now: 1_000, pane });
    const owner = registry.owner(chord, context);
    if (owner) await registry.run(owner.id, "key", context);
    return { sent, said };
  }

  test("is approved by its own route with what its kind sends, and refused in its own words", async () => {
    const row = aMadeUp();
    expect(await press("a", row)).toEqual({
      sent: [["/made-up/approve", [{ uuid: row.uuid, version: row.version, slip: "S1", claim: true }]]],
      said: ["transaction.said.approved-left"],
    });
    expect(await press("h", row)).toMatchObject({ sent: [["/made-up/defer", [{ uuid: row.uuid }]]], said: ["transaction.said.deferred"] });
    expect(await press("Shift+u", row)).toMatchObject({ sent: [["/made-up/defer", [{ uuid: row.uuid }], "Its bank calls back"]] });
    const theirs = aMadeUp({ status: "process", claim: claimOf(dewi.uuid, "Dewi") });
    expect(await press("a", theirs)).toEqual({ sent: [], said: ["deposit.refuse.claimed"] });
  });

  test("has the keys of every kind, under names of its own, and none for a second person it does not ask", () => {
    const ids = madeUpCommands.map((command) => command.id);
    expect(ids.every((name) => name.startsWith("deposit."))).toBe(true);
    expect(ids).toContain("deposit.take-next");
    expect(ids).not.toContain("deposit.hand-back");
  });
});
