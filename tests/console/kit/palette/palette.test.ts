import { describe, expect, test } from "vitest";
import type { AnyCommand } from "../../../../src/console/kit/commands/command.ts";
import { readMode, turnMode } from "../../../../src/console/kit/palette/palette-modes.ts";
import type { PaletteMode } from "../../../../src/console/kit/palette/palette-modes.ts";
import { mostResults, normalise, rank, score, synonymFor } from "../../../../src/console/kit/palette/palette-ranking.ts";
import { finder, grouped } from "../../../../src/console/kit/palette/palette-results.ts";
import { createRegistry } from "../../../../src/console/kit/commands/registry.ts";
import { aCommand, aContext, aPane, aRow, notingServices } from "../fakes.ts";

const now: ReadonlySet<PaletteMode> = new Set(["all", "row", "go", "keys"]);

describe("modes", () => {
  test("the first sign chooses the mode", () => {
    expect(readMode(":wd", now)).toEqual({ mode: "go", text: "wd" });
    expect(readMode(".app", now)).toEqual({ mode: "row", text: "app" });
    expect(readMode("?", now)).toEqual({ mode: "keys", text: "" });
    expect(readMode("wd", now)).toEqual({ mode: "all", text: "wd" });
  });
  test("as Chinese and Arabic keyboards write it too", () => {
    expect(["：wd", "。", "？", "؟"].map((typed) => readMode(typed, now).mode)).toEqual(["go", "row", "keys", "keys"]);
  });
  test("the signs of other palettes are aliases", () => {
    expect([">app", "@my", "＞"].map((typed) => readMode(typed, now).mode)).toEqual(["row", "go", "row"]);
  });
  test("a number's end after # is that number, not an amount", () => {
    const all = new Set([...now, "amount"] as const);
    expect(readMode("#049809", all)).toEqual({ mode: "all", text: "#049809" });
    expect(readMode("#100", all)).toEqual({ mode: "amount", text: "100" });
  });
  test("a mode without a source is not offered: its prefix is text", () => {
    expect(readMode("=100", now)).toEqual({ mode: "all", text: "=100" });
    expect(readMode("#100", now)).toEqual({ mode: "all", text: "#100" });
    expect(readMode("=100", new Set([...now, "amount"] as const))).toEqual({ mode: "amount", text: "100" });
  });
  test("Tab goes through the offered modes, and keeps the text", () => {
    const round = ["all", "row", "go", "keys"] as const;
    expect(round.map((mode) => turnMode(mode, "x", now, 1))).toEqual([".x", ":x", "?x", "x"]);
    expect(turnMode("all", "x", now, -1)).toBe("?x");
  });
});

describe("ranking", () => {
  const entry = (name: string, words = "", codes: string[] = []) => ({ id: name, name, words, codes });

  test("code, name, start, word, inside, synonym, letters in order", () => {
    const scores = [
      score("wd", entry("Withdrawals", "", ["wd"])),
      score("withdrawals", entry("Withdrawals")),
      score("with", entry("Withdrawals")),
      score("acc", entry("Payment accounts")),
      score("pay acc", entry("Payment accounts")),
      score("draw", entry("Withdrawals")),
      score("payout", entry("Withdrawals", "payout")),
      score("wdr", entry("Withdrawals")),
      score("xyz", entry("Withdrawals")),
    ];
    expect(scores.slice(0, 3)).toEqual([1000, 900, 800]);
    expect(scores.every((value, at) => at === 0 || value < (scores[at - 1] ?? 0))).toBe(true);
    expect(scores.at(-1)).toBe(0);
  });
  test("width, case, accents and Arabic digits do not count", () => {
    expect(normalise("ＷＤ Crédit ٤٢ Đặng Łódź")).toBe("wd credit 42 dang lodz");
  });
  test("first letters of words abbreviate it; letters that merely occur in order do not", () => {
    const counters = entry("Focus on the counters", "pane, window, figures, live");
    expect([score("users", counters), score("fotc", counters)]).toEqual([0, 100]);
  });
  test("one wrong letter still finds a word, where nothing matches exactly", () => {
    const approve = entry("Approve the withdrawal", "pay");
    expect(["aprove", "apporve", "approvw", "withdrwal", "approve withdarwal"].map((typed) => score(typed, approve))).toEqual([
      200, 200, 200, 200, 200,
    ]);
    expect([score("aprv", entry("Approve")), score("pya", approve), score("arrive", approve)]).toEqual([100, 0, 0]);
    expect(rank("reject", [entry("Reject"), entry("Rejest")]).map(({ candidate }) => candidate.id)).toEqual(["Reject"]);
  });
  test("in another language the English names and words are found as well", () => {
    const withdrawals = { ...entry("提款", "出款, 付款, payout"), english: "Withdrawals" };
    expect(["提款", "withdrawals", "with", "payout", "pay out"].map((typed) => score(typed, withdrawals))).toEqual([900, 900, 800, 300, 0]);
  });
  test("a result found by a synonym shows which", () => {
    const profile = entry("Profile", "me, change password, 2fa، كلمة");
    expect(["change pass", "2fa", "prof", "كلمة", "x"].map((typed) => synonymFor(typed, profile))).toEqual([
      "change password",
      "2fa",
      null,
      "كلمة",
      null,
    ]);
  });
  test("among equals the one used more often and later comes first", () => {
    const list = [entry("Mark one"), entry("Mark two"), entry("Mark three")];
    const weights: Record<string, number> = { "Mark three": 3, "Mark two": 1.5 };
    expect(rank("mark", list, (id) => weights[id] ?? 0).map(({ candidate }) => candidate.id)).toEqual([
      "Mark three",
      "Mark two",
      "Mark one",
    ]);
  });
  test("no more than 50 are shown", () => {
    expect(
      rank(
        "row",
        Array.from({ length: 200 }, (_, at) => entry(`Row ${at}`)),
      ),
    ).toHaveLength(mostResults);
  });
});

describe("what the palette lists", () => {
  const names: Record<string, string> = {
    "withdrawal.approve": "Approve",
    "withdrawal.reject": "Reject",
    "go.deposits": "Deposits",
    "go.users": "Users",
    "console.help": "Keys here",
    "session.tenant": "Switch tenant",
    "session.sign-out": "Sign out",
    "withdrawal.export": "Export",
    "withdrawal.delete": "Delete",
    "withdrawal.detail": "Detail",
    "withdrawal.shown": "Its line",
    "grid.down": "Next row",
  };
  const of = (id: `${string}.${string}`, more: Partial<AnyCommand> = {}): AnyCommand => aCommand([], { id, ...more });
  const commands = [
    of("withdrawal.approve", { scope: "pane", subject: "withdrawal", takes: "many", danger: "money", keys: ["a"] }),
    of("withdrawal.reject", {
      scope: "pane",
      subject: "withdrawal",
      takes: "many",
      permission: "pas.transaction.withdrawals.reject",
      keys: ["r"],
    }),
    of("grid.down", { scope: "grid", keys: ["j"], quiet: true }),
    of("go.deposits", { leadsTo: "deposits", keys: ["g d"] }),
    of("go.users", { leadsTo: "users", permission: "cas.user.users.view" }),
    of("session.tenant"),
    of("session.sign-out", { careful: true }),
    of("withdrawal.export", { scope: "screen", subject: "withdrawal", keys: ["Shift+E"] }),
    of("withdrawal.delete", { scope: "pane", subject: "withdrawal", takes: "one", danger: "irreversible" }),
    of("withdrawal.detail", { scope: "pane", subject: "withdrawal", takes: "one" }),
    of("withdrawal.shown", { scope: "pane", subject: "withdrawal", takes: "one", leadsTo: "deposits" }),
    of("console.help", { keys: ["?"] }),
  ];
  const registry = createRegistry(commands, { services: notingServices().services, routedScreens: new Set(["deposits", "users"]) });
  const find = (typed: string, change: Parameters<typeof aContext>[0] = {}, weights: Record<string, number> = {}) => {
    const { mode, text } = readMode(typed, now);
    const find = finder({
      registry,
      context: aContext({ pane: aPane({ cursor: aRow("w1") }), ...change }),
      weightOf: (id) => weights[id] ?? 0,
      nameOf: ({ id }) => names[id] ?? id,
      wordsOf: () => "",
      entriesOf: (page) => (page === "tenant" ? [{ id: "t1", name: "Mekong Harbour" }] : []),
    });
    return find(mode, null, text).results;
  };
  const ids = (...args: Parameters<typeof find>) => find(...args).map(({ id }) => id);

  test("motions stay out", () => expect(ids("next row")).toEqual([]));
  test("a command without its right is not listed", () => expect(ids("")).not.toContain("withdrawal.reject"));
  test("but by its exact name it is, with the reason", () => {
    expect(ids("rejec")).toEqual([]);
    expect(find("Reject ")[0]?.verdict).toMatchObject({ state: "absent", reason: { key: "refuse.no-right" } });
    expect([...find("rejects"), ...find(".rejec"), ...find("?")].map(({ id }) => id)).not.toContain("withdrawal.reject");
    expect(find(".reject")[0]?.id).toBe("withdrawal.reject");
  });
  test("a refused one is listed with the reason", () => {
    expect(find("approve", { online: false })[0]?.verdict).toEqual({ state: "refused", reason: "refuse.offline" });
  });
  test(". lists the row's acts, and after them those of its list", () => {
    expect(find(".").map(({ id, group }) => `${group} ${id}`)).toEqual([
      "row withdrawal.approve",
      "list withdrawal.export",
      "row withdrawal.delete",
      "row withdrawal.detail",
      "row withdrawal.shown",
    ]);
    expect(grouped(find(".")).map(({ group }) => group)).toEqual(["row", "list"]);
  });
  test("a dangerous command is never first because of earlier use, typed or not", () => {
    const often = { "withdrawal.delete": 9, "withdrawal.approve": 8, "session.sign-out": 7, "withdrawal.detail": 1 };
    const found = find("", {}, often);
    expect(found.filter(({ group }) => group === "recent").map(({ id }) => id)).toEqual(["withdrawal.detail"]);
    expect(grouped(find(""))[0]?.results[0]?.id).toBe("withdrawal.detail");
    expect(ids("de", {}, often)).toEqual(["withdrawal.detail", "go.deposits", "withdrawal.delete"]);
  });
  test(": lists screens by short code, session and tenants", () => {
    expect(ids(":dp")[0]).toBe("go.deposits");
    expect(ids(":mekong")).toEqual(["tenant t1"]);
    expect(ids(":")).not.toContain("go.users");
    expect(ids(":")).toContain("go.deposits");
    expect(ids(":")).not.toContain("withdrawal.shown");
  });
  test("? lists commands that have a key", () =>
    expect(ids("?")).toEqual(["withdrawal.approve", "go.deposits", "withdrawal.export", "console.help"]));
  test("with nothing typed the most used are on top, each once", () => {
    const found = find("", {}, { "console.help": 2, "session.tenant": 3 });
    expect(found.slice(0, 2)).toMatchObject([{ id: "session.tenant", group: "recent" }, { id: "console.help" }]);
    expect(found.filter(({ id }) => id === "console.help")).toHaveLength(1);
    expect(grouped(found)[0]?.group).toBe("recent");
  });
});
