import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Place } from "../../../src/console/api/place.ts";
import type { Line } from "./panes.ts";
import { line, thePanes } from "./panes.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const [first, second, third] = [line("1"), line("2"), line("3")];

describe("the detail", () => {
  test("follows a single step of the cursor at once, and a travelling one where it comes to rest", () => {
    const { panes } = thePanes([first, second, third]);
    vi.advanceTimersByTime(1_000);
    panes.onCursor(first);
    expect(panes.shown.getState().row).toBe(first);
    panes.onCursor(second);
    // eight a second
    vi.advanceTimersByTime(125);
    panes.onCursor(third);
    vi.advanceTimersByTime(125);
    expect(panes.shown.getState().row).toBe(first);
    vi.advanceTimersByTime(55);
    expect(panes.shown.getState().row).toBe(third);
  });

  test("shows the history of the row under the cursor, though it has not come to that yet; asked again, it is told again", () => {
    const { panes, at } = thePanes([first, second]);
    vi.advanceTimersByTime(1_000);
    panes.onCursor(first);
    panes.onCursor(second);
    at.row = second;
    panes.showHistory();
    const { row, historyAsked } = panes.shown.getState();
    expect([row, historyAsked]).toEqual([first, { of: "2" }]);
    panes.showHistory();
    expect(panes.shown.getState().historyAsked).not.toBe(historyAsked);
    vi.advanceTimersByTime(1_000);
    expect(panes.shown.getState()).toMatchObject({ row: second, historyAsked: { of: "2" } });
  });

  test("does not show a history again when the cursor comes back to the record", () => {
    const { panes, at } = thePanes([first, second]);
    const come = (row: Line) => {
      vi.advanceTimersByTime(1_000);
      at.row = row;
      panes.onCursor(row);
    };
    come(first);
    panes.showHistory();
    come(second);
    come(first);
    expect(panes.shown.getState()).toMatchObject({ row: first, historyAsked: null });
  });

  test("follows at once where the screen hurries", () => {
    const { panes } = thePanes([first, second], { hurries: () => true });
    panes.onCursor(first);
    panes.onCursor(second);
    expect(panes.shown.getState().row).toBe(second);
  });
});

test("a list that is drawn over rows tells where its cursor stands, though it came there before", () => {
  const { published, open } = thePanes([first, second]);
  open();
  expect(published.list[0]).toMatchObject({ cursor: first, aim: { id: "1" } });
});

describe("a cursor on a heading between records", () => {
  const heading = line("heading");
  const headed = () => thePanes([heading, first, second], { isRecord: ({ uuid }) => uuid !== "heading" });
  const scrolls = (deeds: readonly unknown[][]) => deeds.filter(([deed]) => deed === "scroll");

  test("goes on to the first record where nobody moved it, whether the list is drawn before or after it has its rows", () => {
    const before = headed();
    before.panes.begin();
    before.open();
    expect(scrolls(before.deeds)).toEqual([["scroll", "1"]]);

    const after = headed();
    after.panes.begin();
    after.panes.onCursor(heading);
    expect(scrolls(after.deeds)).toEqual([["scroll", "1"]]);
  });

  test("stays where somebody moved it there, and shows no record", () => {
    const { panes, deeds } = headed();
    panes.begin();
    panes.onCursor(first);
    panes.onCursor(heading);
    vi.advanceTimersByTime(1_000);
    expect(scrolls(deeds)).toEqual([]);
    expect(panes.shown.getState().row).toBeNull();
  });
});

describe("the address", () => {
  test("names a record once the cursor has rested on it", () => {
    const { panes, place } = thePanes([first, second]);
    panes.onCursor(first);
    vi.advanceTimersByTime(599);
    expect(place.get("record")).toBeNull();
    panes.onCursor(second);
    vi.advanceTimersByTime(600);
    expect(place.get("record")).toBe("2");
  });

  test("does not name a record nobody chose: the first of a new list", () => {
    const { panes, place } = thePanes([first, second]);
    panes.begin();
    panes.onCursor(null);
    panes.onCursor(first);
    vi.advanceTimersByTime(600);
    expect(place.get("record")).toBeNull();
    panes.onCursor(second);
    vi.advanceTimersByTime(600);
    expect(place.get("record")).toBe("2");
  });

  test("names the record the cursor came back to, though the one between is written and not drawn yet", () => {
    const written: unknown[] = [];
    const drawn = {
      get: () => "1",
      note: ({ record }: { record?: string | null }) => void written.push(record),
    } as unknown as Place; // what the panes ask of one
    const { panes } = thePanes([first, second], { place: () => drawn });
    for (const row of [first, second, first]) {
      panes.onCursor(row);
      vi.advanceTimersByTime(600);
    }
    expect(written).toEqual(["2", "1"]);
  });

  test("is not gone back to by an emptied list whose screen still draws the record it has left", async () => {
    const { panes, place, deeds } = thePanes([first, second]);
    panes.onCursor(second);
    vi.advanceTimersByTime(600);
    place.note({ record: null }); // another currency
    panes.onCursor(null);
    vi.advanceTimersByTime(600);
    const before = deeds.length;
    await panes.goToAddressed("2");
    expect(deeds.slice(before)).toEqual([]);
  });

  test("moves the cursor when a link names another record, not when it repeats what the cursor told it", async () => {
    const { panes, deeds } = thePanes([first, second]);
    panes.onCursor(second);
    vi.advanceTimersByTime(600);
    await panes.goToAddressed("2");
    expect(deeds.filter(([deed]) => deed === "scroll")).toEqual([]);
    await panes.goToAddressed("1");
    expect(deeds.filter(([deed]) => deed === "scroll")).toEqual([["scroll", "1"]]);
  });

  test("moves the cursor to the record it names in another list, too, though the cursor told it of that one", async () => {
    const { panes, deeds } = thePanes([first, second]);
    panes.onCursor(second);
    vi.advanceTimersByTime(600);
    panes.readAddressAnew();
    await panes.goToAddressed("2");
    expect(deeds.filter(([deed]) => deed === "scroll")).toEqual([["scroll", "2"]]);
  });

  test("says so when it names a record that is not there", async () => {
    const { panes, deeds } = thePanes([first]);
    await panes.goToAddressed("9");
    expect(deeds).toEqual([["say", "record.said.not-there", {}, "warn"]]);
  });

  test("is left alone by a screen that has gone", () => {
    const { panes, place, open } = thePanes([first]);
    const close = open();
    panes.onCursor(first);
    close();
    vi.advanceTimersByTime(600);
    expect(place.get("record")).toBeNull();
  });
});

test("rows that are marked are told anew when they were read anew, because commands act on them as they were told", () => {
  const { panes, at, published, open } = thePanes([first, second]);
  onTestFinished(open());
  at.marked = [first];
  panes.tellMarks();
  const newer = { ...first, bank: "another" };
  at.marked = [newer];
  panes.source.setPage([newer, second]);
  expect(published.list.at(-1)).toMatchObject({ marked: [{ bank: "another" }] });
});

describe("what belongs to the record of the other side", () => {
  test("is come to, but not under the hands of whoever has come here while it was fetched", async () => {
    let bring: (found: boolean) => void = () => undefined;
    const { panes, deeds } = thePanes([first, second, third], { bring: () => new Promise((resolve) => (bring = resolve)) });
    const scrolls = () => deeds.filter(([deed]) => deed === "scroll");
    let isElsewhere = true;
    const there = panes.follow("2", () => isElsewhere);
    bring(true);
    await there;
    expect(scrolls()).toEqual([["scroll", "2"]]);
    const late = panes.follow("3", () => isElsewhere);
    isElsewhere = false;
    bring(true);
    await late;
    expect(scrolls()).toEqual([["scroll", "2"]]);
  });
});

describe("what the next key hits", () => {
  test("is the row under the cursor until rows are marked, then what those come to", () => {
    const { panes, at, published, open } = thePanes([first, second], {
      marked: (rows) => ({ note: `${rows.length} rows`, figures: ["Σ"] }),
    });
    open();
    panes.onCursor(second);
    expect(published.list.at(-1)).toMatchObject({ cursor: second, aim: { id: "2" } });
    at.marked = [first, second];
    panes.tellMarks();
    expect(published.detail.at(-1)).toMatchObject({ marked: [first, second], aim: { id: null, note: "2 rows" }, figures: ["Σ"] });
    panes.onCursor(second);
    expect(published.list.at(-1)).not.toHaveProperty("aim");
    at.marked = [];
    panes.tellMarks();
    expect(published.list.at(-1)).toMatchObject({ marked: [], aim: { id: "1" } });
  });

  test("a marked row that changes is told anew, with its new amount", () => {
    const { panes, at, published, open } = thePanes([first]);
    open();
    at.marked = [line("1", { bank: "HLB" })];
    panes.source.patch("1", line("1", { bank: "HLB" }));
    expect(published.list.at(-1)).toMatchObject({ marked: [{ bank: "HLB" }] });
  });
});

describe("the cursor's place", () => {
  test("is told when it is another, and not with every page that comes behind the cursor", () => {
    const { panes, published, open, at } = thePanes([first, second]);
    open();
    expect(published.list).toEqual([expect.objectContaining({ place: { row: 1, of: 2 } })]);
    panes.source.setLoading("loading");
    panes.source.setLoading("idle");
    expect(published.list.length).toBe(1);
    panes.source.append([third]);
    expect(published.list.slice(1)).toEqual([{ place: { row: 1, of: 3 } }]);
    at.row = second;
    panes.onCursor(second);
    expect(published.list.at(-1)).toMatchObject({ place: { row: 2, of: 3 } });
  });
});
