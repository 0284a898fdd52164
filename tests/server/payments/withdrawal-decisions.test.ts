import { expect, test } from "vitest";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant, makePerson, makeRateGroup, setSettings } from "../../support/factories.ts";
import { body, makeOffice, only, refusals } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase({ pool: 24, patient: true });

/** For what is done within the window: the default five seconds may be over before it is. */
const longRecall = { settings: { recall_seconds: 60 } };
const ref = ({ uuid, version }: Withdrawal) => ({ uuid, version });
const sure = ({ amount, holder }: Withdrawal) => ({ confirmed: { amount, holder } });
const approve = async (office: Office, row: Withdrawal, more: object = {}, person = office.ann) =>
  only(await act.approveWithdrawals(office.call(person), body({ rows: [{ ...ref(row), ...more }] })));
const second = async (office: Office, row: Withdrawal, person = office.ben) =>
  only(await act.secondApproveWithdrawals(office.call(person), body({ rows: [{ ...ref(row), ...sure(row) }] })));
const reject = async (
  office: Office,
  row: Withdrawal,
  reason: { code: string; text?: string } = { code: "duplicate" },
  person = office.ann,
) => only(await act.rejectWithdrawals(office.call(person), body({ rows: [ref(row)], reason })));
const recall = async (office: Office, row: Withdrawal, person = office.ann) =>
  only(await act.recallWithdrawals(office.call(person), body({ rows: [ref(row)] })));

async function rowOf(outcome: Awaited<ReturnType<typeof approve>>): Promise<Withdrawal> {
  if (!outcome.done) throw new Error(`refused: ${outcome.problem.code} ${JSON.stringify(outcome.problem.data)}`);
  return outcome.row;
}

/** All that an approval moves, as text. */
async function state(office: Office): Promise<unknown> {
  const { rows } = await db.owner.query(
    `select (select jsonb_agg(jsonb_build_array(kind, owner_id, balance) order by kind, owner_id) from ledger_accounts where tenant_id = $1 and balance <> 0) as ledger,
      (select jsonb_agg(jsonb_build_array(payment_account_id, kind, period, used) order by payment_account_id, period) from limit_usage
        where tenant_id = $1 and used <> 0) as limits`,
    [office.tenant.id],
  );
  return rows[0];
}

test("an approved withdrawal moves the hold to the account, the fee and the charges", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "1" });
  const account = await makeAccount(db, office.tenant, { charges_value: "2" });
  const row = await rowOf(await approve(office, await office.claimed(merchant)));
  expect(row).toMatchObject({
    status: "approved",
    final_amount: "502.00",
    charges: "2.00",
    claim: null,
    payment_account: { code: account.code },
  });
  expect(await office.balance("hold", merchant.id)).toBe("0.00");
  expect(await office.balance("payment-account", account.id)).toBe("999498.00");
  // kept per merchant, so that no two merchants' decisions wait for one account
  expect(await office.balance("fee-income", merchant.id)).toBe("5.00");
  expect(await office.balance("bank-charges", merchant.id)).toBe("2.00");
  expect(office.announced.at(-1)).toEqual({ tenant: office.tenant.id, event: "withdraw", uuids: [row.uuid] });
  const { rows } = await db.owner.query("select used from limit_usage where payment_account_id = $1", [account.id]);
  expect(rows).toEqual([{ used: "502.0000" }, { used: "502.0000" }]);
});

test("an approval whose fee the release before posted to the tenant's own account is read there and recalled from there", async () => {
  const office = await makeOffice(db, longRecall);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "1" });
  await makeAccount(db, office.tenant, { charges_value: "2" });
  const row = await rowOf(await approve(office, await office.claimed(merchant)));
  await db.owner.query(
    `update ledger_accounts set owner_id = null where tenant_id = $1 and kind in ('fee-income', 'bank-charges') and owner_id = $2`,
    [office.tenant.id, merchant.id],
  );
  const { data } = await act.readWithdrawal(office.call(), { params: { uuid: row.uuid }, query: undefined, body: undefined });
  expect(data.money.map(({ account, label, after }) => [account, label, after])).toEqual([
    ["hold", expect.any(String), "0.00"],
    ["payment-account", expect.any(String), "999498.00"],
    ["fee-income", "", "5.00"],
    ["bank-charges", "", "2.00"],
  ]);
  const back = await rowOf(await recall(office, row));
  expect([await office.balance("fee-income"), await office.balance("bank-charges")]).toEqual(["0.00", "0.00"]);
  await rowOf(await approve(office, back));
  expect([await office.balance("fee-income"), await office.balance("fee-income", merchant.id)]).toEqual(["5.00", "5.00"]);
});

test("where the merchant bears charges, what was held too much returns to its wallet", async () => {
  const office = await makeOffice(db, longRecall);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "1", charges_borne_by: "merchant" });
  await makeAccount(db, office.tenant, { charges_value: "2" });
  await makeAccount(db, office.tenant, { charges_value: "7", type: "backup" });
  const claimed = await office.claimed(merchant);
  expect(await office.balance("wallet", merchant.id)).toBe("488.00");
  const before = await state(office);
  const row = await rowOf(await approve(office, claimed));
  expect(row).toMatchObject({ charges: "2.00", final_amount: "502.00" });
  expect(await office.balance("wallet", merchant.id)).toBe("493.00");
  expect(await office.balance("hold", merchant.id)).toBe("0.00");
  const back = await rowOf(await recall(office, row));
  expect(back).toMatchObject({ status: "process", charges: "7.00", final_amount: "507.00" });
  expect(await state(office)).toEqual(before);
});

test("a recall restores wallet, hold, account and limits exactly, and takes the item back in hand", async () => {
  const office = await makeOffice(db, longRecall);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "1.25" });
  await makeAccount(db, office.tenant, { charges_type: "percent", charges_value: "0.3" });
  const claimed = await office.claimed(merchant, { amount: "333.33" });
  const before = await state(office);
  const approved = await rowOf(await approve(office, claimed));
  expect(await state(office)).not.toEqual(before);
  const back = await rowOf(await recall(office, approved, office.ben));
  expect(await state(office)).toEqual(before);
  expect(back).toMatchObject({ status: "process", claim: { name: "Ben Ooi" }, payment_account: null, approved_by: null });
  expect(back.flags).toContain("returned");
  const { rows } = await db.owner.query("select state from outbox where transaction_id = $1", [back.uuid]);
  expect(rows).toEqual([{ state: "cancelled" }]);
  // and it can be approved again, once
  await rowOf(await approve(office, back, {}, office.ben));
});

test("after the recall window, and once the merchant is being called, there is no way back", async () => {
  const office = await makeOffice(db, longRecall);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "2000" });
  await makeAccount(db, office.tenant);
  const first = await rowOf(await approve(office, await office.claimed(merchant)));
  await db.owner.query("update outbox set leased_until = now() + interval '1 minute' where transaction_id = $1", [first.uuid]);
  expect(await recall(office, first)).toMatchObject({ done: false, problem: { code: "withdrawal.recall-closed" } });
  await db.owner.query("update outbox set leased_until = null where transaction_id = $1", [first.uuid]);
  await db.owner.query("update transactions set recallable_until = now() where id = $1", [first.uuid]);
  expect(await recall(office, first)).toMatchObject({ done: false, problem: { code: "withdrawal.recall-closed" } });
  await setSettings(db, office.tenant, { recall_seconds: 0 });
  const never = await rowOf(await approve(office, await office.claimed(merchant)));
  expect(never.recallable_until).toBeNull();
  expect(await recall(office, never)).toMatchObject({ problem: { code: "withdrawal.recall-closed" } });
  expect(await recall(office, await office.claimed(merchant))).toMatchObject({ problem: { code: "withdrawal.not-approved" } });
});

test("the callback waits for the end of the recall window and carries the transaction as decided", async () => {
  const office = await makeOffice(db, { settings: { recall_seconds: 30 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "1" });
  await makeAccount(db, office.tenant);
  const row = await rowOf(await approve(office, await office.claimed(merchant)));
  const { rows } = await db.owner.query<{ next_attempt_at: Date; body: string; url: string }>(
    "select next_attempt_at, body, url from outbox where transaction_id = $1",
    [row.uuid],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.next_attempt_at.toISOString()).toBe(row.recallable_until);
  expect(rows[0]?.url).toBe("https://merchant.example/callback");
  expect(JSON.parse(rows[0]?.body ?? "")).toMatchObject({
    type: "withdrawal.approved",
    data: { uuid: row.uuid, txn_no: row.txn_no, status: "approved", amount: "500.00", fee: "5.00", updated_at: row.approved_at },
  });
});

test("whoever has not claimed it cannot approve it", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "2000" });
  await makeAccount(db, office.tenant);
  const pending = await office.withdraw(merchant);
  const free = only(await act.approveWithdrawals(office.call(), body({ rows: [{ uuid: pending.id, version: 1 }] })));
  expect(free).toMatchObject({ done: false, problem: { code: "withdrawal.not-process" } });
  const anns = await office.claimed(merchant);
  expect(await approve(office, anns, {}, office.ben)).toMatchObject({
    done: false,
    problem: {
      code: "withdrawal.claimed",
      data: { by: "Ann Lim", status: "process", row: { uuid: anns.uuid, claim: { name: "Ann Lim" } } },
    },
  });
});

test("tier 2 needs amount and payee repeated; a warning raises the tier by one", async () => {
  const office = await makeOffice(db, { settings: { tiers: { MYR: { confirm_from: "1000.00", second_from: "5000.00" } } } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "90000" });
  await makeAccount(db, office.tenant);
  const row = await office.claimed(merchant, { amount: "999.99" });
  expect(row.tier).toBe(1);
  const stranger = await office.claimed(merchant, { amount: "999.99", holder: "SITI AMINAH", member: "M2" });
  expect(stranger).toMatchObject({ tier: 2, flags: expect.arrayContaining(["name-mismatch"]) });
  expect(await approve(office, stranger)).toMatchObject({
    done: false,
    problem: { code: "withdrawal.confirm-needed", data: { tier: 2, amount: "999.99", holder: "SITI AMINAH" } },
  });
  const wrong = { confirmed: { amount: "999.98", holder: "SITI AMINAH" } };
  expect(await approve(office, stranger, wrong)).toMatchObject({ problem: { code: "withdrawal.confirm-needed" } });
  const done = await rowOf(await approve(office, stranger, { confirmed: { amount: "999.990", holder: "SITI AMINAH" } }));
  expect(done.status).toBe("approved");
});

test("tier 3 is paid by a second person only, never by the first", async () => {
  const office = await makeOffice(db, {
    settings: { ...longRecall.settings, tiers: { MYR: { confirm_from: "100.00", second_from: "400.00" } } },
  });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  const [usual, chosen] = [await makeAccount(db, office.tenant), await makeAccount(db, office.tenant, { type: "backup" })];
  const claimed = await office.claimed(merchant);
  expect(claimed).toMatchObject({ tier: 3, paying_account: { code: usual.code } });
  expect(await second(office, claimed)).toMatchObject({ problem: { code: "withdrawal.second-not-awaited" } });
  expect(await approve(office, claimed)).toMatchObject({ problem: { code: "withdrawal.confirm-needed" } });
  const first = await rowOf(await approve(office, claimed, { ...sure(claimed), payment_account: chosen.id }));
  expect(first).toMatchObject({ status: "process", claim: null, first_approved_by: { name: "Ann Lim" } });
  expect(await office.balance("hold", merchant.id)).toBe("500.00");

  const waiting = await act.listWithdrawals(office.call(), {
    query: { view: "second", direction: "next", limit: 10 },
    params: undefined,
    body: undefined,
  });
  expect(waiting.data.map(({ uuid }) => uuid)).toEqual([first.uuid]);
  expect(await second(office, first, office.ann)).toMatchObject({ problem: { code: "withdrawal.second-same-person" } });
  expect(await approve(office, first, sure(first), office.ben)).toMatchObject({ problem: { code: "withdrawal.second-needed" } });
  const claim = only(await act.claimWithdrawals(office.call(office.ben), body({ rows: [ref(first)] })));
  expect(claim).toMatchObject({ problem: { code: "withdrawal.second-needed" } });
  const unsure = only(
    await act.secondApproveWithdrawals(
      office.call(office.ben),
      body({ rows: [{ ...ref(first), confirmed: { amount: "1.00", holder: "?" } }] }),
    ),
  );
  expect(unsure).toMatchObject({ problem: { code: "withdrawal.confirm-needed" } });

  const paid = await rowOf(await second(office, first));
  expect(paid).toMatchObject({ status: "approved", payment_account: { code: chosen.code }, approved_by: { name: "Ben Ooi" } });
  // a recall voids the first approval too
  const back = await rowOf(await recall(office, paid, office.ben));
  expect(back.first_approved_by).toBeNull();
});

test("an account that does not fit is refused with the reason and its numbers", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const cases: [columns: Record<string, string>, code: string, unfit: object][] = [
    [{ status: "suspend" }, "payment-account.unfit", { code: "suspended" }],
    [{ purpose: "deposit" }, "payment-account.unfit", { code: "purpose" }],
    [{ method: "qr" }, "payment-account.unfit", { code: "method" }],
    [{ withdrawal_minimum: "500.01" }, "payment-account.unfit", { code: "minimum", values: { amount: "500.00", minimum: "500.01" } }],
    [{ withdrawal_maximum: "499.99" }, "payment-account.unfit", { code: "maximum" }],
    [{ withdrawal_daily_limit: "499.99" }, "payment-account.over-limit", { code: "daily", values: { used: "0.00", limit: "499.99" } }],
    [{ withdrawal_monthly_limit: "499.99" }, "payment-account.over-limit", { code: "monthly" }],
    [
      { balance: "800", hold_amount: "200", reserve_amount: "100.01" },
      "payment-account.insufficient",
      { code: "balance", values: { payable: "499.99" } },
    ],
    [{ balance: "500", charges_value: "0.01" }, "payment-account.insufficient", { code: "balance", values: { needed: "500.01" } }],
  ];
  for (const [columns, code, unfit] of cases) {
    const account = await makeAccount(db, office.tenant, columns);
    const outcome = await approve(office, await office.claimed(merchant), { payment_account: account.id });
    expect(outcome).toMatchObject({ done: false, problem: { code, data: { accounts: [{ uuid: account.id, unfit }] } } });
  }
});

test("no account at all, an unknown one and another tenant's are refused alike", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  const row = await office.claimed(merchant);
  expect(row.paying_account).toBeNull();
  const none = await approve(office, row);
  expect(none).toMatchObject({ done: false, problem: { code: "payment-account.unfit", data: { accounts: [] } } });
  const elsewhere = await makeAccount(db, (await makeOffice(db)).tenant);
  await makeAccount(db, office.tenant);
  for (const payment_account of [elsewhere.id, row.uuid]) {
    expect(await approve(office, row, { payment_account })).toMatchObject({
      problem: { code: "payment-account.unfit", data: { accounts: [] } },
    });
  }
});

test("64 approvals at once for a daily limit of 63 take exactly 63 from the account, the last from the next", async () => {
  const office = await makeOffice(db, { settings: { claim_limit: 100 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "100" });
  const small = await makeAccount(db, office.tenant, { withdrawal_daily_limit: "63" });
  const other = await makeAccount(db, office.tenant, { type: "backup" });
  const rows = [];
  for (let n = 0; n < 64; n++) rows.push(await office.claimed(merchant, { amount: "1.00", account_number: `7${n}000` }));
  const paid = await Promise.all(rows.map(async (row) => rowOf(await approve(office, row, sure(row)))));
  const from = paid.map(({ payment_account }) => payment_account?.uuid);
  expect(from.filter((id) => id === small.id)).toHaveLength(63);
  expect(from.filter((id) => id === other.id)).toHaveLength(1);
});

test("an account's balance is never paid below its hold and reserve, however many approve at once", async () => {
  const office = await makeOffice(db, { settings: { claim_limit: 100 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "100" });
  const account = await makeAccount(db, office.tenant, { balance: "30", hold_amount: "5", reserve_amount: "10" });
  const rows = [];
  for (let n = 0; n < 20; n++) rows.push(await office.claimed(merchant, { amount: "1.00", account_number: `7${n}000` }));
  const outcomes = await Promise.all(rows.map((row) => approve(office, row, { ...sure(row), payment_account: account.id })));
  expect(outcomes.filter(({ done }) => done)).toHaveLength(15);
  expect(new Set(refusals(outcomes).map(({ code }) => code))).toEqual(new Set(["payment-account.insufficient"]));
  expect(await office.balance("payment-account", account.id)).toBe("15.00");
});

test("an account's rate limit counts what it paid within the window", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  const rate = await makeRateGroup(db, office.tenant, { account_window_minutes: 60, account_max_count: 2, account_max_amount: "800" });
  await makeAccount(db, office.tenant, { rate_limit_group_id: rate });
  const rows = [];
  for (let n = 0; n < 4; n++) rows.push(await office.claimed(merchant, { account_number: `7${n}000`, amount: `${500 + n}.00` }));
  const outcomes = await Promise.all(rows.map((row) => approve(office, row, sure(row))));
  expect(outcomes.filter(({ done }) => done)).toHaveLength(2);
  const refused = { code: "payment-account.unfit", data: { accounts: [{ unfit: { code: "rate" } }] } };
  expect(refusals(outcomes)).toMatchObject([refused, refused]);
  // the window moves on
  await db.owner.query(
    "update transactions set approved_at = approved_at - interval '61 minutes' where tenant_id = $1 and status = 'approved'",
    [office.tenant.id],
  );
  const late = rows.find((_, n) => !outcomes[n]?.done);
  if (late) await rowOf(await approve(office, late, sure(late)));
  const big = await office.claimed(merchant, { amount: "800.01", account_number: "79000" });
  expect(await approve(office, big, sure(big))).toMatchObject({ problem: { data: { accounts: [{ unfit: { code: "rate-amount" } }] } } });
});

test("a rejection gives the hold back whole and keeps its reason", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "1" });
  const row = await rowOf(await reject(office, await office.claimed(merchant), { code: "account-closed" }));
  expect(row).toMatchObject({ status: "rejected", reject_reason: "account-closed", rejected_by: { name: "Ann Lim" }, claim: null });
  expect([await office.balance("wallet", merchant.id), await office.balance("hold", merchant.id)]).toEqual(["1000.00", "0.00"]);
  const worded = await office.claimed(merchant);
  expect(await reject(office, worded, { code: "nonsense" })).toMatchObject({ problem: { code: "reason.unknown" } });
  expect(await reject(office, worded, { code: "other" })).toMatchObject({ problem: { code: "reason.missing" } });
  expect(await reject(office, worded, { code: "duplicate" }, office.ben)).toMatchObject({
    problem: { code: "withdrawal.claimed", data: { by: "Ann Lim" } },
  });
  expect(await rowOf(await reject(office, worded, { code: "other", text: "Card reported lost" }))).toMatchObject({
    reject_reason: "Card reported lost",
  });
});

test("eight clashing decisions on one item have one winner, and each loser learns who, when and what became of it", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "90000" });
  await makeAccount(db, office.tenant);
  for (let round = 0; round < 6; round++) {
    const row = await office.claimed(merchant, { account_number: `8${round}000`, amount: `${100 + round}.00` });
    const contenders = [
      () => approve(office, row, sure(row)),
      () => reject(office, row),
      async () => only(await act.releaseWithdrawals(office.call(), body({ rows: [ref(row)] }))),
      () => approve(office, row, sure(row)),
      () => approve(office, row, sure(row)),
      () => reject(office, row),
      async () => only(await act.takeOverWithdrawals(office.call(office.ben), body({ rows: [ref(row)] }))),
      async () => only(await act.deferWithdrawals(office.call(), body({ rows: [ref(row)] }))),
    ];
    const outcomes = await Promise.all(contenders.map((contend) => contend()));
    const winners = outcomes.filter((outcome) => outcome.done);
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    if (!winner?.done) throw new Error("one won");
    for (const outcome of outcomes) {
      if (outcome.done) continue;
      expect(outcome.problem.data).toMatchObject({
        by: winner.row.last_action_by.name,
        at: winner.row.last_action_at,
        status: winner.row.status,
        row: { uuid: row.uuid, version: winner.row.version },
      });
    }
    const decisions = await db.owner.query("select outcome from decisions where transaction_id = $1", [row.uuid]);
    expect(decisions.rows).toHaveLength(["approved", "rejected"].includes(winner.row.status) ? 1 : 0);
  }
});

test("two second persons: one pays, the other learns who did", async () => {
  const office = await makeOffice(db, { settings: { tiers: { MYR: { confirm_from: "1", second_from: "1" } } } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const cas = await makePerson(db, office.tenant, "Cas Tan");
  const claimed = await office.claimed(merchant);
  const first = await rowOf(await approve(office, claimed, sure(claimed)));
  const outcomes = await Promise.all([second(office, first, office.ben), second(office, first, cas)]);
  const winner = outcomes.findIndex(({ done }) => done);
  expect(outcomes[1 - winner]).toMatchObject({
    done: false,
    problem: { code: "transaction.already-decided", data: { by: winner === 0 ? "Ben Ooi" : "Cas Tan", status: "approved" } },
  });
});

test("an outdated version of a row is refused as stale with the current row", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const row = await office.claimed(merchant);
  const changed = await act.remarkWithdrawal(office.call(office.ben), {
    params: { uuid: row.uuid },
    query: undefined,
    body: { version: row.version, remark: "Call the customer first" },
  });
  expect(changed.data.remark).toBe("Call the customer first");
  expect(await approve(office, row)).toMatchObject({
    problem: { code: "transaction.stale", data: { row: { remark: "Call the customer first" } } },
  });
  await rowOf(await approve(office, changed.data));
  expect(await approve(office, row)).toMatchObject({
    problem: { code: "transaction.already-decided", data: { by: "Ann Lim", status: "approved" } },
  });
});

test("another tenant's or currency's withdrawal answers like one that does not exist", async () => {
  const [office, other] = [await makeOffice(db, { currencies: ["USD"] }), await makeOffice(db)];
  const merchant = await makeMerchant(db, other.tenant, { wallet: "9000" });
  await makeAccount(db, other.tenant);
  const theirs = await other.claimed(merchant);
  const acts = [
    () => approve(office, theirs),
    () => reject(office, theirs),
    () => recall(office, theirs),
    async () => only(await act.claimWithdrawals(office.call(), body({ rows: [ref(theirs)] }))),
    async () => only(await act.sendWithdrawalCallbacks(office.call(), body({ rows: [ref(theirs)] }))),
    async () => only(await act.claimWithdrawals(other.call(other.ann, { currency: "USD" }), body({ rows: [ref(theirs)] }))),
  ];
  for (const attempt of acts)
    expect(await attempt()).toEqual({ uuid: theirs.uuid, done: false, problem: expect.objectContaining({ code: "not-found" }) });
  const read = act.readWithdrawal(office.call(), { params: { uuid: theirs.uuid }, query: undefined, body: undefined });
  await expect(read).rejects.toMatchObject({ code: "not-found" });
});

test("a bulk act answers for each row: done, or why not", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const [mine, theirs, old] = [
    await office.claimed(merchant, { account_number: "11111" }),
    await office.claimed(merchant, { account_number: "22222", amount: "501.00" }, office.ben),
    await office.claimed(merchant, { account_number: "33333", amount: "502.00" }),
  ];
  const { data } = await act.approveWithdrawals(office.call(), body({ rows: [ref(mine), ref(theirs), { ...ref(old), version: 9 }] }));
  expect(data.outcomes.map((outcome) => (outcome.done ? outcome.row.status : outcome.problem.code))).toEqual([
    "approved",
    "withdrawal.claimed",
    "transaction.stale",
  ]);
  expect(office.announced.at(-1)?.uuids).toEqual([mine.uuid]);
});

test("a callback can be asked for again after the recall window, with the same id", async () => {
  const office = await makeOffice(db, longRecall);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const row = await rowOf(await approve(office, await office.claimed(merchant)));
  const ask = async () => only(await act.sendWithdrawalCallbacks(office.call(), body({ rows: [ref(row)] })));
  expect(await ask()).toMatchObject({ problem: { code: "callback.none" } });
  await db.owner.query("update transactions set recallable_until = now() where id = $1", [row.uuid]);
  const before = await db.owner.query("update outbox set state = 'failed', next_attempt_at = null where transaction_id = $1 returning id", [
    row.uuid,
  ]);
  expect(await ask()).toMatchObject({ done: true });
  const after = await db.owner.query(
    "select id, state, requested_by, next_attempt_at <= now() as due from outbox where transaction_id = $1",
    [row.uuid],
  );
  expect(after.rows).toEqual([{ id: before.rows[0]?.id, state: "pending", requested_by: office.ann.id, due: true }]);
  const open = await office.claimed(merchant, { account_number: "4444" });
  expect(only(await act.sendWithdrawalCallbacks(office.call(), body({ rows: [ref(open)] })))).toMatchObject({
    problem: { code: "callback.none" },
  });
});
