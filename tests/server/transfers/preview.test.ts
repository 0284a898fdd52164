import { expect, test } from "vitest";
import { Preview } from "../../../src/contract/transfer-forms.ts";
import type { Draft } from "../../../src/contract/transfer-forms.ts";
import { transferHandlers } from "../../../src/server/transfers/transfers.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";

const db = testDatabase();

async function scene() {
  const office = await makeOffice(db, {
    settings: { tiers: { MYR: { confirm_from: "1000.00", second_from: "5000.00" } }, settlement_minimum: { MYR: "50.00" } },
  });
  const from = await makeAccount(db, office.tenant, { balance: "1000", reserve_amount: 100, withdrawal_daily_limit: 700 });
  const to = await makeAccount(db, office.tenant, { balance: "0" });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", settlement_rate: "0.5" });
  const between = (draft: Partial<Draft>): Promise<Preview> =>
    transferHandlers
      .previewTransfer(office.call(), body({ kind: "transfer", source: from.id, target: to.id, ...draft } as never)) // the kinds that route takes
      .then(({ data }) => data);
  const settled = (draft: Partial<Draft>): Promise<Preview> =>
    transferHandlers
      .previewSettlement(office.call(), body({ kind: "settlement", merchant: merchant.id, source: from.id, ...draft } as never)) // as above
      .then(({ data }) => data);
  return { office, from, to, merchant, between, settled };
}

test("a draft shows what each side has, would keep, and would have used of its limits", async () => {
  const { from, to, between } = await scene();
  const shown = await between({ amount: "600.00", charges_type: "fixed", charges_value: "5.00" });
  expect(shown).toMatchObject({ tier: 1, charges: "5.00", final_amount: "605.00", refusal: null });
  expect(shown.sides).toEqual([
    {
      side: "source",
      uuid: from.id,
      code: from.code,
      name: "House Sdn Bhd",
      balance: "1000.00",
      balance_after: "395.00",
      payable: "900.00",
      payable_after: "295.00",
      charges: { charges_type: "fixed", charges_value: "0.00" },
      daily: { used: "0.00", after: "605.00", limit: "700.00" },
      monthly: { used: "0.00", after: "605.00", limit: null },
    },
    expect.objectContaining({ side: "target", uuid: to.id, balance: "0.00", balance_after: "600.00" }),
  ]);
});

test("its refusal is the one the act itself would give, and nothing of the trial stays", async () => {
  const { office, between } = await scene();
  expect((await between({ amount: "700.01" })).refusal).toMatchObject({
    code: "payment-account.over-limit",
    data: { source: ["Only 700.00 is left of the daily limit"] },
  });
  expect((await between({ amount: "600.00" })).refusal).toBeNull();
  const { rows } = await db.owner.query(
    `select (select count(*) from transfers where tenant_id = $1) + (select count(*) from limit_usage where tenant_id = $1 and used > 0)
      + (select count(*) from audit_entries where tenant_id = $1) as left`,
    [office.tenant.id],
  );
  expect(rows).toEqual([{ left: "0" }]);
});

test("a draft of more than there may ever be is judged, too", async () => {
  const { office, from, to, merchant, between, settled } = await scene();
  const most = "99999999999999.9999";
  const charged = { amount: most, charges_type: "fixed", charges_value: "99999999999999.99" } as const;
  const cleared = body({ kind: "clearing" as const, source: from.id, target: to.id, charges_value: "99999999999999.99" });
  const drafts = [
    await between(charged),
    await settled(charged),
    await settled({ ...charged, kind: "cash-out", source: undefined }),
    await transferHandlers.previewClearing(office.call(), cleared).then(({ data }) => data),
    await transferHandlers
      .previewAdjustment(
        office.call(),
        body({ kind: "adjustment" as const, merchant: merchant.id, direction: "debit" as const, amount: most }),
      )
      .then(({ data }) => data),
  ];
  expect(drafts.flatMap((shown) => Preview.safeParse(shown).error?.issues ?? [])).toEqual([]);
  expect(drafts.map(({ refusal }) => refusal?.code ?? null)).toEqual([
    "payment-account.over-limit",
    "payment-account.over-limit",
    "merchant.insufficient-balance",
    "payment-account.insufficient",
    null, // a second person judges it
  ]);
});

test("an unfinished draft is answered as far as it goes", async () => {
  const { office, from } = await scene();
  const { data } = await transferHandlers.previewTransfer(office.call(), body({ kind: "transfer", source: from.id }));
  expect(data).toMatchObject({ amount: "0.00", refusal: null, sides: [{ side: "source", payable: "900.00", payable_after: "900.00" }] });
});

test("a settlement shows its fee, the least and the most it may be, and what the wallet keeps", async () => {
  const { merchant, settled } = await scene();
  const shown = await settled({ amount: "200.00" });
  expect(shown).toMatchObject({ fee: "1.00", merchant_amount: "201.00", least: "50.00", most: "995.02", refusal: null });
  expect(shown.sides.find(({ side }) => side === "wallet")).toMatchObject({
    uuid: merchant.id,
    balance: "1000.00",
    balance_after: "799.00",
  });
  expect((await settled({ amount: "49.99" })).refusal).toMatchObject({ code: "transfer.below-minimum" });
  // the wallet would have it, but not the account's day
  expect((await settled({ amount: "995.02" })).refusal).toMatchObject({ code: "payment-account.over-limit" });
});

test("of a large one it says that a second person is needed", async () => {
  const { between } = await scene();
  expect((await between({ amount: "5000.00" })).tier).toBe(3);
});

test("a clearing shows the whole balance, less the charges where another account takes it", async () => {
  const { office, from, to } = await scene();
  const clear = async (more: Partial<Draft>) =>
    (
      await transferHandlers.previewClearing(
        office.call(),
        body({ kind: "clearing", source: from.id, charges_value: "2.00", ...more } as never),
      )
    ).data; // its kind
  expect(await clear({ target: to.id })).toMatchObject({ amount: "998.00", charges: "2.00", final_amount: "1000.00" });
  expect(await clear({})).toMatchObject({ amount: "1000.00", charges: "0.00", refusal: null });
  expect((await clear({})).sides).toMatchObject([{ balance_after: "0.00", daily: null }]);
  await makeHold(office.tenant.id, from.id);
  expect((await clear({})).refusal).toMatchObject({ code: "payment-account.open-items", data: { hold: { amount: "10.00" } } });
});

const makeHold = (tenant: string, account: string) =>
  db.owner.query("update payment_accounts set hold_amount = 10, hold_reason = 'court order' where tenant_id = $1 and id = $2", [
    tenant,
    account,
  ]);
