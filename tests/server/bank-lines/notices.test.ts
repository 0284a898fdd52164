import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bankNoticeRoutes, mostNotices } from "../../../src/contract/bank-notices.ts";
import { paymentAccountRoutes } from "../../../src/contract/payment-accounts.ts";
import type { SecretLife } from "../../../src/contract/secrets.ts";
import { paymentAccountHandlers } from "../../../src/server/accounts/payment-accounts.ts";
import { judgeArrived } from "../../../src/server/bank-lines/auto-match.ts";
import type { StaffCall } from "../../../src/server/call.ts";
import { literalSignatureOf, signRequest } from "../../../src/server/merchant-api/sign.ts";
import { lineOf } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Account } from "../../support/factories.ts";
import { ask, serve } from "../../support/http.ts";
import type { Asked, Served } from "../../support/http.ts";
import { makeForwarder, makeSigningMerchant } from "../../support/merchants.ts";
import type { Signer } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let served: Served;
let office: Office;
let account: Account;
let signer: Signer;
beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  office = await makeOffice(db, { settings: { auto_match: true } });
  account = await makeAccount(db, office.tenant);
  signer = await makeForwarder(db, served.deps, office.tenant, account);
});

const notice = { time: "2026-11-24T08:00:00.000Z", direction: "credit", amount: "120.00", counterparty: "TAN WEI MING" };
const send = (lines: readonly object[], asked: Partial<Asked> = {}) =>
  ask(served, "sendBankLines", { signedBy: signer, headers: { "idempotency-key": null }, body: { lines }, ...asked });
const stored = async () =>
  (
    await db.owner.query<{ account: string; amount: string; source: string; by: string | null; status: string }>(
      `select payment_account_id as account, amount::text, source, by_user as by, status from bank_lines where tenant_id = $1 order by amount`,
      [office.tenant.id],
    )
  ).rows;

describe("bank notices", () => {
  test("of a signed call become lines of the key's account, and who sent them is on record", async () => {
    const answer = await send([notice, { ...notice, amount: "130.00", balance: "-5.25", description: " FPX " }]);
    expect(answer).toMatchObject({ status: 200, data: { added: 2, known: 0 } });
    expect(served.published.at(-1)).toMatchObject({
      tenant: office.tenant.id,
      event: "bankLine",
      uuids: [expect.any(String), expect.any(String)],
    });
    const line = { account: account.id, source: "call", by: null, status: "unmatched" };
    expect(await stored()).toEqual([
      { ...line, amount: "120.0000" },
      { ...line, amount: "130.0000" },
    ]);
    const { rows } = await db.owner.query("select * from audit_entries where tenant_id = $1", [office.tenant.id]);
    expect(rows).toMatchObject([{ actor_kind: "system", act: "bank-line.receive", after: { payment_account: account.code, added: 2 } }]);
    expect(rows[0]).toMatchObject({ ip: "127.0.0.1" });
  });

  test("sent again add nothing: in another call, in the same call, with other blanks and cases", async () => {
    expect(await send([notice, notice])).toMatchObject({ data: { added: 1, known: 1 } });
    expect(await send([{ ...notice, counterparty: " tan  wei MING " }])).toMatchObject({ data: { added: 0, known: 1 } });
    expect(await send([{ ...notice, time: "2026-11-24T08:00:01.000Z" }])).toMatchObject({ data: { added: 1, known: 0 } });
    expect(await stored()).toHaveLength(2);
  });

  test("with the same idempotency key have one answer, and another content with it is refused", async () => {
    const keyed = { headers: { "idempotency-key": "notice-0001" } };
    for (const _ of [1, 2]) expect(await send([notice], keyed)).toMatchObject({ data: { added: 1, known: 0 } });
    expect(await send([{ ...notice, amount: "7" }], keyed)).toMatchObject({ code: "request.idempotency-mismatch" });
    expect(await stored()).toHaveLength(1);
  });

  test("are added whole or not at all, each fault at its line", async () => {
    const answer = await send([notice, { ...notice, amount: "0" }, { ...notice, time: "yesterday", direction: "in" }]);
    expect(answer).toMatchObject({ status: 422, code: "request.invalid" });
    expect(Object.keys(answer.data as object).toSorted()).toEqual(["lines.1.amount", "lines.2.direction", "lines.2.time"]);
    expect(await send([notice, { ...notice, amount: "1.005" }])).toMatchObject({
      code: "amount.too-precise",
      data: { "lines.1.amount": ["Must have at most 2 decimals"] },
    });
    expect(await send([])).toMatchObject({ code: "request.invalid" });
    const many = Array.from({ length: mostNotices + 1 }, (_, n) => ({ ...notice, amount: `${n + 1}.00` }));
    expect(await send(many)).toMatchObject({ code: "request.invalid" });
    expect(await stored()).toEqual([]);
    expect(await send(many.slice(1))).toMatchObject({ data: { added: mostNotices } });
  });

  test("get their turn at the matcher", async () => {
    const shop = await makeMerchant(db, office.tenant);
    await makeGroup(db, office.tenant, [account], [shop]);
    const deposit = await office.deposit(shop);
    const { time, direction, amount, counterparty, description } = lineOf(deposit);
    await send([{ time: time.toISOString(), direction, amount: Number(amount).toFixed(2), counterparty, description }]);
    await judgeArrived(office.deps, office.tenant.id, 10);
    expect(await stored()).toMatchObject([{ status: "matched" }]);
  });

  test("sent twice with one signature, too late, in an old form or by a merchant's key are refused", async () => {
    const path = bankNoticeRoutes.sendBankLines.path;
    const payload = JSON.stringify({ lines: [notice] });
    const request = { method: "POST", path, idempotencyKey: "", body: payload };
    const inject = async (headers: Record<string, string>) => {
      const answer = await served.app.inject({
        method: "POST",
        url: path,
        headers: { ...headers, "content-type": "application/json" },
        payload,
      });
      return answer.json<{ code?: string; data?: unknown }>();
    };
    const headers = signRequest(signer, request);
    expect(await inject(headers)).toMatchObject({ data: { added: 1 } });
    expect(await inject(headers)).toMatchObject({ code: "signature.replayed" });
    for (const minutes of [-6, 6])
      expect(await inject(signRequest(signer, request, new Date(Date.now() + minutes * 60_000)))).toMatchObject({
        code: "signature.stale",
      });
    const timestamp = headers["x-timestamp"];
    const old = { ...headers, "x-signature": `v2=${literalSignatureOf(signer.secret, timestamp, request)}` };
    expect(await inject(old)).toMatchObject({ code: "signature.invalid" });
    const merchant = await makeSigningMerchant(db, served.deps, office.tenant);
    expect(await inject(signRequest(merchant, request))).toMatchObject({ code: "signature.invalid" });
    expect(await stored()).toHaveLength(1);
  });

  test("are taken while the account is suspended, because its bank goes on booking", async () => {
    await db.owner.query("update payment_accounts set status = 'suspend' where id = $1", [account.id]);
    expect(await send([notice])).toMatchObject({ status: 200 });
  });
});

describe("the key for bank notices", () => {
  const read = async () =>
    (await db.owner.query<{ version: number }>("select version from payment_accounts where id = $1", [account.id])).rows[0]?.version ?? 0;
  const reset = async (old_secret: SecretLife, call: StaffCall = office.call(), version?: number) => {
    const sent = { params: { uuid: account.id }, query: undefined, body: { version: version ?? (await read()), old_secret } };
    return (await paymentAccountHandlers.resetNoticeKey(call, sent)).data;
  };
  const revoke = async () =>
    (
      await paymentAccountHandlers.revokeNoticeKey(office.call(), {
        params: { uuid: account.id },
        query: undefined,
        body: { version: await read() },
      })
    ).data;
  const taken = async (secret: string, apiKey: string) => (await send([notice], { signedBy: { apiKey, secret } })).code ?? "taken";

  test("is made with its first secret, renewed with the old one good for the chosen time, and revoked at once", async () => {
    account = await makeAccount(db, office.tenant);
    const first = await reset("now");
    const key = first.row.notice_key ?? "";
    expect(key).toMatch(/^[A-Z0-9]+_[\w-]{24}$/);
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const second = await reset("hour");
    expect(second.row.notice_key).toBe(key);
    expect([await taken(first.secret, key), await taken(second.secret, key)]).toEqual(["taken", "taken"]);
    await db.owner.query("update payment_accounts set previous_notice_secret_until = now() where id = $1", [account.id]);
    expect([await taken(first.secret, key), await taken(second.secret, key)]).toEqual(["signature.invalid", "taken"]);
    const third = await reset("now");
    expect([await taken(second.secret, key), await taken(third.secret, key)]).toEqual(["signature.invalid", "taken"]);
    expect(await revoke()).toMatchObject({ notice_key: null });
    expect(await taken(third.secret, key)).toBe("signature.invalid");
    await expect(revoke()).rejects.toMatchObject({ code: "not-found" });
    expect((await reset("now")).row.notice_key).not.toBe(key);
  });

  test("of an account another has changed meanwhile is left as it is", async () => {
    await expect(reset("now", office.call(), 99)).rejects.toMatchObject({ code: "record.stale" });
    expect(await taken(signer.secret, signer.apiKey)).toBe("taken");
  });

  test("asked for again because the answer was lost is the same; its secret stands nowhere in the clear", async () => {
    const version = await read();
    const call = () => office.call(office.ann, { key: "notice-key-1" });
    const first = await reset("day", call(), version);
    expect(await reset("day", call(), version)).toEqual(first);
    const { rows: audited } = await db.owner.query("select * from audit_entries where entity_id = $1", [account.id]);
    expect(audited).toMatchObject([{ act: "payment-account.reset-notice-key", actor_name: "Ann Lim", after: { old_secret: "day" } }]);
    const { rows: kept } = await db.owner.query<{ packed: Buffer }>("select packed from idempotency_keys where key = 'notice-key-1'");
    const { rows: own } = await db.owner.query("select * from payment_accounts where id = $1", [account.id]);
    const everything = [...kept.map(({ packed }) => brotliDecompressSync(packed).toString("utf8")), JSON.stringify([audited, own])].join(
      "\n",
    );
    for (const one of [first.secret, signer.secret]) {
      expect(everything).not.toContain(one.replace("whsec_", ""));
      expect(everything).not.toContain(Buffer.from(one).toString("base64").slice(0, 40));
    }
  });

  test("asks again who one is, and stands under its own right", () => {
    const guarded = { stepUp: true, permission: "pas.account.accounts.reset-credentials" };
    expect([paymentAccountRoutes.resetNoticeKey, paymentAccountRoutes.revokeNoticeKey]).toMatchObject([guarded, guarded]);
  });
});
