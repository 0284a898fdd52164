import { expect, test } from "vitest";
import { bankLineCommands } from "../../commands/bank-transactions.ts";
import type { BankLine, Suggestion } from "../../src/contract/bank-transactions.ts";
import type { MatchingDesk } from "../../src/console/kit/commands/desks.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { Services, Undo } from "../../src/console/kit/commands/services.ts";
import { choicesFor } from "../../src/console/screens/bank-transactions/choices.ts";
import { createMatching } from "../../src/console/screens/bank-transactions/matching-store.ts";
import { aDeposit } from "../console/deposits/rows.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";

const area = "pas.transaction.bank-transactions";

const aLine = (more: Partial<BankLine> = {}): BankLine => ({
  uuid: "line",
  version: 3,
  payment_account: { uuid: "account", code: "MBB-07" },
  time: "2026-11-21T05:53:00.000Z",
  direction: "credit",
  amount: "2650.00",
  reference: null,
  counterparty: "SELAT SPORTS",
  counterparty_account: null,
  description: "DUITNOW SELAT SPORTS",
  balance: null,
  status: "unmatched",
  ignored_as: null,
  ignore_reason: null,
  matched: [],
  source: "file",
  file_name: null,
  import_uuid: null,
  by: null,
  created_at: "2026-11-21T06:00:00.000Z",
  updated_at: "2026-11-21T06:00:00.000Z",
  ...more,
});

const aSuggestion = (...uuids: string[]): Suggestion => ({
  score: { total: 90, amount: 35, reference: 30, name: 10, time: 15 },
  transactions: uuids.map((uuid) => ({
    uuid,
    version: 5,
    txn_no: uuid,
    kind: "deposit",
    status: "pending",
    amount: "2650.00",
    reference_no: null,
    name: "Lau Kar Yan",
    merchant: { uuid: "merchant", code: "SELAT", name: "Selat Sports" },
    created_at: "2026-11-21T05:50:00.000Z",
    score: { total: 90, amount: 35, reference: 30, name: 10, time: 15 },
    known_payer: false,
  })),
});

interface Desk {
  readonly line?: BankLine;
  readonly marked?: readonly BankLine[];
  readonly matching?: MatchingDesk;
  readonly outcomes?: readonly unknown[];
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly acts?: readonly string[];
  readonly rightToLeft?: boolean;
}

function desk({
  line = aLine(),
  marked = [],
  matching,
  outcomes,
  answers = {},
  acts = ["view", "match", "unmatch", "ignore"],
  rightToLeft = false,
}: Desk) {
  const sent: { path: string; body: unknown }[] = [];
  const said: unknown[] = [];
  const undo: Undo[] = [];
  const services = {
    ask: async (kind: string) => answers[kind] ?? null,
    call: async (route: { path: string }, { body }: { body: { rows: { uuid: string }[] } }) => {
      sent.push({ path: route.path.split("/").at(-1) ?? "", body });
      return { data: { outcomes: outcomes ?? body.rows.map(({ uuid }) => ({ uuid, done: true, row: aLine({ uuid, version: 9 }) })) } };
    },
    changed: () => undefined,
    say: (...words: unknown[]) => void said.push(words),
    text: (key: string) => key,
    pushUndo: (one: Undo) => void undo.push(one),
  } as unknown as Services; // the deps these commands use
  const registry = createRegistry(bankLineCommands, { services, routedScreens: new Set(["bank-transactions"]) });
  const pane = aPane({ subject: "bank-line", cursor: line, marked: [...marked], ...(matching && { matching }) });
  const context = aContext({
    screen: "bank-transactions",
    permissions: { [area]: acts },
    rightToLeft,
    pane,
  });
  return {
    sent,
    said,
    undo,
    verdict: (id: string) => registry.judge(registry.get(id) ?? bankLineCommands[0]!, context),
    run: (id: string) => registry.run(id, "key", context),
  };
}

const shown = (line: string, ...suggestions: Suggestion[]) => {
  const matching = createMatching();
  matching.show(line, choicesFor(aLine(), suggestions, []));
  return matching;
};

test("m takes the suggestion that is looked at, and z takes the match back with the line's new version", async () => {
  const matching = shown("line", aSuggestion("first"), aSuggestion("second", "third"));
  matching.desk.step(1);
  const { run, sent, undo } = desk({ matching: matching.desk });
  await run("bank-line.match");
  await undo[0]?.back();
  expect(sent).toEqual([
    {
      path: "match",
      body: {
        rows: [
          {
            uuid: "line",
            version: 3,
            transactions: [
              { uuid: "second", version: 5 },
              { uuid: "third", version: 5 },
            ],
          },
        ],
      },
    },
    { path: "unmatch", body: { rows: [{ uuid: "line", version: 9 }], reason: "bank-line.undo.reason" } },
  ]);
});

test("nothing is matched before the suggestions of this very line are there, or where nothing fits", () => {
  const refusal = (matching: MatchingDesk, line = aLine()) => desk({ matching, line }).verdict("bank-line.match");
  expect(refusal(shown("another", aSuggestion("first")).desk)).toEqual({ state: "refused", reason: "bank-line.refuse.looking" });
  expect(refusal(shown("line").desk)).toEqual({ state: "refused", reason: "bank-line.refuse.nothing-fits" });
  const matched = aLine({ status: "matched" });
  expect(refusal(shown("line", aSuggestion("first")).desk, matched)).toEqual({
    state: "refused",
    reason: "bank-line.refuse.not-unmatched",
  });
});

test("who may match but not unmatch is offered nothing to take back", async () => {
  const { run, undo, sent } = desk({ matching: shown("line", aSuggestion("first")).desk, acts: ["view", "match"] });
  await run("bank-line.match");
  expect(sent).toHaveLength(1);
  expect(undo).toEqual([]);
});

test("a refused match says why and offers nothing to undo", async () => {
  const outcomes = [
    { uuid: "line", done: false, problem: { code: "transaction.matched", message: "The transaction is already matched." } },
  ];
  const { run, said, undo } = desk({ matching: shown("line", aSuggestion("first")).desk, outcomes });
  await run("bank-line.match");
  expect(said).toEqual([["bank-line.said.refused", { n: 1, why: "The transaction is already matched." }, "fail"]]);
  expect(undo).toEqual([]);
});

test("Left and Right are screen directions: in Arabic Left goes to the next suggestion", async () => {
  const placeAfter = async (id: string, rightToLeft: boolean) => {
    const matching = shown("line", aSuggestion("first"), aSuggestion("second"), aSuggestion("third"));
    matching.desk.step(1);
    await desk({ matching: matching.desk, rightToLeft }).run(id);
    return matching.store.getState().at;
  };
  expect(await placeAfter("bank-line.suggestion-right", false)).toBe(2);
  expect(await placeAfter("bank-line.suggestion-left", false)).toBe(0);
  expect(await placeAfter("bank-line.suggestion-right", true)).toBe(0);
  expect(await placeAfter("bank-line.suggestion-left", true)).toBe(2);
});

test("suggestions that come anew keep the one that was looked at, and steps end at the first and the last", () => {
  const matching = shown("line", aSuggestion("first"), aSuggestion("second"));
  matching.desk.step(1);
  matching.desk.step(1);
  matching.show("line", choicesFor(aLine(), [aSuggestion("new"), aSuggestion("first"), aSuggestion("second")], []));
  expect(matching.desk.chosen("line")?.transactions[0]?.uuid).toBe("second");
  for (const _ of [1, 2, 3, 4]) matching.desk.step(-1);
  expect(matching.desk.chosen("line")?.transactions[0]?.uuid).toBe("new");
});

test("what is marked on the other side is taken where it is the line's amount, and is marked no more; above four nothing is", async () => {
  let cleared = 0;
  const deposits = ["a", "b"].map((uuid) => aDeposit({ uuid, version: 3, amount: "1325.00" }));
  const matching = createMatching();
  matching.show("line", choicesFor(aLine(), [aSuggestion("best")], deposits), () => (cleared += 1));
  const { run, sent } = desk({ matching: matching.desk });
  await run("bank-line.match");
  expect(sent[0]?.body).toMatchObject({
    rows: [
      {
        transactions: [
          { uuid: "a", version: 3 },
          { uuid: "b", version: 3 },
        ],
      },
    ],
  });
  expect(cleared).toBe(1);
  const five = ["1", "2", "3", "4", "5"].map((uuid) => aDeposit({ uuid, amount: "530.00" }));
  matching.show("line", choicesFor(aLine(), [], five));
  expect(desk({ matching: matching.desk }).verdict("bank-line.match")).toMatchObject({
    state: "refused",
    reason: { key: "bank-line.refuse.too-many" },
  });
});

test.each([
  ["bank-line.ignore", "unmatched"],
  ["bank-line.unmatch", "matched"],
  ["bank-line.take-back", "ignored"],
] as const)("%s of more lines than one request takes is refused before anything is asked", (id, status) => {
  const marked = Array.from({ length: 201 }, (_, n) => aLine({ uuid: `l${n}`, status }));
  expect(desk({ marked }).verdict(id)).toMatchObject({ reason: { key: "bank-line.refuse.too-many-lines", words: { most: 200 } } });
  expect(desk({ marked: marked.slice(1) }).verdict(id)).not.toHaveProperty("reason");
});

test("of marked lines only those that can be ignored are sent; another reason than the known ones needs words", async () => {
  const marked = [aLine({ uuid: "a" }), aLine({ uuid: "b", status: "matched" }), aLine({ uuid: "c" })];
  const { run, sent } = desk({ marked, answers: { choice: "fee", text: "" } });
  await run("bank-line.ignore");
  expect(sent).toEqual([
    {
      path: "ignore",
      body: {
        rows: [
          { uuid: "a", version: 3 },
          { uuid: "c", version: 3 },
        ],
        ignore_as: "fee",
        reason: "",
      },
    },
  ]);
});

test("a match is undone only with a reason, and Esc leaves it", async () => {
  const line = aLine({ status: "matched" });
  const left = desk({ line });
  await left.run("bank-line.unmatch");
  expect(left.sent).toEqual([]);
  const given = desk({ line, answers: { text: " wrong customer " } });
  await given.run("bank-line.unmatch");
  expect(given.sent).toEqual([{ path: "unmatch", body: { rows: [{ uuid: "line", version: 3 }], reason: "wrong customer" } }]);
});
