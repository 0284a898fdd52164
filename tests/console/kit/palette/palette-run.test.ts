import { beforeEach, describe, expect, test } from "vitest";
import type { AnyCommand } from "../../../../src/console/kit/commands/command.ts";
import { answersTo } from "../../../../src/console/kit/palette/palette-answers.ts";
import { createContextStore } from "../../../../src/console/kit/commands/context-store.ts";
import { runFromPalette } from "../../../../src/console/kit/palette/palette-run.ts";
import type { PaletteQuestion } from "../../../../src/console/kit/palette/palette-store.ts";
import { createPaletteStore } from "../../../../src/console/kit/palette/palette-store.ts";
import { createQuestionHost } from "../../../../src/console/kit/sheets/questions.ts";
import type { Source } from "../../../../src/console/kit/commands/registry.ts";
import { createRegistry } from "../../../../src/console/kit/commands/registry.ts";
import type { Services } from "../../../../src/console/kit/commands/services.ts";
import { aCommand, aContext, notingServices } from "../fakes.ts";

/** A task later: questions that depend only on an answer have been asked. */
const settled = () => new Promise((resolve) => setTimeout(resolve));
const option = (id: string) => ({ id, label: id, note: "", refused: null });
const choice = (...ids: string[]) => ({ title: "record.ask.status", words: {}, options: ids.map(option) }) as const;
const lines = { title: "transaction.ask.remark", words: {}, initial: "", maximum: 500 } as const;
const line = { ...lines, hint: "view.ask.name.hint" } as const;

type Listener = (command: AnyCommand, source: Source) => void;

/** Everything the palette needs to run a command; `deeds` is what the command did. */
function fixture(run: (services: Services, deeds: unknown[]) => void | Promise<void>) {
  const deeds: unknown[] = [];
  const questions = createQuestionHost();
  const palette = createPaletteStore();
  const context = createContextStore();
  const listeners = new Set<Listener>();
  const { services: noting } = notingServices();
  const services = new Proxy(noting, {
    get: (deps, service) =>
      service === "ask"
        ? questions.ask
        : service === "open"
          ? (what: "tenant") => palette.open(aContext(), "", what)
          : Reflect.get(deps, service),
  });
  const commands = [
    aCommand([], { id: "record.act", run: (_: readonly unknown[], deps: Services) => run(deps, deeds) }),
    aCommand([], { id: "other.act" }),
  ];
  const registry = createRegistry(commands, {
    services,
    routedScreens: new Set(),
    onRan: (command, source) => listeners.forEach((listener) => listener(command, source)),
  });
  const kit = {
    registry,
    palette,
    questions,
    context,
    onRan(listener: Listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const page = (): PaletteQuestion => {
    const { question } = palette.getState();
    if (question === null) throw new Error("the palette asks nothing");
    return question;
  };
  return { kit, deeds, palette, questions, context, registry, page, start: () => runFromPalette(kit, "record.act", aContext(), "sta") };
}

const changeStatus = async ({ ask }: Services, deeds: unknown[]): Promise<void> => {
  const status = await ask("choice", choice("active", "suspended"));
  if (status === null) return;
  const reason = await ask("text", line);
  if (reason === null) return;
  deeds.push([status, reason]);
};

describe("a command started in the palette asks there", () => {
  let at: ReturnType<typeof fixture>;
  beforeEach(() => (at = fixture(changeStatus)));

  test("one page after the other, and runs once with both answers", async () => {
    const run = at.start();
    expect([at.page().question.kind, at.questions.getState()]).toEqual(["choice", []]);
    at.page().answer({ id: "suspended", text: "sus" });
    await settled();
    expect(at.page().question.kind).toBe("text");
    at.page().answer({ id: "text", text: "asked by the bank" });
    expect(await run).toBe("ran");
    expect([at.deeds, at.palette.getState().context]).toEqual([[["suspended", "asked by the bank"]], null]);
  });

  test("back from the first page is the list as it was typed, and nothing is run", async () => {
    const run = at.start();
    at.page().back("su");
    await run;
    expect(at.palette.getState()).toMatchObject({ question: null, text: "sta", page: null });
    expect(at.deeds).toEqual([]);
  });

  test("back from the second page is the first one with its text; going on again runs once", async () => {
    const run = at.start();
    at.palette.setText("susp");
    at.page().answer({ id: "suspended", text: "susp" });
    await settled();
    at.page().back("half a rea");
    await settled();
    expect([at.page().question.kind, at.palette.getState().text]).toEqual(["choice", "susp"]);
    at.page().answer({ id: "active", text: "" });
    await settled();
    at.page().answer({ id: "text", text: "well again" });
    await run;
    expect(at.deeds).toEqual([["active", "well again"]]);
  });

  test("closed by a click beside it, or by another tenant, the question is cancelled", async () => {
    const run = at.start();
    at.palette.close();
    expect(await run).toBe("ran");
    const other = at.start();
    at.questions.dismiss();
    expect(await other).toBe("ran");
    expect(at.deeds).toEqual([]);
  });

  test("started by a key it asks in its sheet", async () => {
    void at.registry.run("record.act", "key", aContext());
    expect([at.questions.getState().length, at.palette.getState().question]).toEqual([1, null]);
    at.questions.dismiss();
    await settled();
  });
});

test("a page for each of three questions: back goes one page at a time", async () => {
  const at = fixture(async ({ ask }, deeds) => {
    const name = await ask("text", line);
    const digit = name === null ? null : await ask("choice", choice("1", "2"));
    const who = digit === null ? null : await ask("choice", choice("mine", "shared"));
    if (who !== null) deeds.push([name, digit, who]);
  });
  const run = at.start();
  at.palette.setText("Mine");
  at.page().answer({ id: "text", text: "Mine" });
  await settled();
  at.page().answer({ id: "2", text: "" });
  await settled();
  at.page().back("");
  await settled();
  expect(at.page().question.asked).toEqual(choice("1", "2"));
  at.page().back("");
  await settled();
  expect([at.page().question.kind, at.palette.getState().text]).toEqual(["text", "Mine"]);
  at.page().back("Mine");
  await run;
  expect([at.palette.getState().text, at.deeds]).toEqual(["sta", []]);
});

test("after something was done in between, going back does not do it again", async () => {
  const at = fixture(async ({ ask }, deeds) => {
    const first = await ask("choice", choice("a"));
    if (first === null) return;
    deeds.push("sent");
    await settled();
    await ask("text", line);
  });
  const run = at.start();
  at.page().answer({ id: "a", text: "" });
  await settled();
  await settled();
  at.page().back("");
  await run;
  expect([at.deeds, at.palette.getState().text]).toEqual([["sent"], "sta"]);
});

test("a choice that moves money keeps its sheet, because a page is confirmed by plain Enter", async () => {
  const at = fixture(async ({ ask }, deeds) => void deeds.push(await ask("choice", { ...choice("MBB-01", "MBB-02"), money: true })));
  const run = at.start();
  await settled();
  expect([at.palette.getState().question, at.questions.getState().map(({ kind }) => kind)]).toEqual([null, ["choice"]]);
  at.questions.dismiss();
  await run;
  expect(at.deeds).toEqual([null]);
});

test("money, irreversible acts and texts of several lines keep their sheets", async () => {
  const money = {
    title: "transaction.ask.approve",
    words: {},
    amount: "1",
    currency: "MYR",
    payee: "p",
    account: "a",
    from: null,
    notes: [],
  } as const;
  for (const ask of [
    ({ ask }: Services) => ask("money", money),
    ({ ask }: Services) => ask("confirm", { title: "record.ask.delete", text: "record.ask.delete-text", words: {} }),
    ({ ask }: Services) => ask("text", lines),
  ]) {
    const at = fixture(async (services) => void (await ask(services)));
    void at.start();
    expect([at.questions.getState().length, at.palette.getState().question]).toEqual([1, null]);
    at.questions.dismiss();
    // oxlint-disable-next-line no-await-in-loop -- one fixture after the other
    await settled();
  }
});

test("once the operator has done something else, a late question is a sheet", async () => {
  const at = fixture(async ({ ask }) => {
    await settled();
    await ask("choice", choice("a"));
  });
  const run = at.start();
  await at.registry.run("other.act", "key", aContext());
  await settled();
  await settled();
  expect([at.questions.getState().length, at.palette.getState().question]).toEqual([1, null]);
  at.questions.dismiss();
  await run;
});

test("tenant, currency and language chosen from the list lead back to it; opened by their own key Esc closes", async () => {
  const at = fixture(({ open }) => open("tenant"));
  await at.start();
  expect(at.palette.getState()).toMatchObject({ page: "tenant", behind: "sta" });
  at.palette.back();
  expect(at.palette.getState()).toMatchObject({ page: null, text: "sta" });
  at.palette.open(aContext(), "", "tenant");
  at.palette.back();
  expect(at.palette.getState().context).toBeNull();
});

describe("what a page offers", () => {
  const t = (key: string, words?: object) => (words === undefined ? key : `${key} ${JSON.stringify(words)}`);
  const reason: PaletteQuestion["question"] = {
    id: 1,
    kind: "reason",
    asked: {
      title: "withdrawal.ask.reject",
      words: {},
      presets: [
        { code: "name-mismatch", text: "Name mismatch" },
        { code: "over-limit", text: "Over limit" },
        { code: "other", text: "Other" },
      ],
    },
    answer: () => undefined,
  };
  const ids = (typed: string) => answersTo(reason, typed, t as never).map(({ id }) => id); // texts by key

  test("the tenant's reasons, then one's own words", () => expect(ids("")).toEqual(["name-mismatch", "over-limit", "other"]));
  test("a digit chooses as in the sheet", () => expect(ids("2")[0]).toBe("over-limit"));
  test("part of a name finds it; a reason that merely contains the letters never replaces one's own words", () => {
    expect(ids("limit")).toEqual(["over-limit", "other"]);
    expect(ids("nmi")).toEqual(["other"]);
  });
  test("an answer in one's own words needs words", () => {
    expect(answersTo(reason, " ", t as never).at(-1)?.refused).toBe("palette.ask.own-needed");
    expect(answersTo(reason, "bank said no", t as never).at(-1)).toMatchObject({ id: "other", refused: null });
  });
  test("an unfit option is shown with its reason", () => {
    const accounts: PaletteQuestion["question"] = {
      id: 2,
      kind: "choice",
      asked: { title: "withdrawal.ask.account-choice", words: {}, options: [{ id: "a", label: "MBB", note: "", refused: "frozen" }] },
      answer: () => undefined,
    };
    expect(answersTo(accounts, "mbb", t as never)[0]?.refused).toBe("frozen");
  });
});
