import { beforeEach, expect, test, vi } from "vitest";
import { CallFailure } from "../../../src/console/api/failure.ts";
import { createFormats } from "../../../src/console/api/formats.ts";
import type { Services } from "../../../src/console/kit/commands/services.ts";
import { createUndoStack } from "../../../src/console/kit/commands/undo.ts";
import { Adjusting } from "../../../src/console/screens/downtime-schedule/adjusting.ts";
import type { Block } from "../../../src/console/screens/downtime-schedule/timeline-lanes.ts";
import type { Downtime } from "../../../src/contract/downtimes.ts";

beforeEach(() => void vi.useFakeTimers());

const formats = createFormats("Asia/Kuala_Lumpur");
const row = {
  uuid: "one",
  version: 1,
  entity: { name: "Naga Slots" },
  starts_at: "2026-11-29T03:00:00.000Z",
  ends_at: "2026-11-29T04:00:00.000Z",
} as Downtime; // what a move reads of it

const block = { key: "one", row } as Block;

/** What moves windows, over a server that answers once it is let. */
function timeline() {
  const undo = createUndoStack();
  const asked: { readonly ends: string; readonly version: number; answer(): void; fail(): void }[] = [];
  let version = 1;
  const said: unknown[] = [];
  const services: Pick<Services, "say" | "changed" | "pushUndo" | "dropUndo"> & { call: unknown } = {
    say: (_, words) => void said.push(words),
    changed: () => {},
    pushUndo: undo.push,
    dropUndo: undo.drop,
    call: (_: unknown, { body }: { body: Pick<Downtime, "starts_at" | "ends_at" | "version"> }) =>
      new Promise((resolve, reject) => {
        asked.push({
          ends: body.ends_at,
          version: body.version,
          answer: () => resolve({ data: { ...row, ...body, version: ++version } }),
          fail: () => reject(new CallFailure("refused", { status: 409, code: "stale", message: "" })),
        });
      }),
  };
  const adjusting = new Adjusting(services as unknown as Services); // the services that a move asks for
  return {
    asked,
    said,
    undo,
    longer: () => adjusting.adjust(block, "end", 15, formats),
    drawn: () => adjusting.moving.getState().now?.end ?? null,
    settle: () => vi.advanceTimersByTimeAsync(500),
  };
}

test("presses in a row are written together, and undone together", async () => {
  const at = timeline();
  at.longer();
  at.longer();
  expect([at.drawn(), at.asked.length]).toEqual([30, 0]);
  await at.settle();
  expect(at.asked.map(({ ends }) => ends)).toEqual(["2026-11-29T04:30:00.000Z"]);
  at.asked[0]?.answer();
  await at.settle();
  const back = at.undo.take()?.back();
  await at.settle();
  at.asked[1]?.answer();
  await back;
  expect(at.asked.map(({ ends }) => ends)).toEqual(["2026-11-29T04:30:00.000Z", row.ends_at]);
  expect(at.undo.take()).toBe(null);
});

test("each part of what is said runs its own way, because dates would turn round beside Arabic names", async () => {
  const at = timeline();
  at.longer();
  await at.settle();
  at.asked[0]?.answer();
  await at.settle();
  expect(at.said).toEqual([
    {
      name: `\u2068${row.entity.name}\u2069`,
      from: `\u2068${formats.time(row.starts_at)}\u2069`,
      to: `\u2068${formats.time("2026-11-29T04:15:00.000Z")}\u2069`,
    },
  ]);
});

test("what is undone before it is sent is never sent", async () => {
  const at = timeline();
  at.longer();
  await at.undo.take()?.back();
  expect(at.drawn()).toBe(null);
  await at.settle();
  expect(at.asked).toEqual([]);
});

test("what is undone while it is being written is written back after its answer", async () => {
  const at = timeline();
  at.longer();
  await at.settle();
  const back = at.undo.take()?.back();
  await at.settle();
  expect(at.asked.length).toBe(1);
  at.asked[0]?.answer();
  await at.settle();
  at.asked[1]?.answer();
  await back;
  expect(at.asked.map(({ ends }) => ends)).toEqual(["2026-11-29T04:15:00.000Z", row.ends_at]);
});

test("a press while what was undone is being written back waits for it, because it moves the window by then", async () => {
  const at = timeline();
  at.longer();
  await at.settle();
  at.asked[0]?.answer();
  await at.settle();
  const back = at.undo.take()?.back();
  at.longer();
  await at.settle();
  expect(at.asked.length).toBe(2);
  at.asked[1]?.answer();
  await back;
  await at.settle();
  expect(at.asked.map(({ ends, version }) => [ends, version])).toEqual([
    ["2026-11-29T04:15:00.000Z", 1],
    [row.ends_at, 2],
    ["2026-11-29T04:15:00.000Z", 3],
  ]);
});

test("a move that was refused leaves nothing to undo, and the window where it was", async () => {
  const at = timeline();
  at.longer();
  await at.settle();
  at.asked[0]?.fail();
  await at.settle();
  expect([at.drawn(), at.undo.take()]).toEqual([null, null]);
});
