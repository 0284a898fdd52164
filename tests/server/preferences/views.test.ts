import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { preferenceRoutes, SavedView, ViewState } from "../../../src/contract/preferences.ts";
import type { Received } from "../../../src/contract/route.ts";
import { preferenceHandlers as handlers } from "../../../src/server/preferences/handlers.ts";
import { testDatabase } from "../../support/database.ts";
import type { Person } from "../../support/factories.ts";
import { body, makeOffice, rejections } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
type Form = Received<typeof preferenceRoutes.createView>["body"];
type Change = Received<typeof preferenceRoutes.updateView>["body"];
let office: Office;
let elsewhere: Office;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  [office, elsewhere] = [await makeOffice(db), await makeOffice(db)];
  ({ ann, ben } = office);
});

const letters = () => randomUUID().replace(/[^a-z]/g, "");
/** A screen no other test uses. */
const someScreen = () => `s-${letters()}${letters()}`;
const plain = { name: "Mine", shared: false, digit: null, default: false, state: { search: {}, columns: {}, density: "normal" } } as const;
const make = async (person: Person, given: Partial<Form> & { screen: string }, key?: string) =>
  (await handlers.createView(office.call(person, { body: given, ...(key !== undefined && { key }) }), body({ ...plain, ...given }))).data;
const formOf = ({ name, shared, digit, default: first, state, version }: SavedView): Change => ({
  name,
  shared,
  digit,
  default: first,
  state,
  version,
});
const update = async (person: Person, view: SavedView, given: Partial<Change>, at = office) =>
  (await handlers.updateView(at.call(person), { ...body({ ...formOf(view), ...given }), params: { uuid: view.uuid } })).data;
const remove = (person: Person, { uuid }: SavedView, at = office) =>
  handlers.deleteView(at.call(person), { params: { uuid }, body: undefined, query: undefined });
const list = async (person: Person, screen?: string, at = office) =>
  (await handlers.listViews(at.call(person), { query: { screen }, body: undefined, params: undefined })).data;
const places = async (person: Person, screen: string) =>
  Object.fromEntries((await list(person, screen)).map((view) => [view.name, [view.digit, view.default]]));
const audited = async ({ uuid }: SavedView) =>
  (
    await db.owner.query<{ act: string; actor_id: string; before: unknown; after: unknown }>(
      "select act, actor_id, before, after from audit_entries where entity = 'view' and entity_id = $1 order by id",
      [uuid],
    )
  ).rows;

describe("who sees a view", () => {
  test("a private one its maker alone", async () => {
    const screen = someScreen();
    const view = await make(ann, { screen });
    expect(view).toMatchObject({ screen, name: "Mine", version: 1, mine: true, shared: false, digit: null, default: false });
    expect(await list(ann, screen)).toEqual([view]);
    expect(await list(ben, screen)).toEqual([]);
    await expect(update(ben, view, { digit: 1 })).rejects.toMatchObject({ code: "not-found" });
    await expect(remove(ben, view)).rejects.toMatchObject({ code: "not-found" });
    expect(await list(ann, screen)).toEqual([view]);
  });

  test("a shared one the whole tenant, each on a digit of their own", async () => {
    const screen = someScreen();
    const view = await make(ann, { screen, shared: true, digit: 2, default: true });
    expect(await list(ben, screen)).toEqual([{ ...view, mine: false, digit: null, default: false }]);
    await update(ben, view, { digit: 7, default: false });
    expect([await places(ann, screen), await places(ben, screen)]).toEqual([{ Mine: [2, true] }, { Mine: [7, false] }]);
  });

  test("nobody of another tenant, not even its maker there", async () => {
    const screen = someScreen();
    const view = await make(ann, { screen, shared: true });
    await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2) on conflict do nothing", [
      elsewhere.tenant.id,
      ann.id,
    ]);
    for (const person of [ann, elsewhere.ann]) {
      expect(await list(person, screen, elsewhere)).toEqual([]);
      await expect(update(person, view, { digit: 1 }, elsewhere)).rejects.toMatchObject({ code: "not-found" });
      await expect(remove(person, view, elsewhere)).rejects.toMatchObject({ code: "not-found" });
    }
  });

  test("all screens' are answered where none is named, in the order of the digits, then by name", async () => {
    const screen = someScreen();
    for (const [name, digit] of [
      ["beta", null],
      ["Alpha", null],
      ["late", 9],
      ["early", 1],
    ] as const)
      await make(elsewhere.ann, { screen, name, digit });
    const other = await make(elsewhere.ann, { screen: someScreen() });
    expect((await list(elsewhere.ann, screen)).map(({ name }) => name)).toEqual(["early", "late", "Alpha", "beta"]);
    expect((await list(elsewhere.ann)).map(({ uuid }) => uuid)).toContain(other.uuid);
  });

  test("what was shared stays when its maker's membership ends", async () => {
    const screen = someScreen();
    const gone = elsewhere.ben;
    await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [office.tenant.id, gone.id]);
    await make(gone, { screen, name: "Theirs", shared: true });
    await make(gone, { screen, name: "Private" });
    await db.owner.query("delete from memberships where tenant_id = $1 and user_id = $2", [office.tenant.id, gone.id]);
    expect((await list(ann, screen)).map(({ name, mine }) => [name, mine])).toEqual([["Theirs", false]]);
  });
});

describe("what may be changed", () => {
  test("its maker changes name, state and sharing, and its version grows", async () => {
    const view = await make(ann, { screen: someScreen() });
    const state: ViewState = { search: { status: "pending" }, columns: { hidden: ["member"] }, density: "roomy" };
    const changed = await update(ann, view, { name: "Renamed", shared: true, state });
    expect(changed).toEqual({ ...view, name: "Renamed", shared: true, state, version: 2 });
    expect(await list(ann, view.screen)).toEqual([changed]);
  });

  test("a digit alone is no change of the view: nobody else's copy becomes stale", async () => {
    const view = await make(ann, {
      screen: someScreen(),
      shared: true,
      state: { search: { b: "1", a: "2" }, columns: {}, density: "normal" },
    });
    expect((await update(ann, view, { digit: 4 })).version).toBe(1);
    expect((await update(ben, view, { digit: 5 })).version).toBe(1);
  });

  test("of another's shared view only digit and default are taken", async () => {
    const view = await make(ann, { screen: someScreen(), shared: true });
    const state = { search: { q: "x" }, columns: {}, density: "compact" } as const;
    const answer = await update(ben, view, { name: "Seized", shared: false, state, digit: 3, default: true });
    expect(answer).toEqual({ ...view, mine: false, digit: 3, default: true });
    expect(await list(ann, view.screen)).toEqual([view]);
    expect(await audited(view)).toHaveLength(1);
  });

  test("another user's shared view cannot be deleted", async () => {
    const view = await make(ann, { screen: someScreen(), shared: true });
    await expect(remove(ben, view)).rejects.toMatchObject({ code: "not-found" });
    expect(await list(ben, view.screen)).toHaveLength(1);
    await remove(ann, view);
    expect(await list(ben, view.screen)).toEqual([]);
    await expect(remove(ann, view)).rejects.toMatchObject({ code: "not-found" });
  });

  test("whoever saw an older version is refused with the view as it is now", async () => {
    const view = await make(ann, { screen: someScreen(), shared: true, digit: 1 });
    const now = await update(ann, view, { name: "Newer" });
    await expect(update(ann, view, { name: "Older" })).rejects.toMatchObject({ code: "record.stale", detail: { row: now } });
    await expect(update(ben, view, { digit: 2 })).rejects.toMatchObject({
      code: "record.stale",
      detail: { row: { ...now, mine: false, digit: null } },
    });
    expect(await list(ann, view.screen)).toEqual([now]);
  });

  test("of two changes at the same moment one is made and one is stale", async () => {
    const view = await make(ann, { screen: someScreen() });
    const settled = await Promise.allSettled(["A", "B", "C"].map((name) => update(ann, view, { name })));
    expect(rejections(settled)).toEqual(["record.stale", "record.stale"]);
    expect((await list(ann, view.screen))[0]?.version).toBe(2);
  });

  test("a request sent again under its key makes no second view", async () => {
    const screen = someScreen();
    const first = await make(ann, { screen }, "make-view-once");
    expect(await make(ann, { screen }, "make-view-once")).toEqual(first);
    expect(await list(ann, screen)).toHaveLength(1);
  });
});

describe("digits and the default", () => {
  test("a digit given to a view is taken off the one that had it", async () => {
    const screen = someScreen();
    const [one] = [await make(ann, { screen, name: "One", digit: 1, default: true }), await make(ann, { screen, name: "Two", digit: 2 })];
    await make(ann, { screen, name: "Three", digit: 1 });
    expect(await places(ann, screen)).toEqual({ One: [null, true], Two: [2, false], Three: [1, false] });
    await update(ann, one, { digit: 2 });
    expect(await places(ann, screen)).toEqual({ One: [2, true], Two: [null, false], Three: [1, false] });
  });

  test("there is one default", async () => {
    const screen = someScreen();
    await make(ann, { screen, name: "One", digit: 1, default: true });
    const two = await make(ann, { screen, name: "Two", digit: 2, default: true });
    expect(await places(ann, screen)).toEqual({ One: [1, false], Two: [2, true] });
    await update(ann, two, { default: false, digit: null });
    expect(await places(ann, screen)).toEqual({ One: [1, false], Two: [null, false] });
  });

  test("a digit moves on its own screen and for its own user only", async () => {
    const [screen, other] = [someScreen(), someScreen()];
    const shared = await make(ann, { screen, name: "Shared", shared: true, digit: 5, default: true });
    await make(ann, { screen: other, name: "Other", digit: 5, default: true });
    await update(ben, shared, { digit: 5, default: true });
    await make(ben, { screen, name: "Ben's", digit: 5, default: true });
    expect(await places(ann, screen)).toEqual({ Shared: [5, true] });
    expect(await places(ann, other)).toEqual({ Other: [5, true] });
    expect(await places(ben, screen)).toEqual({ "Ben's": [5, true], Shared: [null, false] });
  });

  test("views set on one digit at the same moment leave it to one of them", async () => {
    const screen = someScreen();
    const views = await Promise.all(["A", "B", "C", "D"].map((name) => make(ann, { screen, name, digit: 1, default: true })));
    await Promise.all(views.map((view) => update(ann, view, { digit: 6, default: true })));
    const all = await list(ann, screen);
    expect(all.filter(({ digit }) => digit === 6)).toHaveLength(1);
    expect(all.filter((view) => view.default)).toHaveLength(1);
  });

  test("a view shared no more is gone for the others, and holds none of their digits when shared again", async () => {
    const view = await make(ann, { screen: someScreen(), shared: true, digit: 1 });
    await update(ben, view, { digit: 8, default: true });
    const hidden = await update(ann, view, { shared: false });
    expect(await list(ben, view.screen)).toEqual([]);
    await update(ann, hidden, { shared: true });
    expect([await places(ann, view.screen), await places(ben, view.screen)]).toEqual([{ Mine: [1, false] }, { Mine: [null, false] }]);
  });
});

describe("the most a screen may have", () => {
  test("the hundred-and-first own view is refused with a line for its field; another's shared ones do not count", async () => {
    const screen = someScreen();
    await make(ben, { screen, shared: true });
    await db.owner.query(
      `insert into saved_views (tenant_id, owner_id, screen, name, shared, state)
       select $1, $2, $3, 'N' || n, false, '{"search": {}}' from generate_series(1, 98) n`,
      [office.tenant.id, ann.id, screen],
    );
    const settled = await Promise.allSettled(["A", "B", "C", "D"].map((name) => make(ann, { screen, name })));
    expect(rejections(settled)).toEqual(["request.invalid", "request.invalid"]);
    await expect(make(ann, { screen })).rejects.toMatchObject({ status: 422, detail: { name: [expect.stringContaining("100")] } });
    expect((await list(ann, screen)).filter(({ mine }) => mine)).toHaveLength(100);
    await make(ann, { screen: someScreen() });
  });
});

describe("the audit log", () => {
  test("names what became of a shared view, changed fields only", async () => {
    const view = await make(ann, { screen: someScreen(), shared: true });
    const changed = await update(ann, view, { name: "Ours", digit: 3 });
    await update(ann, changed, { digit: 4 });
    await remove(ann, changed);
    const { screen, shared, state } = view;
    expect(await audited(view)).toEqual([
      { act: "view.create", actor_id: ann.id, before: null, after: { screen, name: "Mine", shared, state } },
      { act: "view.update", actor_id: ann.id, before: { name: "Mine" }, after: { name: "Ours" } },
      { act: "view.delete", actor_id: ann.id, before: { screen, name: "Ours", shared, state }, after: null },
    ]);
  });

  test("is silent on private views, until they are shared", async () => {
    const view = await make(ann, { screen: someScreen() });
    const renamed = await update(ann, view, { name: "Still mine" });
    expect(await audited(view)).toEqual([]);
    const shared = await update(ann, renamed, { shared: true });
    await remove(ann, await update(ann, shared, { shared: false }));
    expect((await audited(view)).map(({ act, before, after }) => [act, before, after])).toEqual([
      ["view.update", { shared: false }, { shared: true }],
      ["view.update", { shared: true }, { shared: false }],
    ]);
  });
});
