import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { receiptRoutesOf } from "../../../src/contract/receipts.ts";
import type { Call } from "../../../src/console/api/call.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import { ReceiptWork } from "../../../src/console/transactions/receipts/receipt-work.ts";
import { notingServices } from "../kit/fakes.ts";
import type { Deeds } from "../kit/fakes.ts";

const uuid = "33333333-3333-4333-8333-000000000001";
const receipt = (n: number) => ({
  uuid: `receipt-${n}`,
  type: "image/png",
  size: 900,
  hash: "",
  name: `slip ${n}.png`,
  at: "2026-11-23T01:02:03.000Z",
  by: "Ann",
});

/** `answers`: what the server says to each call in turn. */
function made(answers: (object | Error | (() => Promise<object>))[], picked: File | null = null) {
  const calls: { path: string; sent: unknown }[] = [];
  const call = (async (route: { path: string }, sent: unknown) => {
    calls.push({ path: route.path, sent });
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return { data: typeof next === "function" ? await next() : next };
  }) as unknown as Call; // answers as the contract has them
  const deeds: Deeds = [];
  const { services } = notingServices(deeds);
  const work = new ReceiptWork({
    kind: "withdrawal",
    call,
    services,
    queries: new QueryClient(),
    scope: ["tenant", "MYR"],
    readRow: async (of) => ({ uuid: of, version: 2 }),
    pickFile: async () => picked,
  });
  return { work, calls, deeds };
}
const file = (bytes: number, name = "slip.png") => new File([new Uint8Array(bytes)], name, { type: "image/png" });

test("a file goes to the transaction it was given to, and the row is taken over as it is then", async () => {
  const { work, calls, deeds } = made([{ receipts: [receipt(1)], version: 2 }]);
  const slip = file(900);
  const sent = work.send(uuid, slip);
  expect(work.store.getState().sending).toEqual({ uuid, name: "slip.png" });
  await sent;
  expect(calls).toEqual([{ path: receiptRoutesOf.withdrawal.add.path, sent: { params: { uuid }, file: slip } }]);
  expect(work.store.getState()).toMatchObject({ sending: null, refused: null });
  expect(deeds).toContainEqual(["changed", "withdrawal", [{ uuid, version: 2 }]]);
});

test("a file above 5 MB is refused without a call, and an empty choice is none", async () => {
  const { work, calls } = made([]);
  await work.send(uuid, file(5 * 1024 * 1024 + 1));
  expect(work.store.getState().refused?.uuid).toBe(uuid);
  await work.add(uuid);
  expect(calls).toEqual([]);
});

test("a refusal is told at the transaction it concerns, and gone with the next file", async () => {
  const refusal = new CallFailure("refused", { status: 409, code: "receipt.known", message: "This file is already a receipt here." });
  const { work } = made([refusal, { receipts: [receipt(1)], version: 2 }]);
  await work.send(uuid, file(1));
  expect(work.store.getState().refused).toMatchObject({ uuid });
  await work.send(uuid, file(2));
  expect(work.store.getState()).toMatchObject({ sending: null, refused: null });
});

test("one file at a time", async () => {
  let answer: (value: object) => void = () => undefined;
  const { work, calls } = made([() => new Promise<object>((resolve) => (answer = resolve)), { receipts: [], version: 3 }]);
  const first = work.send(uuid, file(1));
  await work.send(uuid, file(2));
  expect(calls).toHaveLength(1);
  answer({ receipts: [receipt(1)], version: 2 });
  await first;
});

test("the viewer opens on the receipt asked for, and goes on to the last and back to the first", async () => {
  const { work } = made([{ receipts: [receipt(1), receipt(2), receipt(3)], version: 2 }]);
  await work.open(uuid, "receipt-2");
  expect(work.store.getState().viewing?.at).toBe(1);
  work.turn(1);
  work.turn(1);
  expect(work.store.getState().viewing?.at).toBe(2);
  for (let n = 0; n < 5; n++) work.turn(-1);
  expect(work.store.getState().viewing?.at).toBe(0);
  work.close();
  expect(work.store.getState().viewing).toBeNull();
});

test("the question for the reason of a removal says that it cannot be undone", async () => {
  const left = { receipts: [], version: 3 };
  const { work, deeds } = made([{ receipts: [receipt(1)], version: 2 }, left]);
  await work.remove(uuid);
  const question = { title: "transaction.ask.receipt-remove", irreversible: true };
  expect(deeds).toContainEqual(["ask", "text", expect.objectContaining(question)]);
});
