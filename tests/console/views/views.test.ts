import type { Density } from "../../../src/console/kit/commands/grid-handle.ts";
import { describe, expect, test } from "vitest";
import type { SavedView } from "../../../src/contract/preferences.ts";
import type { Place } from "../../../src/console/api/place.ts";
import { ViewState } from "../../../src/contract/preferences.ts";
import { longestAsked } from "../../../src/values/asked.ts";
import { columnsSent, makeViews, slotsOf } from "../../../src/console/views/views.ts";
import type { ViewsNow } from "../../../src/console/views/views.ts";

const big = "11111111-1111-4111-8111-111111111111";
const saved = (more: Partial<SavedView> = {}): SavedView => ({
  uuid: big,
  version: 3,
  screen: "withdrawals",
  name: "Big ones",
  shared: false,
  mine: true,
  digit: 3,
  pin: null,
  tenant_pin: null,
  default: false,
  state: { search: { view: "all", amount: "5000.." }, columns: { hidden: ["fee"] }, density: "normal" },
  ...more,
});

const builtIn = [
  { id: "queue", name: "Queue", search: { view: "queue" } },
  { id: "mine", name: "Mine", search: { view: "mine" } },
  { id: "all", name: "All", search: { view: "all" } },
];

/** A screen over a plain object, and a server that accepts what it is sent. */
function screen(search: Record<string, string>, views: readonly SavedView[] = [saved()], columns = {}, density: Density = "normal") {
  const sent: { path: string; body: unknown }[] = [];
  const address = { ...search };
  const placed: Record<string, unknown> = {};
  const densities: Record<string, unknown> = {};
  const set: Place["set"] = (values) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === null) delete address[name];
      else address[name] = value;
    }
  };
  const placeOf = (shown: Record<string, string>): Place => ({
    screen: "withdrawals",
    params: {},
    search: shown,
    get: (name) => shown[name] ?? null,
    set,
    note: set,
  });
  const place = placeOf(search);
  const at = { gone: false };
  const now: ViewsNow = { screen: "withdrawals", place, columns, density, builtIn, saved: views };
  const handle = makeViews(now, {
    services: {
      call: (async (route: { path: string; method: string }, { body }: { body?: unknown }) => {
        sent.push({ path: `${route.method} ${route.path.split("/").at(-1)}`, body });
        return { data: saved({ uuid: "22222222-2222-4222-8222-222222222222", name: "New" }) };
      }) as never, // one answer serves both routes
      say: () => undefined,
    },
    setColumns: (id, state) => void (placed[id] = state),
    setDensity: (id, density) => void (densities[id] = density),
    reload: async () => undefined,
    here: () => (at.gone ? null : placeOf(address)),
  });
  return { handle, now, address, placed, densities, sent, at };
}

describe("on the digits", () => {
  test("a saved view takes its digit from a built-in one, which keeps its name without a digit", () => {
    const { now } = screen({});
    expect(slotsOf(now).map(({ name, digit }) => [name, digit])).toEqual([
      ["Queue", 1],
      ["Mine", 2],
      ["All", null],
      ["Big ones", 3],
    ]);
  });

  test("the current view is the one the address names, else the one whose search matches, else the first", () => {
    const current = (search: Record<string, string>) => slotsOf(screen(search).now).find((slot) => slot.current)?.name;
    expect(current({ saved: big, view: "mine" })).toBe("Big ones");
    expect(current({ view: "mine", q: "tan" })).toBe("Mine");
    expect(current({})).toBe("Queue");
    expect(current({ saved: "33333333-3333-4333-8333-333333333333" })).toBe("Queue");
  });
});

describe("picking", () => {
  test("sets filters and columns, and removes the former ones", () => {
    const { handle, address, placed } = screen({ view: "queue", q: "tan", record: "x" });
    handle.pick(big);
    expect(address).toEqual({ view: "all", amount: "5000..", saved: big });
    expect(placed[big]).toEqual({ hidden: ["fee"] });
  });

  test("sets the view's own density, for that view alone", () => {
    const state = { ...saved().state, density: "roomy" } as const;
    const { handle, densities } = screen({ view: "queue" }, [saved({ state })]);
    handle.pick(big);
    expect(densities).toEqual({ [big]: "roomy" });
    handle.pick("queue");
    expect(densities).toEqual({ [big]: "roomy" });
  });

  test("reset restores a changed view, and a built-in one without filters and columns of its own", () => {
    const changed = screen({ saved: big, view: "all", amount: "9..", q: "x" }, [saved()], { hidden: [] });
    expect(changed.handle.changed).toBe(true);
    changed.handle.reset();
    expect(changed.address).toEqual({ view: "all", amount: "5000..", saved: big });
    expect(changed.placed[big]).toEqual({ hidden: ["fee"] });
    const own = screen({ view: "mine", q: "x" });
    own.handle.reset();
    expect(own.address).toEqual({ view: "mine" });
    expect(own.placed["mine"]).toEqual({});
  });
});

describe("changed", () => {
  const at = (search: Record<string, string>, columns: object) =>
    screen({ saved: big, view: "all", amount: "5000..", ...search }, [saved()], columns).handle.changed;

  test("is true for another filter, sort or column, never for the record under the cursor", () => {
    expect(at({}, { hidden: ["fee"] })).toBe(false);
    expect(at({ record: "44444444-4444-4444-8444-444444444444" }, { hidden: ["fee"], widths: {}, order: [] })).toBe(false);
    expect(at({ sort: "-amount" }, { hidden: ["fee"] })).toBe(true);
    expect(at({}, { hidden: ["fee"], widths: { amount: 140 } })).toBe(true);
    const there = { saved: big, view: "all", amount: "5000.." };
    expect(screen(there, [saved()], { hidden: ["fee"] }, "compact").handle.changed).toBe(true);
  });

  test("is never true for a built-in view", () => {
    expect(screen({ view: "all", q: "x" }).handle.changed).toBe(false);
  });
});

describe("saving", () => {
  test("sends what is on screen without the record, with the version that was read", async () => {
    const { handle, sent } = screen({ saved: big, view: "all", q: "tan", record: "x" }, [saved()], { widths: { amount: 140.4 } });
    await handle.save();
    expect(sent).toEqual([
      {
        path: "PUT {uuid}",
        body: {
          name: "Big ones",
          shared: false,
          digit: 3,
          default: false,
          version: 3,
          state: { search: { view: "all", q: "tan" }, columns: { widths: { amount: 140 } }, density: "normal" },
        },
      },
    ]);
  });

  test("under a new name, the address names the new view", async () => {
    const { handle, sent, address } = screen({ view: "all", amount: "100" });
    await handle.saveAs({ name: "New", digit: 7, shared: true });
    expect(sent[0]).toMatchObject({ path: "POST views", body: { name: "New", digit: 7, shared: true, screen: "withdrawals" } });
    expect(address["saved"]).toBe("22222222-2222-4222-8222-222222222222");
  });

  test("a user who changes the query or leaves before the answer stays there", async () => {
    const asking = screen({ view: "all", amount: "100" });
    const answered = asking.handle.saveAs({ name: "New", digit: 7, shared: true });
    asking.address["amount"] = "200";
    await answered;
    expect(asking.address).toEqual({ view: "all", amount: "200" });

    const leaving = screen({ view: "all" });
    leaving.at.gone = true;
    await leaving.handle.saveAs({ name: "New", digit: 7, shared: true });
    expect(leaving.address).toEqual({ view: "all" });
  });
});

describe("deleting", () => {
  test("removes the view from the address, unless another one is there by then", async () => {
    const staying = screen({ saved: big, view: "all" });
    await staying.handle.remove();
    expect(staying.address).toEqual({ view: "all" });

    const picking = screen({ saved: big, view: "all" });
    const answered = picking.handle.remove();
    picking.address["saved"] = "44444444-4444-4444-8444-444444444444";
    await answered;
    expect(picking.address["saved"]).toBe("44444444-4444-4444-8444-444444444444");
  });
});

test("untouched columns are sent empty", () => {
  // as long as a list's own filters may be
  expect(ViewState.safeParse({ search: { merchant: "m".repeat(longestAsked) }, columns: {}, density: "normal" }).success).toBe(true);
  expect(columnsSent({ order: [], hidden: [], widths: {}, pinned: { start: [], end: [] } })).toEqual({});
});
