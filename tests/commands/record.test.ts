import { describe, expect, test } from "vitest";
import { listCommands } from "../../commands/list.ts";
import { recordCommands } from "../../commands/record.ts";
import type { ListDesk, RecordDesk } from "../../src/console/kit/commands/desks.ts";
import type { Context, PaneState } from "../../src/console/kit/commands/context.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";
import { aMerchant } from "../console/entity/records.ts";

const every = ["view", "create", "update", "delete", "change-status"];

const may = {
  create: "pas.merchant.merchants.create",
  update: "pas.merchant.merchants.update",
  status: "pas.merchant.merchants.change-status",
  remove: "pas.merchant.merchants.delete",
} as const;

/** A screen of merchants that lends these acts; calls are recorded. */
function fixture(
  answers: Partial<Record<string, unknown>> = {},
  refusal?: Error,
  known: RecordDesk["may"] = may,
  reasoned: readonly string[] = [],
) {
  const deeds: unknown[][] = [];
  const note =
    (service: string) =>
    (...with_: unknown[]): void =>
      void deeds.push([service, ...with_]);
  const act = async <Answer>(answer: Answer, ...deed: unknown[]): Promise<Answer> => {
    deeds.push(deed);
    if (refusal) throw refusal;
    return answer;
  };
  const record: RecordDesk = {
    subject: "merchant",
    may: known,
    statuses: ["active", "inactive", "suspended"],
    needsReason: (status) => reasoned.includes(status),
    nameOf: () => "Harbour Play",
    statusOf: () => "active",
    removalText: () => ({ key: "record.ask.delete-text", words: {} }),
    duplicate: note("duplicate"),
    refuse: () => null,
    create: note("create"),
    edit: note("edit"),
    openAct: note("openAct"),
    setStatus: ({ uuid }, status, reason) => act(aMerchant({ version: 2, status: "suspended" }), "status", uuid, status, reason),
    remove: ({ uuid }) => act(undefined, "remove", uuid),
  };
  const list: ListDesk = {
    view: "pas.merchant.merchants.view",
    exports: null,
    showHistory: note("history"),
    find: note("find"),
    unfiltered: () => null,
    filterColumn: async () => note("filter")(),
    filterByValue: note("filter-value"),
    dropFilter: note("drop"),
    reset: note("reset"),
    hasFilters: () => false,
    askWindow: null,
    up: null,
    changeShape: null,
    linked: null,
  };
  const services = {
    async ask(
      kind: string,
      asked: {
        title: string;
        text?: string;
        label?: string;
        options?: readonly { id: string; refused: string | null }[];
        refuse?(typed: string): string | null;
      },
    ) {
      deeds.push([
        "ask",
        kind,
        asked.title,
        ...(asked.label === undefined ? [] : [asked.label]),
        ...(asked.refuse ? [asked.refuse("  "), asked.refuse("Unpaid")] : []),
        ...(asked.options ? [asked.options.filter((one) => one.refused !== null).map((one) => one.id)] : []),
      ]);
      return answers[kind] ?? null;
    },
    say: (key: string) => note("say")(key),
    text: (key: string) => key,
    changed: (subject: string, rows: readonly unknown[]) => note("changed")(subject, ...rows),
    shell: { togglePane: note("toggle"), splitScreen: note("beside") },
  } as unknown as Services; // the deps these commands use
  const registry = createRegistry([...recordCommands, ...listCommands], { services, routedScreens: new Set(["merchants"]) });
  const on = (pane: Partial<PaneState> = {}, more: Partial<Context> = {}): Context =>
    aContext({
      screen: "merchants",
      permissions: { "pas.merchant.merchants": every },
      pane: aPane({ subject: "merchant", cursor: aMerchant(), list, record, ...pane }),
      ...more,
    });
  return {
    deeds,
    on,
    run: (id: string, context = on()) => registry.run(id, "palette", context),
    press(chord: string, context = on()) {
      const owner = registry.owner(chord, context);
      return owner === null ? null : registry.run(owner.id, "key", context).then(() => owner.id);
    },
  };
}

describe("keys", () => {
  test.each([
    ["c", ["create"]],
    ["e", ["edit", aMerchant().uuid]],
    ["F2", ["edit", aMerchant().uuid]],
    ["/", ["find"]],
    ["f", ["filter"]],
    ["Shift+f", ["filter-value"]],
  ])("%s does what it says", async (chord, deed) => {
    const at = fixture();
    await at.press(chord);
    expect(at.deeds).toEqual([deed]);
  });

  test("changing the status and deleting have no key", () => {
    const keyless = recordCommands.filter(({ id }) => /change-status|delete/.test(id));
    expect(keyless.map(({ keys }) => keys)).toEqual([undefined, undefined]);
  });

  test("without a lent list of records the keys belong to no command", () => {
    const at = fixture();
    expect(at.press("c", at.on({ record: null, list: null }))).toBeNull();
  });

  test("in a pane of the same screen without the list they say where they work", async () => {
    const at = fixture();
    const { lent } = at.on();
    await at.press("c", at.on({ record: null, list: null }, { lent }));
    expect(at.deeds).toEqual([["say", "refuse.desk.record"]]);
  });

  test("an edit takes one row: with several marked it says so", async () => {
    const at = fixture();
    await at.press("e", at.on({ marked: [aMerchant(), aMerchant({ uuid: "x" })] }));
    expect(at.deeds).toEqual([["say", "refuse.one-row"]]);
  });

  test("i opens the detail first where it is hidden", async () => {
    const at = fixture();
    await at.press("i");
    expect(at.deeds).toEqual([["toggle", "detail"], ["history"]]);
  });
});

test("an act that these records do not have is absent, whoever asks", async () => {
  const at = fixture({}, undefined, { update: may.update });
  expect(at.press("c")).toBeNull();
  expect(await at.run("record.delete")).toBe("absent");
  expect(await at.run("record.change-status")).toBe("absent");
  expect(at.deeds).toEqual([]);
});

test("without the right its key says which is missing, and does nothing", async () => {
  const at = fixture();
  await at.press("e", at.on({}, { permissions: { "pas.merchant.merchants": ["view"] } }));
  expect(at.deeds).toEqual([["say", "refuse.no-right"]]);
});

describe("deleting", () => {
  test("asks first, and sends nothing without an answer", async () => {
    const at = fixture();
    await at.run("record.delete");
    expect(at.deeds).toEqual([["ask", "confirm", "record.ask.delete"]]);
  });

  test("when confirmed, the record is removed and the row leaves", async () => {
    const at = fixture({ confirm: true });
    await at.run("record.delete");
    const { uuid } = aMerchant();
    expect(at.deeds.slice(1)).toEqual([
      ["remove", uuid],
      ["say", "record.said.deleted"],
      ["changed", "merchant", { uuid, gone: true }],
    ]);
  });

  test("when refused, success is not reported and the row is refetched", async () => {
    const refused = Object.assign(new Error("in use"), { reported: true });
    const at = fixture({ confirm: true }, refused);
    expect(await at.run("record.delete")).toBe("failed");
    expect(at.deeds.slice(2)).toEqual([["changed", "merchant", { uuid: aMerchant().uuid }]]);
  });

  test("offline it does not even ask", async () => {
    const at = fixture({ confirm: true });
    expect(await at.run("record.delete", at.on({}, { online: false }))).toBe("refused");
  });
});

describe("the status", () => {
  test("is chosen among those a user may set, except the current one; the reason is sent with it", async () => {
    const at = fixture({ choice: "suspended", text: " Unpaid " });
    await at.run("record.change-status");
    const { uuid } = aMerchant();
    expect(at.deeds).toEqual([
      ["ask", "choice", "record.ask.status", ["active"]],
      ["ask", "text", "record.ask.status-to.suspended", "sheet.text.reason-optional"],
      ["status", uuid, "suspended", "Unpaid"],
      ["say", "record.said.status"],
      ["changed", "merchant", aMerchant({ version: 2, status: "suspended" })],
    ]);
  });

  test("one that is set only with a reason asks until there is one", async () => {
    const at = fixture({ choice: "suspended", text: "Unpaid" }, undefined, may, ["suspended"]);
    await at.run("record.change-status");
    expect(at.deeds[1]).toEqual(["ask", "text", "record.ask.status-to.suspended", "sheet.text.reason", "problem.reason.missing", null]);
    expect(at.deeds[2]).toEqual(["status", aMerchant().uuid, "suspended", "Unpaid"]);
  });

  test("Esc at the reason changes nothing", async () => {
    const at = fixture({ choice: "suspended" });
    await at.run("record.change-status");
    expect(at.deeds.map(([service]) => service)).toEqual(["ask", "ask"]);
  });
});

describe("what only some lists can do", () => {
  const lending = (more: Partial<ListDesk>) => {
    const at = fixture();
    const { pane } = at.on();
    return { ...at, context: at.on({ list: { ...(pane?.list as ListDesk), ...more } }) }; // the fixture lends one
  };

  test("u opens the record above, and says so where nothing is above", async () => {
    const { deeds, press, context, on } = lending({ up: () => void deeds.push(["up"]) });
    await press("u", context);
    await press("u", on());
    expect(deeds).toEqual([["up"], ["say", "list.refuse.nothing-above"]]);
  });

  test("Mod+Enter opens beside what the line is about, says so where it is about nothing, and is nobody's where lines are records", async () => {
    const place = { screen: "withdrawals", to: { search: { record: "x" } } } as const;
    const { deeds, press, context, on } = lending({ linked: ({ uuid }) => (uuid === aMerchant().uuid ? place : null) });
    await press("$mod+Enter", context);
    await press("$mod+Enter", on({ ...context.pane, cursor: aMerchant({ uuid: "other" }) }));
    expect(deeds).toEqual([
      ["beside", "withdrawals", place.to],
      ["say", "list.refuse.nothing-linked"],
    ]);
    expect(press("$mod+Enter", on())).toBeNull();
  });

  test("the dates are asked for where the list is about some", async () => {
    const { deeds, run, context, on } = lending({ askWindow: async () => void deeds.push(["window"]) });
    expect([await run("list.window", context), await run("list.window", on())]).toEqual(["ran", "absent"]);
    expect(deeds[0]).toEqual(["window"]);
  });
});
