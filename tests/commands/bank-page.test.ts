import { describe, expect, test } from "vitest";
import { payoutFileRoutes } from "../../src/contract/payout-files.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import { withdrawalCommands } from "../../commands/withdrawals/commands.ts";
import type { Context, PaneState } from "../../src/console/kit/commands/context.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { notingServices } from "../console/kit/fakes.ts";
import { aWithdrawal, dewi } from "../console/withdrawals/rows.ts";
import { on } from "./withdrawal-fixture.ts";

const rights = {
  "pas.transaction.withdrawals": ["view", "process", "payout-file"],
  "pas.transaction.payout-templates": ["view"],
};
const registryOf = (services: Services) => createRegistry(withdrawalCommands, { services, routedScreens: new Set(["withdrawals"]) });
const registry = registryOf(notingServices().services);
const judged = (id: string, row: Withdrawal, pane: Partial<PaneState> = {}, more: Partial<Context> = {}) => {
  const command = registry.get(id);
  const bankPage = { copyNext: () => Promise.resolve(), openSlip() {} };
  const context = on(row, { bankPage, ...pane }, { permissions: rights, ...more });
  const verdict = command ? registry.judge(command, context) : { state: "absent" as const };
  return verdict.state === "refused" ? verdict.reason : verdict.state;
};
const held = { ...dewi, user: dewi.uuid, since: "2026-11-21T06:00:00.000Z", until: "2026-11-21T06:01:30.000Z" };

describe("copying for a bank's page", () => {
  test("y y copies the next field of the record under the cursor, with the right to see it", async () => {
    const copied: string[] = [];
    const bankPage = { copyNext: (row: Withdrawal) => Promise.resolve(void copied.push(row.txn_no)), openSlip() {} };
    const context = on(aWithdrawal(), { bankPage }, { permissions: rights });
    const owner = registry.owner("y y", context);
    await registry.run(owner?.id ?? "", "key", context);
    expect([owner?.id, copied]).toEqual(["withdrawal.copy-next", ["W2611210004821"]]);
    expect(judged("withdrawal.copy-next", aWithdrawal(), {}, { permissions: {} })).toBe("absent");
  });

  test("it is for one record, and for none that was turned down", () => {
    const marked = [aWithdrawal(), aWithdrawal({ uuid: dewi.uuid })];
    expect(judged("withdrawal.copy-next", aWithdrawal(), { marked })).toMatchObject({ key: "refuse.one-row" });
    expect(judged("withdrawal.copy-next", aWithdrawal({ status: "rejected" }))).toBe("problem.withdrawal.not-open");
    expect(judged("withdrawal.copy-next", aWithdrawal({ status: "pending", claim: null }))).toBe("ready");
  });
});

describe("the bank's slip", () => {
  test("is of a payment I am making, or that was made", () => {
    expect(judged("withdrawal.slip", aWithdrawal())).toBe("ready");
    expect(judged("withdrawal.slip", aWithdrawal({ status: "completed", claim: null }))).toBe("ready");
    expect(judged("withdrawal.slip", aWithdrawal({ status: "pending", claim: null }))).toBe("problem.withdrawal.not-process");
    expect(judged("withdrawal.slip", aWithdrawal({ claim: held }))).toEqual({ key: "withdrawal.refuse.claimed", words: { name: "Dewi" } });
    expect(judged("withdrawal.slip", aWithdrawal({ status: "expired", claim: null }))).toBe("problem.withdrawal.not-open");
    expect(judged("withdrawal.slip", aWithdrawal(), {}, { permissions: { "pas.transaction.withdrawals": ["view"] } })).toBe("absent");
  });
});

interface Made {
  readonly exported?: readonly object[];
  readonly refused?: readonly object[];
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly templates?: readonly object[];
}
const template = { uuid: "55555555-5555-4555-8555-555555555555", version: 1, name: "M2E", bank: "Maybank" };

/** A server that has this to say of the file. */
function office({ exported = [], refused = [], answers = {}, templates = [template] }: Made = {}) {
  const sent: [string, unknown][] = [];
  const asked: [string, Record<string, unknown>][] = [];
  const said: string[] = [];
  const saved: string[] = [];
  const services = {
    async call(route: { path: string }, { body }: { body?: unknown }) {
      sent.push([route.path.split("/").at(-1) ?? "", body]);
      if (route.path === payoutFileRoutes.previewPayoutFile.path) {
        const accounts = [{ code: "MBB-07", count: 1, amount: "4850.00" }];
        return { data: { lines: ["a,b"], count: 2 - refused.length, amount: "4850.00", accounts, exported, refused } };
      }
      if (route.path === payoutFileRoutes.exportPayoutFile.path) return { data: { uuid: dewi.uuid, name: "M2E.csv", count: 1 } };
      if (route.path === payoutFileRoutes.readPayoutFile.path) return { data: { name: "M2E.csv" } };
      return { data: templates };
    },
    async ask(kind: string, question: Record<string, unknown>) {
      asked.push([kind, question]);
      return answers[kind] ?? null;
    },
    say: (key: string) => void said.push(key),
    text: (key: string, words?: object) => (words ? `${key} ${Object.values(words).join(" ")}` : key),
    workplace: () => ({ timeOf: (at: string) => `at ${at}` }),
    saveFile: (file: { name: string }) => Promise.resolve(void saved.push(file.name)),
    changed: () => undefined,
  } as unknown as Services; // what the command uses
  const pressWith = async (permissions: Context["permissions"], ...rows: Withdrawal[]) => {
    const [first = aWithdrawal()] = rows;
    const context = on(first, { marked: rows }, { permissions });
    const own = registryOf(services);
    await own.run(own.owner("Shift+p", context)?.id ?? "", "key", context);
  };
  return { sent, asked, said, saved, pressWith, press: (...rows: Withdrawal[]) => pressWith(rights, ...rows) };
}
const paths = (sent: readonly [string, unknown][]) => sent.map(([path]) => path);
const two = [aWithdrawal(), aWithdrawal({ uuid: dewi.uuid })] as const;

describe("the payout file", () => {
  test("template, preview, file, download: in this order, with each row's version and account", async () => {
    const at = office({ answers: { choice: template.uuid, preview: true } });
    await at.press(...two);
    expect(paths(at.sent)).toEqual(["payout-templates", "preview", "payout-files", "{uuid}"]);
    const rows = two.map(({ uuid, version }) => ({ uuid, version, payment_account: dewi.uuid }));
    expect(at.sent[2]?.[1]).toEqual({ template: template.uuid, rows });
    expect([at.saved, at.said]).toEqual([["M2E.csv"], ["withdrawal.said.payout-file"]]);
  });

  test("an approved row names its own account", async () => {
    const at = office({ answers: { choice: template.uuid } });
    await at.press(aWithdrawal({ status: "approved", payment_account: { uuid: dewi.uuid, code: "MBB-07" } }));
    expect(at.sent[1]?.[1]).toMatchObject({ rows: [{ uuid: aWithdrawal().uuid, version: 3 }] });
    expect(JSON.stringify(at.sent[1]?.[1])).not.toContain("payment_account");
  });

  test("nothing is made until the preview is confirmed", async () => {
    const at = office({ answers: { choice: template.uuid } });
    await at.press(...two);
    expect([paths(at.sent), at.saved]).toEqual([["payout-templates", "preview"], []]);
  });

  test("rows exported before are named with when and by whom, and only then sent again", async () => {
    const before = { uuid: dewi.uuid, txn_no: "W2611210004821", at: "2026-11-24T02:05:00.000Z", by: "Ben", file: "old.csv" };
    const at = office({ exported: [before], answers: { choice: template.uuid, preview: true } });
    await at.press(...two);
    const [, [, question] = ["", {}]] = at.asked;
    expect(question).toMatchObject({
      notes: ["withdrawal.payout-file.before …004821 at 2026-11-24T02:05:00.000Z Ben old.csv"],
      yes: "withdrawal.payout-file.make-again",
    });
    expect(at.sent[2]?.[1]).toMatchObject({ again: true });
  });

  test("rows the file cannot have are shown with why, and left out of it", async () => {
    const problem = { code: "payout-file.unwritable", message: "", values: { column: "2", sign: "王" } };
    const at = office({
      refused: [{ uuid: dewi.uuid, txn_no: "W2611210004822", problem }],
      answers: { choice: template.uuid, preview: true },
    });
    await at.press(...two);
    expect(at.asked[1]?.[1]).toMatchObject({ skipped: [{ label: "…004822", why: "withdrawal.payout-file.unwritable 2 王" }] });
    expect(at.sent[2]?.[1]).toMatchObject({ rows: [{ uuid: aWithdrawal().uuid }] });
    expect(at.sent[2]?.[1]).not.toHaveProperty("again");
  });

  test("without the right to see templates it says which right, and asks for none", async () => {
    const at = office();
    await at.pressWith({ "pas.transaction.withdrawals": ["payout-file"] }, ...two);
    expect([at.said, at.sent]).toEqual([["refuse.no-right"], []]);
  });

  test("without a template it says where one is made", async () => {
    const at = office({ templates: [] });
    await at.press(...two);
    expect([at.said, at.asked]).toEqual([["withdrawal.payout-file.no-template"], []]);
  });

  test("it is refused where no row is being paid, and for too many rows", () => {
    const fresh = aWithdrawal({ status: "pending", claim: null });
    expect(judged("withdrawal.payout-file", fresh)).toBe("problem.withdrawal.not-process");
    expect(judged("withdrawal.payout-file", fresh, { marked: [fresh, aWithdrawal()] })).toBe("ready");
    expect(judged("withdrawal.payout-file", aWithdrawal({ claim: held }))).toMatchObject({ key: "withdrawal.refuse.claimed" });
    const marked = Array.from({ length: 1_001 }, () => aWithdrawal());
    expect(judged("withdrawal.payout-file", aWithdrawal(), { marked })).toMatchObject({ key: "withdrawal.refuse.payout-rows" });
  });
});
