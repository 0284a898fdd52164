import { expect, test } from "vitest";
import type { BankImport } from "../../../src/contract/bank-imports.ts";
import type { Route } from "../../../src/contract/route.ts";
import type { Call } from "../../../src/console/api/call.ts";
import { createImport } from "../../../src/console/screens/bank-transactions/import-work.ts";

const aFile = (more: Partial<BankImport> = {}): BankImport => ({
  uuid: "import",
  version: 1,
  payment_account: { uuid: "account", code: "MBB-07", bank: "Maybank" },
  source: "file",
  file_name: "november.csv",
  state: "staged",
  layout: {
    encoding: "utf-8",
    delimiter: "comma",
    sheet: null,
    header: 1,
    columns: ["date", "amount"],
    date_order: "dmy",
    decimal: ".",
    unsigned: null,
  },
  questions: [],
  is_remembered: false,
  sheets: [],
  head: [],
  counts: { lines: 3, new: 2, known: 0, unreadable: 1, passed: 0 },
  done: 0,
  by: "Nurul Aisyah",
  created_at: "2026-11-21T06:00:00.000Z",
  updated_at: "2026-11-21T06:00:00.000Z",
  finished_at: null,
  expires_at: "2026-11-22T06:00:00.000Z",
  ...more,
});

type Sent = { readonly params?: object; readonly query?: object; readonly body?: { readonly version: number; readonly layout?: object } };
const account = "370320f3-943c-4b38-8686-6fbb59e5d054";

type Answers = (act: string, sent: Sent) => unknown;

/** An import whose requests are answered in turn, and what was sent. */
function anImport(answer: Answers, of = account) {
  const sent: { act: string; sent: Sent }[] = [];
  const call = (async (route: Route, given: Sent) => {
    const act = `${route.method} ${route.path.split("bank-imports").at(-1) ?? ""}`;
    sent.push({ act, sent: given });
    const data = await answer(act, given);
    if (data instanceof Error) throw data;
    return { data: data ?? [] };
  }) as unknown as Call; // answers what the test says
  const work = createImport({ call, wait: () => Promise.resolve(), added: () => undefined }, of);
  return { work, sent, acts: () => sent.map(({ act }) => act), now: () => ({ ...work.of.getState(), ...work.store.getState() }) };
}

const given = { source: "file" as const, file: new Blob(["a"]) };

test("a file given before its account waits for it, and is sent once", async () => {
  const { work, acts, now } = anImport((act) => (act === "POST " ? aFile() : []), "");
  await work.give(given);
  expect([acts(), now().given]).toEqual([[], given]);
  // as it is typed, before one is chosen
  work.setAccount("MBB");
  expect(acts()).toEqual([]);
  work.setAccount(account);
  await expect.poll(() => now().lines).toEqual([]);
  expect(acts()).toEqual(["POST ", "GET /{uuid}/lines"]);
  expect(now().given).toBeNull();
});

test("two changes of the layout made at once are both sent, the second upon what the first made", async () => {
  let file = aFile();
  const { work, sent, now } = anImport((act, { body }) => {
    if (act !== "PUT /{uuid}/layout") return act === "POST " ? file : [];
    file = { ...file, version: file.version + 1, layout: { ...file.layout, ...body?.layout } };
    return file;
  });
  await work.give(given);
  await Promise.all([work.setLayout({ decimal: "," }), work.setLayout({ date_order: "mdy" })]);
  expect(sent.filter(({ act }) => act.startsWith("PUT")).map(({ sent: { body } }) => body?.version)).toEqual([1, 2]);
  expect(now().file?.layout).toMatchObject({ decimal: ",", date_order: "mdy" });
});

test("an open question, or nothing new, is never started; a second start sends nothing", async () => {
  const started = async (file: BankImport) => {
    const { work, acts } = anImport((act) => (act === "POST " ? file : act.endsWith("/start") ? aFile({ state: "done" }) : []));
    await work.give(given);
    await Promise.all([work.start(), work.start()]);
    return acts().filter((act) => act.endsWith("/start")).length;
  };
  expect(await started(aFile({ questions: ["date_order"] }))).toBe(0);
  expect(await started(aFile({ counts: { ...aFile().counts, new: 0 } }))).toBe(0);
  expect(await started(aFile())).toBe(1);
});

test("what cannot be read is shown first, then what is new, then what is known", async () => {
  const shownFor = async (counts: Partial<BankImport["counts"]>) => {
    const { work, now } = anImport((act) => (act === "POST " ? aFile({ counts: { ...aFile().counts, ...counts } }) : []));
    await work.give(given);
    return now().shown;
  };
  expect([await shownFor({}), await shownFor({ unreadable: 0 }), await shownFor({ unreadable: 0, new: 0 })]).toEqual([
    "unreadable",
    "new",
    "known",
  ]);
});
