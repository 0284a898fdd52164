import { describe, expect, test } from "vitest";
import { merchantCommands } from "../../commands/merchants.ts";
import { paymentAccountCommands } from "../../commands/payment-accounts.ts";
import { tenantMerchantRoutes as routes } from "../../src/contract/merchants.ts";
import { paymentAccountRoutes } from "../../src/contract/payment-accounts.ts";
import type { RecordDesk } from "../../src/console/entity/desk.ts";
import type { Context, PaneState } from "../../src/console/kit/context.ts";
import { createRegistry } from "../../src/console/kit/registry.ts";
import type { Services } from "../../src/console/kit/services.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";
import { aMerchant } from "../console/entity/records.ts";

const every = ["view", "create", "update", "delete", "change-status"];

/** A screen of merchants with its desk; what the desk is asked for is noted. */
function house(answers: Partial<Record<string, unknown>> = {}, refusal?: Error) {
  const deeds: unknown[][] = [];
  const note =
    (door: string) =>
    (...with_: unknown[]): void =>
      void deeds.push([door, ...with_]);
  const desk: RecordDesk = {
    create: note("create"),
    edit: note("edit"),
    showHistory: note("history"),
    find: note("find"),
    unfiltered: () => null,
    filterColumn: async () => note("filter")(),
    filterByValue: note("filter-value"),
    dropFilter: note("drop"),
    reset: note("reset"),
    hasFilters: () => false,
  };
  const services = {
    async call(route: { path: string; method: string }, sent: object) {
      deeds.push(["call", route.method, route.path.split("/").at(-1), sent]);
      if (refusal) throw refusal;
      return { data: aMerchant({ version: 2, status: "suspended" }) };
    },
    async ask(kind: string, asked: { title: string; text?: string; options?: readonly { id: string; refused: string | null }[] }) {
      deeds.push([
        "ask",
        kind,
        asked.title,
        ...(asked.options ? [asked.options.filter((one) => one.refused !== null).map((one) => one.id)] : []),
      ]);
      return answers[kind] ?? null;
    },
    say: (key: string) => note("say")(key),
    text: (key: string) => key,
    changed: (subject: string, rows: readonly unknown[]) => note("changed")(subject, ...rows),
    shell: { togglePane: note("toggle") },
  } as unknown as Services; // the doors these commands use
  const registry = createRegistry([...merchantCommands, ...paymentAccountCommands], { services, routedScreens: new Set(["merchants"]) });
  const on = (pane: Partial<PaneState> = {}, more: Partial<Context> = {}): Context =>
    aContext({
      screen: "merchants",
      permissions: { "pas.merchant.merchants": every },
      pane: aPane({ subject: "merchant", cursor: aMerchant(), records: desk, ...pane }),
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
    const at = house();
    await at.press(chord);
    expect(at.deeds).toEqual([deed]);
  });

  test("status and delete have none", () => {
    const keyless = [...merchantCommands, ...paymentAccountCommands].filter(({ id }) => /change-status|delete/.test(id));
    expect(keyless.map(({ keys }) => keys)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("the keys of one screen do nothing on another", () => {
    const at = house();
    expect(at.press("c", at.on({}, { screen: "withdrawals" }))).toBeNull();
  });

  test("an edit takes one row: with several marked it says so", async () => {
    const at = house();
    await at.press("e", at.on({ marked: [aMerchant(), aMerchant({ uuid: "x" })] }));
    expect(at.deeds).toEqual([["say", "refuse.one-row"]]);
  });

  test("i opens the detail first where it is hidden", async () => {
    const at = house();
    await at.press("i");
    expect(at.deeds).toEqual([["toggle", "detail"], ["history"]]);
  });
});

test("each command asks for its route's right", () => {
  const of = (id: string) => [...merchantCommands, ...paymentAccountCommands].find((command) => command.id === id)?.permission;
  expect(of("merchant.create")).toBe(routes.createMerchant.permission);
  expect(of("merchant.edit")).toBe(routes.updateMerchant.permission);
  expect(of("merchant.change-status")).toBe(routes.changeMerchantStatus.permission);
  expect(of("merchant.delete")).toBe(routes.deleteMerchant.permission);
  expect(of("payment-account.delete")).toBe(paymentAccountRoutes.deletePaymentAccount.permission);
});

test("without the right its key says which is missing, and does nothing", async () => {
  const at = house();
  await at.press("e", at.on({}, { permissions: { "pas.merchant.merchants": ["view"] } }));
  expect(at.deeds).toEqual([["say", "refuse.no-right"]]);
});

describe("deleting", () => {
  test("asks first; unanswered, nothing is sent", async () => {
    const at = house();
    await at.run("merchant.delete");
    expect(at.deeds).toEqual([["ask", "confirm", "record.ask.delete"]]);
  });

  test("confirmed, the version seen is sent and the row leaves", async () => {
    const at = house({ confirm: true });
    await at.run("merchant.delete");
    const { uuid } = aMerchant();
    expect(at.deeds.slice(1)).toEqual([
      ["call", "DELETE", "{uuid}", { params: { uuid }, query: { version: 1 } }],
      ["say", "record.said.deleted"],
      ["changed", "merchant", { uuid, gone: true }],
    ]);
  });

  test("refused, nothing is said to be done and the row is looked at again", async () => {
    const told = Object.assign(new Error("in use"), { told: true });
    const at = house({ confirm: true }, told);
    expect(await at.run("merchant.delete")).toBe("failed");
    expect(at.deeds.slice(2)).toEqual([["changed", "merchant", { uuid: aMerchant().uuid }]]);
  });

  test("offline it is not even asked", async () => {
    const at = house({ confirm: true });
    expect(await at.run("merchant.delete", at.on({}, { online: false }))).toBe("refused");
  });
});

describe("the status", () => {
  test("is chosen among those a person may set, the present one cannot be; its reason goes along", async () => {
    const at = house({ choice: "suspended", text: " Unpaid " });
    await at.run("merchant.change-status");
    const { uuid } = aMerchant();
    expect(at.deeds).toEqual([
      ["ask", "choice", "record.ask.status", ["active"]],
      ["ask", "text", "record.ask.status-reason"],
      ["call", "POST", "status", { params: { uuid }, body: { version: 1, status: "suspended", reason: "Unpaid" } }],
      ["say", "record.said.status"],
      ["changed", "merchant", aMerchant({ version: 2, status: "suspended" })],
    ]);
  });

  test("Esc at the reason changes nothing", async () => {
    const at = house({ choice: "suspended" });
    await at.run("merchant.change-status");
    expect(at.deeds.map(([door]) => door)).toEqual(["ask", "ask"]);
  });
});
