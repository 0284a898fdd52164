import type { Downtime, DowntimeTimeline, Lane } from "../../../contract/downtimes.ts";
import type { Stretch } from "./timeline-span.ts";

/** A window on its lane. */
export interface Block extends Stretch {
  /** Its downtime and which of its windows it is, so that a window that is moved stays the same one. */
  readonly key: string;
  readonly row: Downtime;
  readonly state: Downtime["state"];
}

export interface DrawnLane {
  readonly lane: Lane;
  /** 0 on the left. */
  readonly depth: number;
  readonly blocks: readonly Block[];
  /** Windows of what stands above it. */
  readonly above: readonly (Stretch & { readonly isNow: boolean })[];
  /** Where a window of its own and one from above meet. */
  readonly overlaps: readonly Stretch[];
}

const meets = (one: Stretch, other: Stretch): boolean => one.from < other.to && one.to > other.from;
const common = (one: Stretch, other: Stretch): Stretch => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) });

/** The windows of all lanes, as blocks; what has ended and what lasts is judged by `now`. */
function blocksOf({ windows, downtimes }: DowntimeTimeline, now: number): ReadonlyMap<string, Block[]> {
  const rows = new Map(downtimes.map((row) => [row.uuid, row]));
  const all = new Map<string, Block[]>();
  for (const { downtime, lane, start_time, end_time } of windows) {
    const row = rows.get(downtime);
    if (row === undefined) continue;
    const [from, to] = [Date.parse(start_time), Date.parse(end_time)];
    const state = to <= now ? "ended" : from <= now ? "now" : "planned";
    const blocks = all.get(lane) ?? [];
    const nth = blocks.filter((block) => block.row === row).length;
    blocks.push({ key: `${downtime} ${nth}`, row, from, to, state });
    all.set(lane, blocks);
  }
  return all;
}

/** The lanes that have something within a stretch, on their own or from above, and those these stand beneath. */
export function lanesIn(timeline: DowntimeTimeline, stretch: Stretch, now: number): DrawnLane[] {
  const blocks = blocksOf(timeline, now);
  const byId = new Map(timeline.lanes.map((lane) => [lane.uuid, lane]));
  const within = (lane: string) => (blocks.get(lane) ?? []).filter((block) => meets(block, stretch));
  const lineOf = ({ above }: Lane): Lane[] => {
    const upper = above === null ? undefined : byId.get(above);
    return upper === undefined ? [] : [upper, ...lineOf(upper)];
  };
  const drawn = timeline.lanes.map((lane): DrawnLane => {
    const line = lineOf(lane);
    const own = within(lane.uuid);
    const above = line.flatMap(({ uuid }) => within(uuid));
    return {
      lane,
      depth: line.length,
      blocks: own,
      above: above.map(({ from, to, state }) => ({ from, to, isNow: state === "now" })),
      overlaps: own.flatMap((block) => above.filter((other) => meets(block, other)).map((other) => common(block, other))),
    };
  });
  const kept = new Set<string>();
  for (const { lane, blocks: own, above } of drawn) {
    if (own.length + above.length === 0) continue;
    kept.add(lane.uuid);
    for (const { uuid } of lineOf(lane)) kept.add(uuid);
  }
  return drawn.filter(({ lane }) => kept.has(lane.uuid));
}

export type Motion = "left" | "right" | "up" | "down";

const all = (lanes: readonly DrawnLane[]): readonly Block[] => lanes.flatMap(({ blocks }) => blocks);

/** Where the cursor begins: on what lasts now, else on what comes next, else on the last. */
export function firstBlock(lanes: readonly DrawnLane[], now: number): Block | null {
  const blocks = all(lanes).toSorted((a, b) => a.from - b.from);
  return blocks.find(({ state }) => state === "now") ?? blocks.find(({ from }) => from > now) ?? blocks.at(-1) ?? null;
}

export const blockAt = (lanes: readonly DrawnLane[], key: string | null): Block | null =>
  all(lanes).find((block) => block.key === key) ?? null;

/** The block in a direction, where times run to the right: within the lane, or the one nearest in time on the next lane that has any. */
export function moved(lanes: readonly DrawnLane[], from: Block, motion: Motion): Block {
  const at = lanes.findIndex(({ blocks }) => blocks.includes(from));
  if (motion === "left" || motion === "right") {
    const blocks = lanes[at]?.blocks ?? [];
    return blocks[blocks.indexOf(from) + (motion === "right" ? 1 : -1)] ?? from;
  }
  const others = motion === "down" ? lanes.slice(at + 1) : lanes.slice(0, at).toReversed();
  const middle = ({ from: begins, to }: Stretch): number => (begins + to) / 2;
  const next = others.find(({ blocks }) => blocks.length > 0)?.blocks ?? [];
  return next.toSorted((a, b) => Math.abs(middle(a) - middle(from)) - Math.abs(middle(b) - middle(from)))[0] ?? from;
}
