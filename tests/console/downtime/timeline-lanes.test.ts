import { expect, test } from "vitest";
import type { Downtime, DowntimeTimeline, Lane } from "../../../src/contract/downtimes.ts";
import { blockAt, firstBlock, lanesIn, moved } from "../../../src/console/screens/downtime-schedule/timeline-lanes.ts";

const hour = 3_600_000;
const at = (hours: number) => new Date(hours * hour).toISOString();
const row = (uuid: string) => ({ uuid }) as Downtime; // what the lanes read of it
const lane = (uuid: string, above: string | null): Lane => ({ uuid, above, kind: "provider-game", name: uuid, note: "", games: null });
/** Windows by lane: each its downtime, begin and end in hours. */
function timeline(
  lanes: readonly Lane[],
  windows: Readonly<Record<string, readonly (readonly [string, number, number])[]>>,
): DowntimeTimeline {
  const all = Object.entries(windows).flatMap(([on, list]) =>
    list.map(([downtime, from, to]) => ({ lane: on, downtime, start_time: at(from), end_time: at(to) })),
  );
  return { lanes: [...lanes], more: 0, windows: all, downtimes: [...new Set(all.map(({ downtime }) => downtime))].map(row) };
}

const stretch = { from: 0, to: 24 * hour };
const drawn = timeline([lane("naga", null), lane("naga-hp", "naga"), lane("golden", "naga-hp"), lane("quiet", null), lane("selat", null)], {
  naga: [
    ["n1", 2, 4],
    ["n2", 15, 16],
  ],
  golden: [
    ["g1", 15.5, 17],
    ["g2", 20, 21],
  ],
  selat: [
    ["s1", 23, 30],
    ["s2", 30, 31],
  ],
});

test("a lane is drawn with its own windows, those from above, and where both meet; one without any is not", () => {
  const lanes = lanesIn(drawn, stretch, 15.25 * hour);
  expect(lanes.map(({ lane: { uuid }, depth, blocks, above }) => [uuid, depth, blocks.length, above.length])).toEqual([
    ["naga", 0, 2, 0],
    ["naga-hp", 1, 0, 2],
    ["golden", 2, 2, 2],
    ["selat", 0, 1, 0],
  ]);
  expect(lanes[2]?.overlaps).toEqual([{ from: 15.5 * hour, to: 16 * hour }]);
  expect(lanes[0]?.blocks.map(({ state }) => state)).toEqual(["ended", "now"]);
  expect(lanes[1]?.above.map(({ isNow }) => isNow)).toEqual([false, true]);
});

test("the cursor begins on what lasts, else on what comes next, else on the last there is", () => {
  const first = (now: number) => firstBlock(lanesIn(drawn, stretch, now * hour), now * hour)?.row.uuid;
  expect([first(15.25), first(5), first(0), first(40)]).toEqual(["n2", "n2", "n1", "s1"]);
  expect(firstBlock([], 0)).toBeNull();
});

test("it goes along the lane, and to the nearest in time on the next lane that has any", () => {
  const lanes = lanesIn(drawn, stretch, 0);
  const go = (from: string, ...motions: Parameters<typeof moved>[2][]) => {
    const key = lanes.flatMap(({ blocks }) => blocks).find(({ row: { uuid } }) => uuid === from)?.key ?? null;
    let block = blockAt(lanes, key);
    for (const motion of motions) block = block && moved(lanes, block, motion);
    return block?.row.uuid;
  };
  expect([go("n1", "right"), go("n2", "right"), go("n2", "left"), go("n1", "left")]).toEqual(["n2", "n2", "n1", "n1"]);
  expect([go("n1", "down"), go("n2", "down"), go("g2", "down"), go("s1", "down")]).toEqual(["g1", "g1", "s1", "s1"]);
  expect([go("s1", "up"), go("g2", "up"), go("n1", "up")]).toEqual(["g2", "n2", "n1"]);
});
