import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { listFilters } from "../../../src/console/entity/filters.ts";
import { completionsOf } from "../../../src/console/kit/query/complete.ts";
import type { QueryField } from "../../../src/console/kit/query/query-field.ts";
import type { Meaning } from "../../../src/console/kit/query/query-line.ts";
import { readQuery, writeQuery } from "../../../src/console/kit/query/query-line.ts";
import { setLanguage } from "../../../src/console/kit/texts/texts.ts";
import { queryFields } from "../../../src/console/lists/query-fields.ts";
import type { ListFilter } from "../../../src/console/lists/filters.ts";
import { depositFilters } from "../../../src/console/screens/deposits/filters.ts";
import { liveFilters } from "../../../src/console/screens/payment-account-live-balances/live-place.ts";
import { withdrawalFilters } from "../../../src/console/screens/withdrawals/filters.ts";
import { languages } from "../../../src/contract/languages.ts";
import { folded } from "../../../src/console/kit/query/nearest.ts";
import { replayed } from "../../support/deep.ts";
import { entities } from "../entity/entities.ts";
import { writeAsked } from "../../../src/values/asked.ts";
import { inLanguage } from "../in-language.ts";

type AnyFilters = readonly ListFilter<never>[];
const lists: readonly (readonly [string, AnyFilters])[] = [
  ["withdrawals", withdrawalFilters as AnyFilters],
  ["deposits", depositFilters as AnyFilters],
  ["live-balances", liveFilters as AnyFilters],
  ...entities.map((entity): [string, AnyFilters] => [entity.screen, listFilters(entity) as AnyFilters]),
];
const fieldsOf = (filters: AnyFilters): readonly QueryField[] => queryFields(filters, []);
const withdrawals = () => fieldsOf(withdrawalFilters as AnyFilters);

const read = (line: string, fields = withdrawals()): Meaning | string => {
  const found = readQuery(line, fields);
  return "meaning" in found
    ? found.meaning
    : `${found.fault.why} at ${found.fault.from}–${found.fault.to}: ${found.fault.text}${found.fault.nearest === null ? "" : ` (${found.fault.nearest})`}`;
};

beforeAll(() => inLanguage("en"));

describe("a line", () => {
  test.each<[string, Meaning]>([
    ["maybank transfer", { q: "maybank transfer" }],
    ["status:pending", { status: "pending" }],
    ["pending", { status: "pending" }],
    ["status:pending,process", { status: "pending,process" }],
    ["pending process", { status: "pending,process" }],
    ["-rejected -expired", { status: "pending,process,approved,completed" }],
    [">5000", { amount: "5000.01.." }],
    [">=5000", { amount: "5000.." }],
    ["<5,000", { amount: "..4999.99" }],
    ["amount:5000..9000", { amount: "5000..9000" }],
    ["5000..9000", { amount: "5000..9000" }],
    ["amount<=250.50", { amount: "..250.50" }],
    ["age>10m", { created: "..-10m" }],
    ["age<2h", { created: "-2h.." }],
    ["last:2h", { created: "last:2h" }],
    ["since:09:00", { created: "09:00.." }],
    ["today", { created: "today" }],
    ["created:2026-11-20", { created: "2026-11-20" }],
    ['created:"2026-11-20 14:30"..', { created: "2026-11-20 14:30.." }],
    ["bank:maybank wei ming", { bank: "maybank", q: "wei ming" }],
    ['bank:"Bank of ""Asia"""', { bank: 'Bank of "Asia"' }],
    [
      "pending >5000 age>10m bank:maybank -claimed",
      { status: "pending", amount: "5000.01..", created: "..-10m", bank: "maybank", claimed: "no" },
    ],
    ["bank:maybank,cimb", { bank: "maybank,cimb" }],
    ["bank:maybank bank:cimb", { bank: "maybank,cimb" }],
    ["-bank:maybank,cimb", { bank: "!maybank,cimb" }],
    ["-bank:maybank -bank:cimb", { bank: "!maybank,cimb" }],
    ['customer:"Smith, John",tan', { customer: '"Smith, John",tan' }],
    ["-me", { claimed_by: "!me" }],
    ["claimed", { claimed: "yes" }],
    ["me", { claimed_by: "me" }],
    ["pending claimed_by:me", { status: "pending", claimed_by: "me" }],
    ['"pending"', { q: "pending" }],
    ["Status:Approved", { status: "approved" }],
    [">500 <900", { amount: "500.01..899.99" }],
    ["amount<=900 amount>=500", { amount: "500..900" }],
    ["age>10m age<2h", { created: "-2h..-10m" }],
    ["since:09:00 before:now", { created: "09:00..now" }],
    ["today today", { created: "today" }],
    ["> 5000", { amount: "5000.01.." }],
    ["pending amount > 5000 wei", { status: "pending", amount: "5000.01..", q: "wei" }],
    ["amount >= 5000 age > 10m", { amount: "5000..", created: "..-10m" }],
    ["wei >5000", { q: "wei", amount: "5000.01.." }],
    ["customer:: bank:<", { customer: ":", bank: "<" }],
    ["status: pending", { status: "pending" }],
    ['bank: "Bank of Asia" wei', { bank: "Bank of Asia", q: "wei" }],
    ["", {}],
  ])("%s", (line, meaning) => expect(read(line)).toEqual(meaning));

  test("in the reader's language is one in English", async () => {
    await setLanguage("de");
    expect(read("Betrag:>5000 Ausstehend")).toEqual({ amount: "5000.01..", status: "pending" });
    expect(read("heute")).toEqual({ created: "today" });
    expect(read("Angelegt:gestern..jetzt")).toEqual({ created: "yesterday..now" });
    expect(read("seit:gestern")).toEqual({ created: "yesterday.." });
    expect(read("mich Ausstehend")).toEqual({ claimed_by: "me", status: "pending" });
    expect(read("Alter>10m")).toEqual({ created: "..-10m" });
    // as in English, whose titles and words are no names
    expect(read("Account-number:1234 Customer:wei claimed:No")).toEqual({ account: "1234", customer: "wei", claimed: "no" });
    await setLanguage("en");
  });

  test.each([
    ["amout:5", "unknown-field at 0–5: amout (amount)"],
    ["maybank status:pendig", "unknown-value at 15–21: pendig (pending)"],
    ["amount:many", "unreadable at 7–11: many"],
    ["created:soon", "unreadable at 8–12: soon"],
    ["-maybank", "no-negation at 1–8: maybank"],
    ["-amount:5", "no-negation at 0–9: -amount:5"],
    ['wei "ming', 'unclosed at 4–9: "ming'],
    ["status:", "empty at 0–7: status:"],
    ["amount > many", "unreadable at 9–13: many"],
    ["maybank status: pendig", "unknown-value at 16–22: pendig (pending)"],
    ["age>old", "unreadable at 4–7: old"],
    [">500 maybank >900", "twice at 13–17: >900"],
    ["today last:2h", "twice at 6–13: last:2h"],
    ["bank:maybank -bank:cimb", "twice at 13–23: -bank:cimb"],
    ["bank:maybank,,cimb", "empty at 13–14: ,"],
    ["bank:maybank, cimb", "empty at 13–14:  "],
    ["merchant:nobody", "unknown-value at 9–15: nobody"],
  ])("%s is marked at its place", (line, told) => expect(read(line)).toBe(told));

  test("of a currency without decimals begins at the next whole amount", () => {
    const dong: QueryField[] = [{ name: "amount", words: [], kind: "amount", decimals: 0, reads: () => true }];
    expect([read(">5000", dong), read("<5000", dong)]).toEqual([{ amount: "5001.." }, { amount: "..4999" }]);
  });
});

/** A value a field may have. */
function valueOf(field: QueryField): fc.Arbitrary<string> {
  const { name, kind, choices = [] } = field;
  if (kind === "choices")
    return fc
      .subarray(
        choices.map(({ id }) => id),
        { minLength: 1 },
      )
      .map((ids) => ids.join(","));
  if (kind === "amount") {
    const one = fc.integer({ min: 0, max: 99_999_99 }).map((cents) => (cents / 100).toFixed(2));
    return fc.oneof(
      one,
      fc.tuple(one, one).map(([from, to]) => `${from}..${to}`),
      one.map((from) => `${from}..`),
      one.map((to) => `..${to}`),
    );
  }
  if (kind === "time")
    return fc.oneof(
      fc.constantFrom("today", "yesterday", "week", "2026-11", "-2h", "last:30m", "2026-11-20 14:30", "2026-11-01..2026-11-20", "..-10m"),
      fc.integer({ min: 1, max: 28 }).map((day) => `2026-11-${String(day).padStart(2, "0")}..`),
    );
  const one =
    kind === "record"
      ? choices.length > 0
        ? fc.constantFrom(...choices.map(({ id }) => id))
        : fc.uuid()
      : fc
          .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
          .map((text) => text.trim())
          .filter((text) => text !== "");
  if (name === "q") return one.filter((text) => field.reads(text));
  return fc.record({ isNot: fc.boolean(), of: fc.uniqueArray(one, { minLength: 1, maxLength: 3 }) }).map(writeAsked);
}

const meanings = (fields: readonly QueryField[]): fc.Arbitrary<Meaning> =>
  fc
    .subarray([...fields])
    .chain((some) => fc.tuple(...some.map((field) => valueOf(field).map((value) => [field.name, value] as const))))
    .map((pairs) => Object.fromEntries(pairs.map(([name, value]) => [name, name === "q" ? value.replaceAll(/\s+/g, " ") : value])));

describe("every filter of every list", () => {
  test.each(lists)("of %s can be asked for by a line, and is written by it", (_, filters) => {
    const fields = fieldsOf(filters);
    expect(fields.map(({ name }) => name)).toEqual(filters.map(({ name }) => name));
    for (const field of fields) {
      const [value] = fc.sample(
        valueOf(field).filter((one) => field.reads(one)),
        { numRuns: 1, seed: 7 },
      );
      const meaning = { [field.name]: field.name === "q" ? "maybank" : (value ?? "") };
      const line = writeQuery(meaning, fields);
      expect([line, read(line, fields)]).toEqual([line, meaning]);
    }
  });

  test("5,000 lines mean what they were written of, and are written the same again", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...lists).chain(([, filters]) => {
          const fields = fieldsOf(filters);
          return meanings(fields).map((meaning) => ({ fields, meaning }));
        }),
        ({ fields, meaning }) => {
          const asked = Object.fromEntries(
            Object.entries(meaning).filter(([name, value]) => fields.find((field) => field.name === name)?.reads(value) === true),
          );
          const line = writeQuery(asked, fields);
          const again = read(line, fields);
          expect([line, again]).toEqual([line, asked]);
          expect(writeQuery(again as Meaning, fields)).toBe(line);
        },
      ),
      { numRuns: 5_000, ...replayed() },
    );
  });

  test("2,000 lines that mean nothing have a fault with its place, and none throws", () => {
    const garbage = fc.oneof(
      fc.string({ minLength: 3, maxLength: 12 }).map((text) => `zz${text.replaceAll(/[^a-z0-9]/gi, "")}zz:${text.replaceAll('"', "")}x`),
      fc.string({ maxLength: 30 }).map((text) => `${text.replaceAll('"', "")} "${text.replaceAll('"', "")}`),
      fc.string({ minLength: 1, maxLength: 8 }).map((text) => `status:${text.replaceAll(/["\s,]/g, "")}!`),
      fc.string({ minLength: 1, maxLength: 8 }).map((text) => `amount:x${text.replaceAll(/["\s]/g, "")}`),
      fc.string({ minLength: 1, maxLength: 8 }).map((text) => `created:x${text.replaceAll(/["\s]/g, "")}`),
    );
    fc.assert(
      fc.property(garbage, (line) => {
        const found = readQuery(line, withdrawals());
        if (!("fault" in found)) throw new Error(`${line} means ${JSON.stringify(found)}`);
        const { fault } = found;
        expect(fault.from).toBeGreaterThanOrEqual(0);
        expect(fault.to).toBeGreaterThan(fault.from);
        expect(fault.to).toBeLessThanOrEqual(Math.max(line.length, fault.from + 1));
        expect(line.slice(fault.from, fault.to)).toBe(fault.text);
      }),
      { numRuns: 2_000, ...replayed() },
    );
  });

  test("whatever is typed, a letter at a time, is read and completed without an exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (line) => {
        for (let at = 0; at <= line.length; at++) {
          readQuery(line.slice(0, at), withdrawals());
          completionsOf(line, at, withdrawals());
        }
      }),
      { numRuns: 500, ...replayed() },
    );
  });
});

describe("in each language", () => {
  test.each(languages)("%s: each filter is asked for by its title, and each choice by its word", async (language) => {
    await setLanguage(language);
    const wrong: string[] = [];
    for (const [list, filters] of lists) {
      const fields = fieldsOf(filters);
      for (const field of fields) {
        const [title = ""] = field.words;
        const sole = fields.filter(({ name, words }) => [name, ...words].some((word) => folded(word) === folded(title))).length === 1;
        if (field.name === "q" || !sole) continue;
        if (field.kind === "choices") {
          for (const { id, words } of field.choices ?? []) {
            const [word = id] = words;
            const line = `${title}:"${word.replaceAll('"', '""')}"`;
            const found = read(line, fields);
            const alike = (field.choices ?? []).filter((other) => folded(other.words[0] ?? other.id) === folded(word)).length > 1;
            if (!alike && (typeof found === "string" || found[field.name] !== id)) wrong.push(`${list}: ${line}`);
          }
        } else {
          const [value = ""] = fc.sample(
            valueOf(field).filter((one) => field.reads(one)),
            { numRuns: 1, seed: 3 },
          );
          const line = writeQuery({ [field.name]: value }, fields).replace(`${field.name}:`, `${title}:`);
          const found = read(line, fields);
          if (typeof found === "string" || found[field.name] !== value) wrong.push(`${list}: ${line} → ${JSON.stringify(found)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    await setLanguage("en");
  });
});

describe("completion", () => {
  const texts = (line: string) => completionsOf(line, line.length, withdrawals()).map(({ text }) => text);
  test("offers fields and values by what begins so", () => {
    expect(texts("am")).toEqual(["amount:"]);
    expect(texts("pend")).toEqual(["status:pending"]);
    expect(texts("status:p")).toEqual(["pending", "process"]);
    expect(texts("maybank status: p")).toEqual(["pending", "process"]);
    expect(texts("status:pending,re")).toEqual(["rejected"]);
    expect(texts("-claimed_by:m")).toEqual(["me"]);
    expect(texts("created:to")).toEqual(["today", "tomorrow"]);
    expect(texts("to")).toEqual(["today", "tomorrow"]);
    expect(texts("si")).toEqual(["since:"]);
    expect(texts("ag")).toEqual(["age>"]);
    expect(texts("maybank -rej")).toEqual(["status:rejected"]);
    expect(texts("")).toEqual([]);
  });

  test("by the reader's words, too", async () => {
    await setLanguage("ru");
    expect(texts("Одоб")).toEqual(["approved:", "status:approved"]);
    expect(texts("сумм")).toEqual(["amount:"]);
    expect(texts("сегод")).toEqual(["today"]);
    expect(texts("возр")).toEqual(["age>"]);
    expect(texts("Pend")).toEqual(["status:pending"]);
    await setLanguage("en");
  });

  test("each of them is what it is offered for", () => {
    for (const typed of ["a", "s", "p", "c", "m", "b", "t"]) {
      for (const { from, to, text } of completionsOf(typed, 1, withdrawals())) {
        const line = typed.slice(0, from) + text + typed.slice(to);
        expect(/[:>]$/.test(line) || "meaning" in readQuery(line, withdrawals()), line).toBe(true);
      }
    }
  });
});
