import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import ExcelJS from "exceljs";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { GameImport } from "../../../src/contract/game-imports.ts";
import { mostImageBytes } from "../../../src/contract/provider-games.ts";
import { gameImportHandlers } from "../../../src/server/game-provider/game-imports.ts";
import { gameImportJob } from "../../../src/server/game-provider/game-import-job.ts";
import { providerGameHandlers as handlers } from "../../../src/server/game-provider/provider-games.ts";
import { removeOld } from "../../../src/server/jobs/retention.ts";
import { testDatabase } from "../../support/database.ts";
import { makeMerchant, setSettings } from "../../support/factories.ts";
import { makeGame, makeProvider, stageGames } from "../../support/game-provider.ts";
import { startJobServer } from "../../support/job-server.ts";
import type { JobServer } from "../../support/job-server.ts";
import { body, makeOffice, refusals } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { makePng, uniquePng } from "../../support/receipts.ts";

const db = testDatabase();
const soon = { timeout: 120_000, interval: 200 };
let office: Office;
let provider = "";
let jobs: JobServer;
beforeAll(() => {
  jobs = startJobServer(db, [gameImportJob]);
});
afterAll(() => jobs.stop());
beforeEach(async () => {
  office = await makeOffice(db);
  provider = await makeProvider(db, office.tenant, await makeMerchant(db, office.tenant));
});

const call = () => ({ ...office.call(), deps: jobs.deps });
const one = (uuid: string) => ({ params: { uuid }, query: undefined, body: undefined });
const games = async () =>
  (
    await db.owner.query<{ code: string; name: string; type: string; version: number }>(
      "select code, name, type, version from provider_games where merchant_provider_id = $1 order by code",
      [provider],
    )
  ).rows;
const stage = (text: string) => stageGames(call(), provider, text);
const start = async ({ uuid }: GameImport) => (await gameImportHandlers.startGameImport(call(), { ...one(uuid), body: {} })).data;
const ended = async ({ uuid }: GameImport): Promise<GameImport> => {
  await expect.poll(async () => (await gameImportHandlers.readGameImport(call(), one(uuid))).data.state, soon).toBe("done");
  return (await gameImportHandlers.readGameImport(call(), one(uuid))).data;
};
const linesOf = async ({ uuid }: GameImport, state: "new" | "changed" | "same" | "wrong", after = 0) =>
  (await gameImportHandlers.listGameImportLines(call(), { ...one(uuid), query: { state, after, limit: 500 } })).data;

describe("games pasted", () => {
  test("10,000 lines: 200 wrong ones are named before anything is written, and a second paste changes nothing", async () => {
    const text = Array.from({ length: 10_000 }, (_, at) => (at % 50 === 7 ? `g-${at},,slot` : `g-${at},Game ${at},slot`)).join("\n");
    const staged = await stage(text);
    expect(staged).toMatchObject({ state: "staged", counts: { lines: 10_000, new: 9_800, changed: 0, same: 0, wrong: 200 } });
    const wrong = await linesOf(staged, "wrong");
    expect(wrong).toHaveLength(200);
    expect(wrong[0]).toEqual({
      n: 8,
      state: "wrong",
      code: "g-7",
      name: "",
      type: "slot",
      image: "",
      fault: { field: "name", line: "Must be filled in" },
      picture_fault: null,
    });
    expect(await games()).toEqual([]);
    await start(staged);
    expect(await ended(staged)).toMatchObject({ counts: { new: 9_800, changed: 0, same: 0, wrong: 200 }, done: 9_800, total: 9_800 });
    expect(await games()).toHaveLength(9_800);
    const { rows } = await db.owner.query(
      "select count(*)::integer as n from audit_entries where tenant_id = $1 and act = 'provider-game.create'",
      [office.tenant.id],
    );
    expect(rows).toEqual([{ n: 9_800 }]);
    const again = await stage(text);
    expect(again.counts).toEqual({ lines: 10_000, new: 0, changed: 0, same: 9_800, wrong: 200 });
    await expect(start(again)).rejects.toMatchObject({ code: "game-import.nothing" });
  }, 300_000);

  test("a line of a known code changes name and type, keeps the status, and each game's history tells it", async () => {
    await makeGame(db, office.tenant, provider, { code: "Dragon", name: "Dragon", type: "slot", status: "inactive" });
    const staged = await stage("dragon,Dragon Pearl,live\nnew-1,A new one,slot\n");
    expect(staged.counts).toEqual({ lines: 2, new: 1, changed: 1, same: 0, wrong: 0 });
    await start(staged);
    await ended(staged);
    expect(await games()).toEqual([
      { code: "Dragon", name: "Dragon Pearl", type: "live", version: 2 },
      { code: "new-1", name: "A new one", type: "slot", version: 1 },
    ]);
    const { rows } = await db.owner.query("select status from provider_games where code = 'Dragon' and merchant_provider_id = $1", [
      provider,
    ]);
    expect(rows).toEqual([{ status: "inactive" }]);
    const entries = await db.owner.query(
      "select act, before, after, actor_name from audit_entries where tenant_id = $1 and act = 'provider-game.update'",
      [office.tenant.id],
    );
    expect(entries.rows).toEqual([
      {
        act: "provider-game.update",
        before: { name: "Dragon", type: "slot" },
        after: { code: "dragon", name: "Dragon Pearl", type: "live" },
        actor_name: "Ann Lim",
      },
    ]);
  });

  test("by who may not change games write the new ones and leave the others as they are; with none that is new there is nothing to write", async () => {
    await makeGame(db, office.tenant, provider, { code: "dragon", name: "Dragon" });
    const bare = () => ({ ...call(), caller: { ...call().caller, permissions: new Set(["gps.provider.games.create"]) } });
    const mixed = await stage("dragon,Dragon Pearl,live\ntiger,Tiger,slot\n");
    await gameImportHandlers.startGameImport(bare(), { ...one(mixed.uuid), body: {} });
    expect(await ended(mixed)).toMatchObject({ state: "done" });
    expect((await games()).map(({ name }) => name).toSorted()).toEqual(["Dragon", "Tiger"]);
    const { uuid } = await stage("dragon,Dragon Pearl,live\n");
    await expect(gameImportHandlers.startGameImport(bare(), { ...one(uuid), body: {} })).rejects.toMatchObject({
      code: "game-import.nothing",
    });
  });

  test("which codes are the same the database tells: one named twice is named wrong, and one that is there is no new one", async () => {
    await makeGame(db, office.tenant, provider, { code: "KING", name: "King" });
    const staged = await stage("KİNG,Turkish king,slot\nabc,Abc,slot\nABC,Again,slot\nother,Other,slot\n");
    expect(staged.counts).toEqual({ lines: 4, new: 2, changed: 1, same: 0, wrong: 1 });
    expect(await linesOf(staged, "wrong")).toMatchObject([{ code: "ABC", fault: { field: "code", line: "Appears twice" } }]);
    await start(staged);
    expect(await ended(staged)).toMatchObject({ state: "done" });
    expect((await games()).map(({ name }) => name).toSorted()).toEqual(["Abc", "Other", "Turkish king"]);
  });

  test("by who may only create change nothing that came since they were staged", async () => {
    const bare = { ...call(), caller: { ...call().caller, permissions: new Set(["gps.provider.games.create"]) } };
    const { uuid } = await stage("dragon,Mine,slot\n");
    await makeGame(db, office.tenant, provider, { code: "dragon", name: "Dragon" });
    await expect(gameImportHandlers.startGameImport(bare, { ...one(uuid), body: {} })).rejects.toMatchObject({
      code: "game-import.nothing",
    });
    expect((await games()).map(({ name }) => name)).toEqual(["Dragon"]);
  });

  test("are on record under who started them", async () => {
    const staged = await stage("a-1,A,slot\n");
    const ben = { ...call(), caller: { ...call().caller, id: office.ben.id, name: office.ben.name } };
    await gameImportHandlers.startGameImport(ben, { ...one(staged.uuid), body: {} });
    await ended(staged);
    const { rows } = await db.owner.query(
      "select actor_name from audit_entries where tenant_id = $1 and act = 'provider-game.create' order by id desc limit 1",
      [office.tenant.id],
    );
    expect(rows).toEqual([{ actor_name: office.ben.name }]);
  });

  test("with a text cut in the middle of a sign are read, and told what is wrong", async () => {
    const staged = await stage(`code,name\na,${"x".repeat(499)}😀\n`);
    expect(staged.counts).toMatchObject({ lines: 1, wrong: 1 });
  });

  test("starts once; a staged one is thrown away whole", async () => {
    const staged = await stage("a-1,A,slot\n");
    await start(staged);
    await expect(start(staged)).rejects.toMatchObject({ code: "game-import.begun" });
    await ended(staged);
    await expect(gameImportHandlers.cancelGameImport(call(), { ...one(staged.uuid), body: {} })).rejects.toMatchObject({
      code: "game-import.ended",
    });
    const other = await stage("b-1,B,slot\n");
    await gameImportHandlers.cancelGameImport(call(), { ...one(other.uuid), body: {} });
    await expect(gameImportHandlers.readGameImport(call(), one(other.uuid))).rejects.toMatchObject({ code: "not-found" });
  });

  test("of a spreadsheet are read like pasted ones, whatever kinds its cells are of", async () => {
    const book = new ExcelJS.Workbook();
    book.addWorksheet("Games").addRows([
      ["Name", "Code", "Type"],
      ["Dragon Bay", 1001, "slot"],
      ["Jade Harbour", "b-2", "live casino"],
      ["", "b-3", "slot"],
    ]);
    const bytes = Buffer.from(await book.xlsx.writeBuffer());
    const file = { name: "games.xlsx", bytes, sha256: randomUUID() };
    const received = { params: { merchantProviderUuid: provider }, query: { source: "file" as const }, body: undefined, file };
    const staged = (await gameImportHandlers.uploadGames(call(), received)).data;
    expect(staged).toMatchObject({ file_name: "games.xlsx", counts: { lines: 3, new: 2, wrong: 1 } });
    await start(staged);
    await ended(staged);
    expect((await games()).map(({ code, name, type }) => [code, name, type])).toEqual([
      ["1001", "Dragon Bay", "slot"],
      ["b-2", "Jade Harbour", "live"],
    ]);
  });

  test("that are no table are refused with why", async () => {
    await expect(stageGames(call(), provider, "%PDF-1.7 nothing here")).rejects.toMatchObject({ code: "bank-file.refused" });
  });

  test("a picture that cannot be fetched is told at its line, and the game is there without", async () => {
    const staged = await stage("a-1,A,slot,https://127.0.0.1/a.png\n");
    await start(staged);
    expect(await ended(staged)).toMatchObject({ pictures_failed: 1, done: 2, total: 2 });
    expect((await linesOf(staged, "new"))[0]?.picture_fault).toBe("Could not be fetched (not a public address)");
    expect(await games()).toHaveLength(1);
  });
});

describe("a picture", () => {
  const add = async (bytes: Buffer) =>
    (await handlers.addGameImage(office.call(), { ...body(undefined), file: { name: "a.png", bytes, sha256: "" } })).data.image;
  const read = async (image: string, size: "small" | "large") =>
    (await handlers.readGameImage(office.call(), { params: { image, size }, query: undefined, body: undefined })).data;

  test("is made anew in two sizes, as WebP, without what was hidden in it", async () => {
    const image = await add(uniquePng());
    for (const [size, edge] of [
      ["small", 96],
      ["large", 320],
    ] as const) {
      const { type, bytes } = await read(image, size);
      expect(type).toBe("image/webp");
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: edge, height: edge });
      expect(Buffer.from(bytes).includes("Comment")).toBe(false);
    }
  });

  test("given twice is kept once", async () => {
    const bytes = uniquePng();
    expect(await add(bytes)).toBe(await add(bytes));
  });

  test.each([
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), "image.type"],
    ["a PDF", Buffer.from("%PDF-1.7"), "image.type"],
    ["half a PNG", makePng().subarray(0, 40), "image.damaged"],
    ["one with the size of a wall", makePng({ told: { width: 60_000, height: 60_000 } }), "image.oversized"],
  ])("that is %s is refused", async (_, bytes, code) => {
    await expect(add(bytes)).rejects.toMatchObject({ code });
  });

  test("of a game is kept, of none it is removed a day later", async () => {
    const [used, loose] = [await add(uniquePng()), await add(uniquePng())];
    await makeGame(db, office.tenant, provider, { image: Buffer.from(used, "hex") });
    await db.owner.query("update game_images set created_at = now() - interval '25 hours' where tenant_id = $1", [office.tenant.id]);
    await removeOld(office.deps);
    expect((await read(used, "small")).bytes.length).toBeGreaterThan(20);
    await expect(read(loose, "small")).rejects.toMatchObject({ code: "not-found" });
  });

  test("is fetched from an address and kept as one that was given; what is none, or too much, says so", async () => {
    const png = uniquePng();
    const answers: Readonly<Record<string, Buffer>> = {
      "/a.png": png,
      "/page.html": Buffer.from("<!doctype html>"),
      "/wall.png": Buffer.alloc(mostImageBytes + 1),
    };
    const server = createServer(({ url = "" }, answer) => void answer.writeHead(url in answers ? 200 : 404).end(answers[url]));
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    try {
      const { port } = server.address() as AddressInfo; // it listens on a port
      await setSettings(db, office.tenant, { loopback_callbacks: true });
      const made = office.call();
      const development = { ...made, deps: { ...made.deps, config: { ...made.deps.config, development: true } } };
      const fetched = async (path: string) =>
        (await handlers.fetchGameImage(development, { ...body({ url: `http://127.0.0.1:${port}${path}` }) })).data;
      expect(await fetched("/a.png")).toEqual({ image: await add(png), fault: null });
      expect((await read(await add(png), "large")).bytes.length).toBeGreaterThan(20);
      expect((await fetched("/page.html")).fault).toEqual({ code: "image.type", why: "" });
      expect((await fetched("/wall.png")).fault?.code).toBe("image.unreachable");
      expect((await fetched("/none.png")).fault).toMatchObject({ code: "image.unreachable", why: expect.stringContaining("404") });
    } finally {
      server.close();
    }
  });

  test("is fetched from no address of this network, and follows no redirect", async () => {
    const asked: string[] = [];
    const server = createServer((request, answer) => {
      asked.push(request.url ?? "");
      answer.writeHead(302, { location: "https://example.com/a.png" }).end();
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    try {
      const { port } = server.address() as AddressInfo; // it listens on a port
      const fetched = async (url: string) => (await handlers.fetchGameImage(office.call(), { ...body({ url }) })).data.fault;
      for (const url of [
        `http://127.0.0.1:${port}/a.png`,
        `https://localhost:${port}/a.png`,
        "https://[::ffff:127.0.0.1]/a.png",
        "ftp://example.com/a.png",
      ])
        expect((await fetched(url))?.code).toBe("image.unreachable");
      expect(asked).toEqual([]);
    } finally {
      server.close();
    }
  });
});

describe("games", () => {
  const setStatus = async (rows: { uuid: string; version: number }[], status: "active" | "inactive") =>
    (await handlers.setProviderGamesStatus(office.call(), body({ rows, status }))).data.outcomes;

  test("are inactivated in bulk, each with its outcome; one that has it already counts as done", async () => {
    const [first, third] = [await makeGame(db, office.tenant, provider), await makeGame(db, office.tenant, provider)];
    const second = await makeGame(db, office.tenant, provider, { status: "inactive" });
    const outcomes = await setStatus(
      [
        { uuid: first, version: 1 },
        { uuid: second, version: 1 },
        { uuid: office.tenant.id, version: 1 },
        { uuid: third, version: 7 },
      ],
      "inactive",
    );
    expect(outcomes.map((outcome) => (outcome.done ? [outcome.row.status, outcome.row.version] : outcome.problem.code))).toEqual([
      ["inactive", 2],
      ["inactive", 1],
      "not-found",
      "record.stale",
    ]);
    expect(refusals(outcomes)).toHaveLength(2);
  });

  test("of one provider have codes of their own, whatever their case", async () => {
    const create = (code: string) =>
      handlers.createProviderGame(office.call(), {
        params: { merchantProviderUuid: provider },
        query: undefined,
        body: { code, name: "Dragon", type: "slot", image: "" },
      });
    await create("dragon");
    await expect(create("DRAGON")).rejects.toMatchObject({ detail: { code: ["Already taken"] } });
  });

  test("name only pictures that are there, and may lose theirs", async () => {
    const { data } = await handlers.addGameImage(office.call(), { ...body(undefined), file: { name: "", bytes: uniquePng(), sha256: "" } });
    const given = { code: "dragon", name: "Dragon", type: "slot" as const };
    const made = await handlers.createProviderGame(office.call(), {
      params: { merchantProviderUuid: provider },
      query: undefined,
      body: { ...given, image: data.image },
    });
    expect(made.data.image).toBe(data.image);
    const update = (image: string, version: number) =>
      handlers.updateProviderGame(office.call(), {
        params: { uuid: made.data.uuid },
        query: undefined,
        body: { ...given, image, version },
      });
    await expect(update("0".repeat(64), 1)).rejects.toMatchObject({ detail: { image: ["Names a picture that does not exist"] } });
    expect((await update("", 1)).data).toMatchObject({ image: null, version: 2 });
  });
});
