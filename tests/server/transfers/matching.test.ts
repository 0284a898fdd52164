import { describe, expect, test } from "vitest";
import type { Transfer } from "../../../src/contract/transfers.ts";
import { judgeArrived } from "../../../src/server/bank-lines/auto-match.ts";
import { bankTransactionHandlers as lines } from "../../../src/server/bank-lines/bank-lines.ts";
import type { LineRow } from "../../../src/server/bank-lines/line-rows.ts";
import { receiptHandlers } from "../../../src/server/files/receipt-handlers.ts";
import { aLine, bookLine, lineNow } from "../../support/bank-lines.ts";
import { transferHandlers } from "../../../src/server/transfers/transfers.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant, setSettings } from "../../support/factories.ts";
import type { Account } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import { sentPng } from "../../support/receipts.ts";
import { ref, transfersBy } from "../../support/transfers.ts";

const db = testDatabase();

async function scene() {
  const office = await makeOffice(db, {
    settings: { recall_seconds: 60, tiers: { MYR: { confirm_from: "1000.00", second_from: "5000.00" } } },
  });
  const from = await makeAccount(db, office.tenant, { balance: "20000", holder: "Kinta Trading" });
  const to = await makeAccount(db, office.tenant, { balance: "0", holder: "Selat Logistik" });
  const [ann, ben] = [transfersBy(office), transfersBy(office, office.ben)];
  const book = (account: Account, direction: "debit" | "credit", amount: string, more: object = {}) =>
    bookLine(office, account.id, aLine({ direction, amount, ...more }));
  const now = async ({ uuid }: Pick<Transfer, "uuid">) => (await ann.read({ uuid })).row;
  const tryMatch = async ({ id, version }: Pick<LineRow, "id" | "version">, transfer: Transfer) =>
    only(await lines.matchBankLines(office.call(), body({ rows: [{ uuid: id, version, transactions: [ref(transfer)] }] })));
  const tryUnmatch = async ({ id }: Pick<LineRow, "id">) =>
    only(
      await lines.unmatchBankLines(
        office.call(),
        body({ rows: [{ uuid: id, version: (await lineNow(office, id)).version }], reason: "Of another account" }),
      ),
    );
  /** Matches both sides, the paying one first; answers the transfer and its lines. */
  const prove = async (transfer: Transfer) => {
    const out = await book(from, "debit", transfer.final_amount);
    const into = await book(to, "credit", transfer.amount);
    done(await tryMatch(out, transfer));
    done(await tryMatch(into, await now(transfer)));
    return { transfer: await now(transfer), out, into };
  };
  return { office, from, to, ann, ben, book, now, tryMatch, tryUnmatch, prove };
}

describe("the bank's lines of both sides", () => {
  test("confirm a pending transfer: it is posted and completed with the second", async () => {
    const { office, from, to, ann, book, now, tryMatch } = await scene();
    const made = await ann.transfer(from, to, "500.00", { charges_value: "1.50" });
    const out = await book(from, "debit", "501.50");
    const into = await book(to, "credit", "500.00");
    expect(done(await tryMatch(out, made)).matched).toEqual([{ uuid: made.uuid, txn_no: made.txn_no, kind: "transfer", amount: "501.50" }]);
    const half = await now(made);
    expect(half).toMatchObject({ status: "pending", awaits: "confirmation", lines: { needed: 2, matched: 1 }, version: 2 });
    expect(await office.balance("payment-account", to.id)).toBe("0.00");
    done(await tryMatch(into, half));
    expect(await now(made)).toMatchObject({ status: "completed", approved_by: { name: "Ann Lim" }, recallable_until: null, version: 3 });
    expect(await office.balance("payment-account", from.id)).toBe("19498.50");
    expect(await office.balance("payment-account", to.id)).toBe("500.00");
    const permissions = ["pas.transaction.transfers.view"] as const;
    const { data: hidden } = await transferHandlers.readTransfer(office.call(office.ben, { permissions }), {
      params: { uuid: made.uuid },
      query: undefined,
      body: undefined,
    });
    expect(hidden.sides.map(({ line }) => line)).toEqual([null, null]);
    expect((await ann.read(made)).sides.map(({ side, line }) => [side, line?.uuid, line?.by])).toEqual([
      ["source", out.id, "Ann Lim"],
      ["target", into.id, "Ann Lim"],
    ]);
  });

  test("complete one that was confirmed by hand, and end its recall", async () => {
    const { from, to, ann, prove } = await scene();
    const { transfer } = await prove(await ann.approve(await ann.transfer(from, to, "500.00")));
    expect(transfer.status).toBe("completed");
    expect(await ann.tryRecall(transfer)).toMatchObject({ problem: { code: "transfer.recall-closed" } });
  });

  test("do not stand for a second person: from the tier on they only prove it, and it is completed when that person approves", async () => {
    const { office, from, to, ann, ben, prove } = await scene();
    const { transfer } = await prove(await ann.transfer(from, to, "5000.00"));
    expect(transfer).toMatchObject({ status: "pending", awaits: "second", lines: { matched: 2 } });
    expect(await office.balance("payment-account", to.id)).toBe("0.00");
    expect(await ben.second(transfer)).toMatchObject({ status: "completed", approved_by: { name: "Ben Ooi" }, recallable_until: null });
  });

  test("of a settlement are one, and confirm it alone", async () => {
    const { office, from, ann, book, now, tryMatch } = await scene();
    const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
    const made = await ann.settle(merchant, from, "800.00");
    done(await tryMatch(await book(from, "debit", "800.00"), made));
    expect(await now(made)).toMatchObject({ status: "completed", lines: { needed: 1, matched: 1 } });
    expect(await office.balance("hold", merchant.id)).toBe("0.00");
  });

  test.each<[string, (at: Awaited<ReturnType<typeof scene>>) => Promise<LineRow>, string]>([
    ["of another amount", ({ book, from }) => book(from, "debit", "500.01"), "bank-line.sum"],
    ["of another account", async ({ book, office }) => book(await makeAccount(db, office.tenant), "debit", "500.00"), "bank-line.misfit"],
    ["of the other direction", ({ book, from }) => book(from, "credit", "500.00"), "bank-line.misfit"],
    ["of the receiving side, as if it paid", ({ book, to }) => book(to, "debit", "500.00"), "bank-line.misfit"],
  ])("a line %s is none", async (_, book, code) => {
    const at = await scene();
    const made = await at.ann.transfer(at.from, at.to, "500.00");
    expect(await at.tryMatch(await book(at), made)).toMatchObject({ problem: { code } });
    expect(await at.now(made)).toMatchObject({ version: 1, lines: { matched: 0 } });
  });

  test("are one a side, and none of a transfer that was rejected", async () => {
    const { from, to, ann, book, now, tryMatch } = await scene();
    const made = await ann.transfer(from, to, "500.00");
    done(await tryMatch(await book(from, "debit", "500.00"), made));
    const twin = await book(from, "debit", "500.00", { description: "again" });
    expect(await tryMatch(twin, await now(made))).toMatchObject({ problem: { code: "transaction.matched" } });
    const rejected = await ann.reject(await ann.transfer(from, to, "500.00"));
    expect(await tryMatch(twin, rejected)).toMatchObject({ problem: { code: "bank-line.misfit" } });
    expect(await tryMatch(twin, made)).toMatchObject({ problem: { code: "transaction.stale" } });
  });
});

describe("suggestions", () => {
  test("a line is offered the transfer it may be a side of, and a transfer the lines of each side", async () => {
    const { office, from, to, ann, book } = await scene();
    const made = await ann.transfer(from, to, "500.00");
    const out = await book(from, "debit", "500.00", { description: `TRF ${made.txn_no}`, counterparty: "SELAT LOGISTIK" });
    const into = await book(to, "credit", "500.00", { counterparty: "KINTA TRADING" });
    const { data } = await lines.suggestForBankLine(office.call(), { params: { uuid: out.id }, query: undefined, body: undefined });
    expect(data).toMatchObject([
      {
        score: { amount: 35, reference: 30, name: 20 },
        transactions: [{ uuid: made.uuid, kind: "transfer", name: "Selat Logistik", merchant: null, status: "pending" }],
      },
    ]);
    const fitting = await lines.suggestBankLines(office.call(), { query: { transaction: made.uuid }, params: undefined, body: undefined });
    expect(fitting.data.map(({ line }) => line.uuid).toSorted()).toEqual([out.id, into.id].toSorted());
  });

  test("where the tenant allows, clear lines are matched by themselves, also those that came before the transfer", async () => {
    const { office, from, to, ann, book, now } = await scene();
    await setSettings(db, office.tenant, { auto_match: true });
    await book(from, "debit", "500.00", { description: "REF 778899", counterparty: "SELAT LOGISTIK" });
    await judgeArrived(office.deps, office.tenant.id, 10);
    const made = await ann.transfer(from, to, "500.00", { reference_no: "778899" });
    await judgeArrived(office.deps, office.tenant.id, 10);
    expect(await now(made)).toMatchObject({ status: "pending", lines: { matched: 1 } });
    await book(to, "credit", "500.00", { description: "REF 778899", counterparty: "KINTA TRADING" });
    await judgeArrived(office.deps, office.tenant.id, 10);
    expect(await now(made)).toMatchObject({ status: "completed", approved_by: null, last_action_by: { uuid: null, name: "system" } });
    expect(office.announced.at(-1)).toMatchObject({ event: "paymentAccount", uuids: expect.arrayContaining([made.uuid, from.id, to.id]) });
  });
});

describe("undone", () => {
  test("a match of a pending transfer leaves it as it was before", async () => {
    const { from, to, ann, book, now, tryMatch, tryUnmatch } = await scene();
    const made = await ann.transfer(from, to, "500.00");
    const out = await book(from, "debit", "500.00");
    done(await tryMatch(out, made));
    expect(done(await tryUnmatch(out)).status).toBe("unmatched");
    expect(await now(made)).toMatchObject({ status: "pending", lines: { matched: 0 }, version: 3 });
    expect((await ann.read(made)).history[0]).toMatchObject({ act: "transfer.unmatch", reason: "Of another account" });
  });

  test("of one that a person had confirmed it is no longer completed, and its money stays moved", async () => {
    const { office, from, to, ann, now, prove, tryUnmatch } = await scene();
    const { transfer, out } = await prove(await ann.approve(await ann.transfer(from, to, "500.00")));
    done(await tryUnmatch(out));
    expect(await now(transfer)).toMatchObject({ status: "approved", completed_at: null, lines: { matched: 1 } });
    expect(await office.balance("payment-account", to.id)).toBe("500.00");
  });

  test("is refused where nothing else confirmed it, until a receipt does", async () => {
    const { office, from, to, ann, now, prove, tryUnmatch } = await scene();
    const { transfer, out } = await prove(await ann.transfer(from, to, "500.00"));
    expect(await tryUnmatch(out)).toMatchObject({ problem: { code: "bank-line.only-proof" } });
    await receiptHandlers.addTransferReceipt(office.call(), sentPng(transfer.uuid));
    expect(done(await tryUnmatch(out)).status).toBe("unmatched");
    expect(await now(transfer)).toMatchObject({ status: "approved", has_receipt: true });
  });

  test("a transfer that is rejected, or taken back, gives its lines back with the reason", async () => {
    const { office, from, to, ann, book, now, tryMatch } = await scene();
    const out = await book(from, "debit", "500.00");
    const made = await ann.transfer(from, to, "500.00");
    done(await tryMatch(out, made));
    await ann.reject(await now(made), "Wrong account");
    expect(await lineNow(office, out.id)).toMatchObject({ status: "unmatched", matched: [] });
    const manual = await ann.manual(from, to, "500.00");
    done(await tryMatch(await lineNow(office, out.id), manual));
    await ann.recall(await now(manual));
    expect(await lineNow(office, out.id)).toMatchObject({ status: "unmatched" });
  });
});

test("what a transfer moved and no line shows is among what explains the statement's difference, until its line is matched", async () => {
  const { office, from, to, ann, book, now, tryMatch } = await scene();
  await book(from, "debit", "1.00", { balance: "19999.00", time: new Date(Date.now() - 3_600_000) });
  const made = await ann.manual(from, to, "500.00");
  const movements = async () => {
    const { data } = await lines.readStatementBalance(office.call(), {
      params: { uuid: from.id },
      query: { days: 7 },
      body: undefined,
    });
    return data.movements.flatMap(({ transaction }) => (transaction ? [transaction] : []));
  };
  const out = await book(from, "debit", "500.00");
  await book(from, "debit", "1.00", { balance: "19499.00", time: new Date(Date.now() + 60_000) });
  expect(await movements()).toEqual([{ uuid: made.uuid, kind: "transfer", txn_no: made.txn_no }]);
  done(await tryMatch(out, await now(made)));
  expect(await movements()).toEqual([]);
});
