import { describe, expect, test } from "vitest";
import { merchantCallbackCommands } from "../../commands/merchant-callbacks.ts";
import { failureText } from "../../commands/transactions/rows.ts";
import { CallFailure } from "../../src/console/api/failure.ts";
import type { PaneState } from "../../src/console/kit/commands/context.ts";
import type { Desks } from "../../src/console/kit/commands/desks.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";

const command = "merchant-callback.resend-failed";

/** A German reader before the list of callbacks, who answers the question for a time with `typed`. */
function reader(filter: string, typed = "") {
  const sent: { since: string; merchant_code?: string }[] = [];
  const refusals: unknown[] = [];
  const words: Readonly<Record<string, string>> = { "moment.yesterday": "gestern" };
  const services = {
    ask: async (_: string, { refuse }: { refuse(text: string): unknown }) => {
      refusals.push(refuse(typed));
      return typed;
    },
    call: async (_: object, { query }: { query: (typeof sent)[number] }) => {
      sent.push(query);
      return { data: { count: 0, merchants: 0, disabled: 0, unaddressed: 0 } };
    },
    text: (key: string) => words[key] ?? key,
    say: () => undefined,
    workplace: () => ({ zone: 480 }),
  } as unknown as Services; // what the command uses
  const asked = () => ({ params: {}, query: filter === "" ? {} : { "filter[merchant_code]": filter } });
  const list = { exports: { asked } } as unknown as NonNullable<Desks["list"]>; // what the command uses
  const permissions = { "pas.transaction.withdrawals": ["view", "send-callback"] };
  const context = aContext({ screen: "merchant-callbacks", pane: aPane({ list }), lent: { list }, permissions });
  const registry = createRegistry(merchantCallbackCommands, { services, routedScreens: new Set(["merchant-callbacks"]) });
  return {
    sent,
    refusals,
    judged: () => registry.judge(registry.get(command)!, context),
    run: () => registry.run(command, "key", context),
  };
}

describe("sending again all that failed", () => {
  test("takes a time in the reader's own words", async () => {
    const at = reader("", "gestern");
    await at.run();
    expect([at.refusals, at.sent.length]).toEqual([[null], 1]);
    expect(Date.parse(at.sent[0]?.since ?? "")).toBeLessThan(Date.now() - 86_400_000 + 1);
  });

  test.each([
    ["", undefined],
    ["ACME", "ACME"],
    ['"ACME, Ltd"', "ACME, Ltd"],
  ])("with the filter %j is for the merchant %j", async (filter, code) => {
    const at = reader(filter, "-2h");
    await at.run();
    expect(at.sent.map(({ merchant_code }) => merchant_code)).toEqual([code]);
  });

  test.each(["ACME,BETA", "!ACME"])("with the filter %j is refused, because it is for one merchant or for all", async (filter) => {
    const at = reader(filter, "-2h");
    expect(at.judged()).toMatchObject({ reason: "merchant-callback.refuse.one-merchant" });
    await at.run();
    expect(at.sent).toEqual([]);
  });
});

test("callbacks that were sent again are marked no more, those that failed still are", async () => {
  const rows = ["a", "b", "c"].map((uuid) => ({ uuid, txn_no: uuid, merchant_uuid: "m", merchant_code: "ACME", state: "failed" }));
  const marks = new Set(["a", "b", "c"]);
  const services = {
    ask: async (_: string, { slices }: { slices: readonly { send(): Promise<unknown> }[] }) => {
      for (const { send } of slices) await send(); // oxlint-disable-line no-await-in-loop -- as the sheet does
      return true;
    },
    call: async () => ({
      data: {
        outcomes: rows.map((row) =>
          row.uuid === "b"
            ? { uuid: "b", done: false, problem: { code: "callback.failed", message: "Failed" } }
            : { uuid: row.uuid, done: true, row },
        ),
      },
    }),
    changed: () => undefined,
    text: (key: string) => key,
  } as unknown as Services; // what the command uses
  const grid = {
    markedRows: () => rows.filter(({ uuid }) => marks.has(uuid)),
    marksEverything: () => null,
    toggleMark: (uuid: string) => void (marks.has(uuid) ? marks.delete(uuid) : marks.add(uuid)),
  } as unknown as NonNullable<PaneState["grid"]>; // as above
  const permissions = { "pas.transaction.withdrawals": ["view", "send-callback"], "pas.transaction.deposits": ["view", "send-callback"] };
  const pane = aPane({ subject: "merchant-callback", cursor: rows[0] as never, marked: rows as never, grid }); // what it reads of a row
  const registry = createRegistry(merchantCallbackCommands, { services, routedScreens: new Set(["merchant-callbacks"]) });
  await registry.run("merchant-callback.resend", "palette", aContext({ screen: "merchant-callbacks", pane, permissions }));
  expect([...marks]).toEqual(["b"]);
});

describe("rows whose request failed are told", () => {
  const services = { text: (key: string) => key } as Services;
  test.each([
    ["that no answer came", new CallFailure("no-response"), "failure.no-response"],
    ["that the answer is not understood", new CallFailure("unexpected", { message: "no JSON" }), "failure.unexpected"],
    ["why the server refused", new CallFailure("refused", { status: 403, message: "No right" }), "No right"],
    ["nothing of a gateway's refusal without words", new CallFailure("refused", { status: 502 }), "failure.unexpected"],
    ["nothing of a fault of the console", new TypeError("x is undefined"), "failure.unexpected"],
  ])("%s", (_, error, said) => {
    expect(failureText(services, error)).toBe(said);
  });
});
