import { beforeAll, expect, test } from "vitest";
import { CallFailure } from "../../../src/console/api/failure.ts";
import type { ImportFile, ImportKind } from "../../../src/console/imports/import-work.ts";
import { createImportWork } from "../../../src/console/imports/import-work.ts";
import { inLanguage } from "../in-language.ts";

beforeAll(() => inLanguage("en"));

interface Shells extends ImportFile {
  readonly counts: { readonly broken: number; readonly new: number; readonly known: number };
}
interface Shell {
  readonly n: number;
  readonly state: "broken" | "new" | "known";
}

const aFile = (more: Partial<Shells> = {}): Shells => ({
  uuid: "import",
  state: "staged",
  file_name: "shells.csv",
  counts: { broken: 1, new: 2, known: 0 },
  ...more,
});

/** An import of shells, what was asked of the server, and how often it waited and told that something was added. */
function anImport(answers: Partial<ImportKind<Shells, Shell>> = {}) {
  const asked: string[] = [];
  const seen = { added: 0, waits: 0 };
  const noted = <Args extends unknown[], Answer>(name: string, answer: (...args: Args) => Promise<Answer>) => {
    return (...args: Args): Promise<Answer> => {
      asked.push(name);
      return answer(...args);
    };
  };
  const kind: ImportKind<Shells, Shell> = {
    states: ["broken", "new", "known"],
    linesShown: 3,
    isReady: answers.isReady ?? (({ counts }) => counts.new > 0),
    stage: noted("stage", answers.stage ?? (() => Promise.resolve(aFile()))),
    read: noted("read", answers.read ?? (() => Promise.resolve(aFile({ state: "done" })))),
    lines: noted("lines", answers.lines ?? (() => Promise.resolve([]))),
    start: noted("start", answers.start ?? (() => Promise.resolve(aFile({ state: "running" })))),
    cancel: noted("cancel", answers.cancel ?? (() => Promise.resolve(aFile({ state: "cancelled" })))),
  };
  const work = createImportWork(kind, { wait: async () => void seen.waits++, added: () => void seen.added++ });
  return { work, asked, seen, now: () => work.store.getState() };
}

const given = { source: "file" as const, file: new Blob(["a"]) };

test("lines of the first state there are any of are listed, else those of the last", async () => {
  const shownFor = async (counts: Partial<Shells["counts"]>) => {
    const { work, now } = anImport({ stage: () => Promise.resolve(aFile({ counts: { ...aFile().counts, ...counts } })) });
    await work.give(given);
    return now().shown;
  };
  expect([await shownFor({}), await shownFor({ broken: 0 }), await shownFor({ broken: 0, new: 0 })]).toEqual(["broken", "new", "known"]);
});

test("what is not ready is never started; a second start sends nothing", async () => {
  const startsOf = async (isReady: boolean) => {
    const { work, asked } = anImport({ isReady: () => isReady });
    await work.give(given);
    await Promise.all([work.start(), work.start()]);
    return asked.filter((name) => name === "start").length;
  };
  expect([await startsOf(false), await startsOf(true)]).toEqual([0, 1]);
});

test.each(["waiting", "running"] as const)(
  "one that is %s is followed to its end, past a look that fails, and then the list is told and the lines read anew",
  async (state) => {
    const looks = [aFile({ state }), null, aFile({ state: "done", counts: { broken: 0, new: 0, known: 2 } })];
    const { work, asked, seen, now } = anImport({
      start: () => Promise.resolve(aFile({ state })),
      read: () => {
        const look = looks.shift() ?? null;
        return look === null ? Promise.reject(new Error("no network")) : Promise.resolve(look);
      },
    });
    await work.give(given);
    await work.start();
    expect([now().file?.state, now().shown, seen]).toEqual(["done", "known", { added: 1, waits: 3 }]);
    expect(asked.at(-1)).toBe("lines");
  },
);

test("one whose sheet was closed is looked at no more", async () => {
  const { work, asked } = anImport({
    read: () => {
      work.close();
      return Promise.resolve(aFile({ state: "running" }));
    },
  });
  await work.give(given);
  await work.start();
  expect(asked.filter((name) => name === "read")).toHaveLength(1);
});

test("a refusal is shown, and the next try takes it away", async () => {
  let refused = true;
  const { work, now } = anImport({
    stage: () =>
      refused
        ? Promise.reject(new CallFailure("refused", { status: 409, code: "bank-file.refused", message: "This is a web page, not a table" }))
        : Promise.resolve(aFile()),
  });
  await work.give(given);
  expect([now().file, now().busy, now().refused]).toEqual([null, false, "This is a web page, not a table"]);
  refused = false;
  await work.give(given);
  expect([now().file?.uuid, now().refused]).toEqual(["import", null]);
});

test("an import that has ended is neither stopped nor thrown away", async () => {
  const { work, asked } = anImport({ start: () => Promise.resolve(aFile({ state: "done" })) });
  await work.give(given);
  await work.start();
  await work.cancel();
  expect(asked).not.toContain("cancel");
});
