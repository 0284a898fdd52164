import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NearEnds } from "../../../src/console/kit/grid/near-ends.ts";
import { RowSource } from "../../../src/console/kit/grid/row-source.ts";

interface Line {
  readonly uuid: string;
}

let frames: (() => void)[];
beforeEach(() => {
  frames = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("document", { visibilityState: "visible" });
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The frame being prepared is drawn. */
function drawn(): void {
  for (const frame of frames.splice(0)) frame();
  vi.runAllTimers();
}

/** Rows 0–99 of a long list, ten of them in view. */
function aLongList() {
  const source = new RowSource<Line>();
  const asked: string[] = [];
  const lines = (from: number) => Array.from({ length: 100 }, (_, n) => ({ uuid: String(from + n) }));
  source.feed = { before: () => void asked.push("before"), after: () => {}, jump() {}, timeOrder: () => null };
  source.setPage(lines(0), { more: true, moreBefore: true, next: "n", previous: "p" });
  const ends = new NearEnds<Line>({
    source: () => source,
    page: () => 10,
    holds: () => false,
    askAfter: () => void asked.push("after"),
  });
  return { source, ends, asked, append: () => source.append(lines(100), { more: true, next: "n2", previous: "p2" }) };
}

test("two views from an end the page beyond it is asked for, once, when the frame that scrolls there is drawn", () => {
  const { ends, asked } = aLongList();
  ends.seen(69, 79);
  drawn();
  expect(asked).toEqual([]);
  ends.seen(70, 80);
  ends.seen(71, 81);
  expect(asked).toEqual([]);
  drawn();
  ends.seen(72, 82);
  drawn();
  expect(asked).toEqual(["after"]);
});

test("so is the page before", () => {
  const { ends, asked } = aLongList();
  ends.seen(19, 29);
  drawn();
  expect(asked).toEqual(["before"]);
});

test("not when something else is asked meanwhile", () => {
  const { ends, asked, source } = aLongList();
  ends.seen(75, 85);
  source.setLoading("loading");
  drawn();
  expect(asked).toEqual([]);
});

test("nor when its page has come meanwhile; the next is asked for in its turn", () => {
  const { ends, asked, append } = aLongList();
  ends.seen(75, 85);
  append();
  drawn();
  expect(asked).toEqual([]);
  ends.seen(175, 185);
  drawn();
  expect(asked).toEqual(["after"]);
});
