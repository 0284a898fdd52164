import fc from "fast-check";
import { expect, test } from "vitest";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { fitsMinorUnit, money, moneyText } from "../../../src/values/money.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";

const db = testDatabase();

/** Balances and amounts finer than their currency. */
async function tooFine(tenant: string): Promise<unknown[]> {
  const { rows } = await db.owner.query<{ what: string; amount: string; minor_digits: number }>(
    `select x.what, x.amount, c.minor_digits from currencies c
      join (select tenant_id, currency, kind as what, balance as amount from ledger_accounts
        union all select e.tenant_id, e.currency, 'entry', e.amount from ledger_entries e
        union all select t.tenant_id, t.currency, f.what, f.amount from transactions t,
          lateral (values ('fee', t.fee), ('charges', t.charges), ('final', t.final_amount), ('merchant', t.merchant_amount)) f (what, amount)) x
        on x.tenant_id = c.tenant_id and x.currency = c.code
      where c.tenant_id = $1`,
    [tenant],
  );
  return rows.filter(({ amount, minor_digits }) => !fitsMinorUnit(money(amount), minor_digits));
}

test("fixed charges finer than the currency are rounded: a wallet without decimals stays without", async () => {
  const office = await makeOffice(db, { currency: "VND" });
  await db.owner.query("update currencies set minor_digits = 0 where tenant_id = $1", [office.tenant.id]);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", charges_borne_by: "merchant" });
  await makeAccount(db, office.tenant, { charges_value: "0.3333" });
  const row = await office.claimed(merchant, { amount: "100" });
  expect(await office.balance("wallet", merchant.id)).toBe("900.00");
  expect(only(await act.approveWithdrawals(office.call(), body({ rows: [{ uuid: row.uuid, version: row.version }] })))).toMatchObject({
    row: { charges: "0.00", final_amount: "100.00" },
  });
  expect(await tooFine(office.tenant.id)).toEqual([]);
});

test.each([0, 2, 3])("in a currency of %i decimals no fee, charge or balance has a digit below the minor unit", async (digits) => {
  // no second person for the largest amount
  const office = await makeOffice(db, { settings: { tiers: { MYR: { confirm_from: "1000.00", second_from: "1000000.00" } } } });
  await db.owner.query("update currencies set minor_digits = $2 where tenant_id = $1", [office.tenant.id, digits]);
  const unit = 10n ** BigInt(4 - digits);
  const rate = fc.bigInt({ min: 0n, max: 100_000n }).map(moneyText);
  const charge = fc.record({
    charges_type: fc.constantFrom("fixed" as const, "percent" as const),
    charges_value: fc.bigInt({ min: 0n, max: 50_000n }).map(moneyText),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        amount: fc.bigInt({ min: 1n, max: 100_000n }).map((units) => moneyText(units * unit)),
        borne: fc.constantFrom("merchant" as const, "house" as const),
        withdrawal: rate,
        deposit: rate,
        held: charge,
        paid: charge,
      }),
      async ({ amount, borne, withdrawal, deposit, held, paid }) => {
        const merchant = await makeMerchant(db, office.tenant, {
          wallet: "1000000",
          withdrawal_rate: withdrawal,
          deposit_rate: deposit,
          charges_borne_by: borne,
        });
        const account = await makeAccount(db, office.tenant, { ...held });
        await makeGroup(db, office.tenant, [account], [merchant]);
        const row = await office.claimed(merchant, { amount });
        // another charge than was held
        await db.owner.query("update payment_accounts set charges_type = $2, charges_value = $3 where id = $1", [
          account.id,
          paid.charges_type,
          paid.charges_value,
        ]);
        const { uuid, version, holder } = row;
        const confirmed = { amount: row.amount, holder };
        only(await act.approveWithdrawals(office.call(), body({ rows: [{ uuid, version, payment_account: account.id, confirmed }] })));
        expect((await office.credited(merchant, { amount })).status).toBe("approved");
        // the next one has an account of its own
        await db.owner.query("update payment_accounts set status = 'inactive' where id = $1", [account.id]);
      },
    ),
    { numRuns: 12 },
  );
  expect(await tooFine(office.tenant.id)).toEqual([]);
});
