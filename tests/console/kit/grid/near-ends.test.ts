import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NearEnds } from "../../../../src/console/kit/grid/near-ends.ts";
import { RowSource } from "../../../../src/console/kit/grid/row-source.ts";

interface Line {
  readonly uuid: string;
}

let frames: (() => void)[];
beforeEach(() => {
  frames = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
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

test("two views from an end the next page is asked for, once, after the frame that scrolls there", () => {
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

test("not when another request is sent meanwhile", () => {
  const { ends, asked, source } = aLongList();
  ends.seen(75, 85);
  source.setLoading("loading");
  drawn();
  expect(asked).toEqual([]);
});

test("nor when its page has arrived meanwhile; the next one is asked for in its turn", () => {
  const { ends, asked, append } = aLongList();
  ends.seen(75, 85);
  append();
  drawn();
  expect(asked).toEqual([]);
  ends.seen(175, 185);
  drawn();
  expect(asked).toEqual(["after"]);
});

/** A long list whose pages arrive at once, on either side, with ten rows in view that stay there. */
function anAnsweredList(most = Infinity) {
  const source = new RowSource<Line>(most);
  const asked: string[] = [];
  let first = 40;
  const page = (name: string) => Array.from({ length: 100 }, (_, n) => ({ uuid: `${name} ${n}` }));
  const end = { more: true, moreBefore: true, next: "n", previous: "p" };
  const scroll = (to: number) => ends.seen((first = to), to + 10);
  const answer = (side: "before" | "after") => {
    asked.push(side);
    const held = source.length;
    if (side === "after") source.append(page(`page ${asked.length}`), end);
    else source.precede(page(`page ${asked.length}`), end);
    scroll(side === "after" ? first : first + source.length - held);
    ends.settle();
  };
  source.feed = { before: () => answer("before"), after: () => {}, jump() {}, timeOrder: () => null };
  source.setPage(page("first"), end);
  const ends = new NearEnds<Line>({ source: () => source, page: () => 10, holds: () => false, askAfter: () => answer("after") });
  return { source, ends, asked, scroll };
}

/** Lets that many ms pass, and draws after each. */
async function passes(ms: number): Promise<void> {
  for (let n = 0; n < ms; n++) {
    for (const frame of frames.splice(0)) frame();
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await vi.advanceTimersByTimeAsync(1);
  }
}

describe("loading ahead", () => {
  test("a list that has been scrolled and rests is loaded on, until 600 rows are held beyond the view on either side", async () => {
    const { asked, scroll } = anAnsweredList();
    for (let at = 40; at < 45; at++) {
      scroll(at);
      // oxlint-disable-next-line no-await-in-loop -- it is scrolled on before it rests
      await passes(100);
    }
    expect(asked).toEqual([]);
    await passes(600);
    expect(asked).toEqual([...Array<string>(6).fill("after"), ...Array<string>(6).fill("before")]);
  });

  test("not one that nobody has scrolled, nor one with a new query since", async () => {
    const { ends, asked, scroll } = anAnsweredList();
    scroll(40);
    scroll(40);
    await passes(600);
    scroll(41);
    ends.begin();
    scroll(40);
    await passes(600);
    expect(asked).toEqual([]);
  });

  test("nor where it would drop rows at the far end", async () => {
    const { source, asked, scroll } = anAnsweredList(500);
    scroll(40);
    scroll(41);
    await passes(900);
    expect([asked.length, source.isFull]).toEqual([3, true]);
  });
});
