import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { languages } from "../../src/contract/languages.ts";
import { problems } from "../../src/contract/problems.ts";
import type { ProblemCode } from "../../src/contract/problems.ts";
import { languageOf, problemOf, problemText, ruleLines, worded } from "../../src/server/texts.ts";
import { testDatabase } from "../support/database.ts";
import { ask, routeNames, routeOf, serve } from "../support/http.ts";
import type { Served } from "../support/http.ts";
import { fixtures, makeSite } from "./routes/fixtures.ts";
import type { Site } from "./routes/fixtures.ts";
import { senderOf } from "./routes/sender.ts";
import type { Send } from "./routes/sender.ts";

const chinese = /\p{Script=Han}/u;

describe("the language of a request", () => {
  test.each([
    [undefined, "en"],
    ["", "en"],
    ["*", "en"],
    ["zh", "zh"],
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
    ["nl, de;q=0.5, fr;q=0.8", "fr"],
    ["ar-EG", "ar"],
    ["nl", "en"],
    ["zh;q=0, ru", "ru"],
    ["../../package", "en"],
    [`${"x,".repeat(5_000)}zh`, "en"],
  ])("%s is answered in %s", (header, language) => expect(languageOf(header)).toBe(language));
});

test.each(languages)("no refusal is sent with a placeholder in it (%s)", (language) => {
  const detail = { most: 8, until: "2026-12-01T02:00:00.000Z" };
  const sent = (code: ProblemCode) => problemOf({ code, status: 409, detail }, language).message;
  const codes = Object.keys(problems) as ProblemCode[]; // its own keys
  expect(codes.filter((code) => sent(code).includes("{{"))).toEqual([]);
  expect(sent("pin.full")).toContain("8");
});

test("every rule of zod the contract uses, and every line written in the sources, is known to the texts", () => {
  const root = resolve(import.meta.dirname, "../../src");
  const own = globSync(
    [
      "contract/**/*.ts",
      "server/{accounts,auth,transfers,merchants,merchant-api,payments,preferences,settings}/**/*.ts",
      "server/mount.ts",
    ],
    { cwd: root },
  )
    .filter((file) => !/realtime|merchant-api.sign/.test(file))
    .flatMap((file) =>
      [
        ...readFileSync(join(root, file), "utf8").matchAll(
          /["`]((?:Must|Already|Only|Not|Contains|Appears|Needs|Give|Reserved|Too) [a-z][^"`\n]*)["`]/g,
        ),
      ].map((match) => match[1] ?? ""),
    )
    .map((line) => line.replace(/\$\{[^}]*\}/g, "7"));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter((line) => ruleLines().known(line) === null)).toEqual([]);
  const rules: [z.ZodType, unknown][] = [
    [z.string(), undefined],
    [z.string(), null],
    [z.string(), 7],
    [z.string().min(2), "x"],
    [z.string().max(2), "xxx"],
    [z.string().length(2), "x"],
    [z.string().length(2), "xxx"],
    [z.string().regex(/^a$/), "x"],
    [z.int().min(2), 1],
    [z.int().max(2), 3],
    [z.int(), 1.5],
    [z.int(), 1e300],
    [z.number().gt(2), 2],
    [z.number().lt(2), 2],
    [z.array(z.string()).min(1), []],
    [z.array(z.string()).max(1), ["a", "b"]],
    [z.enum(["a", "b"]), "c"],
    [z.literal("a"), "b"],
    [z.boolean(), "x"],
    [z.uuid(), "x"],
    [z.iso.datetime(), "x"],
    [z.record(z.string().regex(/^[A-Z]$/), z.string()), { aa: "x" }],
    [z.union([z.string(), z.number()]), true],
  ];
  const said = rules.flatMap(([schema, value]) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? ["taken"]);
  expect(said.filter((line) => ruleLines().known(line) === null)).toEqual([]);
});

test("values in a line are kept when it is translated", () => {
  const line = { name: ["Too big: expected string to have <=120 characters", "no text knows this"] };
  expect(worded(line, "en")).toEqual({ name: ["Must have at most 120 characters", "no text knows this"] });
  expect(worded(line, "zh")).toEqual({ name: [expect.stringMatching(/120/), "no text knows this"] });
  expect(worded(line, "zh")["name"]).toEqual([expect.stringMatching(chinese), expect.anything()]);
  // what is no line stays what it is
  expect(worded({ held: 3, groups: [{ name: "Must be filled in" }] }, "zh")).toEqual({ held: 3, groups: [{ name: "Must be filled in" }] });
});

describe("over HTTP", () => {
  const db = testDatabase();
  let served: Served;
  let here: Site;
  let send: Send;
  beforeAll(async () => {
    served = await serve(db);
    here = await makeSite(db, "Tan Wei Ming");
    send = await senderOf(db, served, here, "ZQCANARY");
  });
  afterAll(() => served.app.close());

  test("a refusal is in the caller's language, whichever of the eight it is; by default in English", async () => {
    for (const language of languages) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is enough
      const answer = await ask(served, "readProfile", { headers: { "accept-language": language } });
      expect(JSON.parse(answer.text)).toEqual({ message: problemText("session.missing", language), code: "session.missing" });
    }
    expect(JSON.parse((await ask(served, "readProfile", {})).text)).toMatchObject({ message: problemText("session.missing") });
  });

  test.each(routeNames.filter((name) => routeOf(name).body))("%s says in Chinese what is wrong with each field", async (name) => {
    const ready = await fixtures[name].make(here, here.owner);
    const fields = Object.keys((ready.body ?? {}) as object); // a body of the contract is an object
    const bodies = [
      { extra: 1 },
      ...fields.flatMap((field) => [null, 7, "", "x".repeat(9_000), []].map((wrong) => ({ ...(ready.body as object), [field]: wrong }))),
    ];
    for (const body of bodies) {
      // oxlint-disable-next-line no-await-in-loop -- the sender counts sign-ins
      const { status, data } = await send(name, { ...ready, body, headers: { "accept-language": "zh-CN" } });
      if (status !== 422) continue;
      for (const line of Object.values((data ?? {}) as Record<string, string[]>).flat())
        expect(line, JSON.stringify(body).slice(0, 200)).toMatch(chinese); // a 422's lines
    }
  });

  test("an outcome of one row, and the same request sent again in another language, are worded for their caller", async () => {
    const ready = await fixtures.claimWithdrawals.make(here, here.owner);
    const { rows } = ready.body as { rows: { uuid: string; version: number }[] }; // the contract's shape
    const stale = { rows: rows.map(({ uuid, version }) => ({ uuid, version: version + 7 })) };
    const problem = async (language: string) => {
      const headers = { "accept-language": language, "idempotency-key": "worded-for-each" };
      const answer = await send("claimWithdrawals", { ...ready, body: stale, headers });
      return (answer.data as { outcomes: { problem: { message: string; code: string } }[] }).outcomes[0]?.problem; // the contract's shape
    };
    const english = await problem("en");
    expect(english?.message).not.toMatch(chinese);
    expect(await problem("zh")).toMatchObject({ code: english?.code, message: expect.stringMatching(chinese) });
  });
});
