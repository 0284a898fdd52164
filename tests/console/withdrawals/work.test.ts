import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import { withdrawalRoutes } from "../../../src/contract/withdrawals.ts";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import type { Api } from "../../../src/console/api/api.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import { withdrawals } from "../../../src/console/screens/withdrawals/withdrawals.ts";
import { createDecisionWork } from "../../../src/console/transactions/decision-work.ts";
import { inLanguage } from "../in-language.ts";
import { notingServices } from "../kit/fakes.ts";
import { aWithdrawal, dewi, me } from "./rows.ts";

beforeEach(() => inLanguage("en"));

const until = "2026-11-21T06:10:00.000Z";
const id = (n: number) => `33333333-3333-4333-8333-${String(n).padStart(12, "0")}`;
const mine = (n: number) => aWithdrawal({ uuid: id(n), txn_no: `W${n}`, claim: { user: me, name: "Me", since: until, until } });

/** The screen's work before a server that hands out these rows one after another. */
function workOf(free: readonly Withdrawal[]) {
  const held = new Map<string, Withdrawal>();
  const waiting = [...free];
  const answers = new Map<object, (input: { query?: Record<string, unknown> }) => object>([
    [
      withdrawalRoutes.takeNextWithdrawal,
      () => {
        const row = waiting.shift();
        if (row === undefined) throw new CallFailure("no-response");
        held.set(row.uuid, row);
        return { data: { row } };
      },
    ],
    [withdrawalRoutes.listWithdrawals, () => ({ data: [...held.values()], meta: { next: null, previous: null } })],
  ]);
  const call = async (route: object, input: object) => answers.get(route)?.(input);
  const api = { call, time: { now: () => Date.parse(until) } } as unknown as Api; // all that the queue asks of it
  const { services, deeds } = notingServices();
  const work = createDecisionWork(withdrawals, { api, services, queries: new QueryClient(), tenant: "t", currency: "MYR", me });
  return { work, held, deeds };
}

test("whoever works the queue and is taken over from is told, and goes on to the next by itself", async () => {
  const { work, held, deeds } = workOf([mine(1), mine(2)]);
  await work.list.load(() => ({ view: "queue" }));
  const shown = () => work.list.source.rows.map(({ txn_no }) => txn_no);
  work.queue.enter();
  await vi.waitFor(() => expect(shown()).toEqual(["W1"]));
  held.set(id(1), { ...mine(1), version: 4, claim: { user: dewi.uuid, name: dewi.name, since: until, until } });
  await work.claims.heard([id(1)]);
  expect(deeds).toContainEqual(["toast", "withdrawal.claims.taken", "withdrawal.claims.taken-text", { id: "…W1", name: "Dewi" }, "warn"]);
  await vi.waitFor(() => expect(shown()).toContain("W2"));
});

test("why the next could not be claimed is said in the reader's language, without an answer too", async () => {
  await inLanguage("de");
  const { work, deeds } = workOf([]);
  await work.list.load(() => ({ view: "queue" }));
  work.queue.enter();
  const why = "Keine Verbindung zum Server. Bitte erneut versuchen.";
  await vi.waitFor(() => expect(deeds).toContainEqual(["say", "withdrawal.said.take-failed", { why }, "fail"]));
});
