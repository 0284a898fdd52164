import { expect, test } from "vitest";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { expireDue, freeLapsedClaims } from "../../../src/server/payments/lapses.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeMerchant, makePerson } from "../../support/factories.ts";
import { body, makeOffice, only, rejections } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase({ pool: 24, patient: true });

const ref = ({ uuid, version }: Withdrawal) => ({ uuid, version });
const next = async (office: Office, person = office.ann, skip: string[] = []) =>
  (await act.takeNextWithdrawal(office.call(person), body({ skip }))).data.row;
type Act = "releaseWithdrawals" | "takeOverWithdrawals" | "deferWithdrawals" | "claimWithdrawals";
const on = async (what: Act, office: Office, row: Withdrawal, person = office.ann) =>
  only(await act[what](office.call(person), body({ rows: [ref(row)] })));

async function queue(office: Office, length: number): Promise<string[]> {
  const merchant = await makeMerchant(db, office.tenant, { wallet: "100000" });
  const uuids = [];
  for (let n = 0; n < length; n++) uuids.push((await office.withdraw(merchant, { account_number: `9${n}000`, amount: `${10 + n}.00` })).id);
  return uuids;
}

test("take next claims the oldest free one, and the answer is its whole record", async () => {
  const office = await makeOffice(db);
  const uuids = await queue(office, 3);
  const { data } = await act.takeNextWithdrawal(office.call(), body({ skip: [] }));
  expect(data.row).toMatchObject({ uuid: uuids[0], status: "process", claim: { name: "Ann Lim", user: office.ann.id } });
  expect(Date.parse(data.row.claim?.until ?? "") - Date.parse(data.row.claim?.since ?? "")).toBe(90_000);
  expect(data.history.map(({ act: what, by }) => [what, by])).toEqual([
    ["create", expect.stringMatching(/^Merchant/)],
    ["claim", "Ann Lim"],
  ]);
  expect((await next(office, office.ann, [uuids[1] ?? ""])).uuid).toBe(uuids[2]);
});

test("a deferred one stands in the work list where its time is, says whose and until when, and comes back to its place when claimed", async () => {
  const office = await makeOffice(db);
  const uuids = await queue(office, 3);
  const list = async () =>
    (
      await act.listWithdrawals(office.call(), {
        query: { view: "queue", limit: 2, direction: "next" },
        params: undefined,
        body: undefined,
      })
    ).data;
  const second = async () => {
    const { meta } = await act.listWithdrawals(office.call(), {
      query: { view: "queue", limit: 2, direction: "next" },
      params: undefined,
      body: undefined,
    });
    const query = { view: "queue", limit: 2, direction: "next", cursor: meta.next ?? "" } as const;
    return (await act.listWithdrawals(office.call(), { query, params: undefined, body: undefined })).data;
  };
  const first = await next(office);
  expect(first).toMatchObject({ uuid: uuids[0], deferred: null, due_at: first.created_at });
  const deferred = await on("deferWithdrawals", office, first);
  if (!deferred.done) throw new Error("one's own is deferred");
  expect(deferred.row.deferred).toMatchObject({ user: office.ann.id, name: "Ann Lim" });
  expect(Date.parse(deferred.row.deferred?.until ?? "") - Date.parse(deferred.row.last_action_at)).toBe(600_000);
  expect((await list()).map(({ uuid }) => uuid)).toEqual([uuids[1], uuids[2]]);
  expect(await second()).toMatchObject([{ uuid: uuids[0], deferred: { name: "Ann Lim" }, due_at: deferred.row.deferred?.until }]);
  expect(await next(office, office.ben)).toMatchObject({ uuid: uuids[0], deferred: null, due_at: first.created_at });
  expect((await list())[0]?.uuid).toBe(uuids[0]);
});

test("operators who press take next together never get the same one, and none is left over", async () => {
  const office = await makeOffice(db);
  const uuids = await queue(office, 24);
  const people = await Promise.all(Array.from({ length: 8 }, () => makePerson(db, office.tenant)));
  const taken = await Promise.all(people.flatMap((person) => [1, 2, 3].map(() => next(office, person))));
  expect(taken.map(({ uuid }) => uuid).sort()).toEqual(uuids.sort());
  await expect(next(office)).rejects.toMatchObject({ code: "withdrawal.none-free" });
});

test("nobody holds more than the tenant's limit, whichever way they claim", async () => {
  const office = await makeOffice(db, { settings: { claim_limit: 3 } });
  const uuids = await queue(office, 8);
  const taken = await Promise.allSettled(Array.from({ length: 6 }, () => next(office)));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(rejections(taken)).toEqual(Array(3).fill("withdrawal.claim-limit"));
  const claim = only(await act.claimWithdrawals(office.call(), body({ rows: [{ uuid: uuids[7] ?? "", version: 1 }] })));
  expect(claim).toMatchObject({ problem: { code: "withdrawal.claim-limit", data: { open: 3, limit: 3 } } });
  const bens = await next(office, office.ben);
  expect(await on("takeOverWithdrawals", office, bens)).toMatchObject({ problem: { code: "withdrawal.claim-limit" } });
});

test("two operators claim the same withdrawal: one gets it, the other is refused with the name of the first", async () => {
  const office = await makeOffice(db);
  const [uuid = ""] = await queue(office, 1);
  const claims = await Promise.all(
    [office.ann, office.ben].map(async (person) =>
      only(await act.claimWithdrawals(office.call(person), body({ rows: [{ uuid, version: 1 }] }))),
    ),
  );
  const winner = claims.findIndex(({ done }) => done);
  expect(claims[1 - winner]).toMatchObject({ problem: { code: "withdrawal.claimed", data: { by: ["Ann Lim", "Ben Ooi"][winner] } } });
  // a repeated claim changes nothing
  const again = only(
    await act.claimWithdrawals(office.call(winner === 0 ? office.ann : office.ben), body({ rows: [{ uuid, version: 1 }] })),
  );
  expect(again).toMatchObject({ done: true, row: { version: 2 } });
});

test("a released item is free again and marked as returned; who does not hold it cannot release it", async () => {
  const office = await makeOffice(db);
  await queue(office, 1);
  const row = await next(office);
  expect(await on("releaseWithdrawals", office, row, office.ben)).toMatchObject({ problem: { code: "withdrawal.not-claimed" } });
  const released = await on("releaseWithdrawals", office, row);
  expect(released).toMatchObject({ done: true, row: { status: "pending", claim: null, flags: expect.arrayContaining(["returned"]) } });
  expect(await on("releaseWithdrawals", office, row)).toMatchObject({ problem: { code: "withdrawal.not-process" } });
  expect((await next(office, office.ben)).uuid).toBe(row.uuid);
});

test("a deferred item is skipped for its deferrer, and for nobody else", async () => {
  const office = await makeOffice(db);
  const [first, second] = await queue(office, 2);
  const row = await next(office);
  expect(await on("deferWithdrawals", office, row, office.ben)).toMatchObject({ problem: { code: "withdrawal.claimed" } });
  expect(await on("deferWithdrawals", office, row)).toMatchObject({ done: true, row: { uuid: first, status: "pending", claim: null } });
  expect((await next(office)).uuid).toBe(second);
  await expect(next(office)).rejects.toMatchObject({ code: "withdrawal.none-free" });
  expect((await next(office, office.ben)).uuid).toBe(first);
});

test("why one was put off is told while it is, claimed before or free, is on record, and goes with the next claim", async () => {
  const office = await makeOffice(db);
  await queue(office, 2);
  const held = await next(office);
  const list = async () =>
    (
      await act.listWithdrawals(office.call(), {
        query: { view: "queue", limit: 9, direction: "next" },
        params: undefined,
        body: undefined,
      })
    ).data;
  const free = (await list()).find(({ uuid }) => uuid !== held.uuid) ?? held;
  const reason = "Its bank calls back at five";
  const put = (await act.deferWithdrawals(office.call(), body({ rows: [held, free].map(ref), reason }))).data.outcomes;
  expect(put.map((one) => one.done && one.row.deferred?.reason)).toEqual([reason, reason]);
  expect((await list()).map(({ deferred }) => deferred?.reason)).toEqual([reason, reason]);
  const { rows } = await db.owner.query("select reason from audit_entries where reason = $1 and entity_id = any($2)", [
    reason,
    [held.uuid, free.uuid],
  ]);
  expect(rows).toHaveLength(2);
  const taken = await next(office, office.ben);
  expect(await on("deferWithdrawals", office, taken, office.ben)).toMatchObject({ done: true, row: { deferred: { reason: null } } });
});

test("a take-over is the new holder's, with its reason on record", async () => {
  const office = await makeOffice(db);
  await queue(office, 1);
  const row = await next(office);
  const taken = only(await act.takeOverWithdrawals(office.call(office.ben), body({ rows: [ref(row)], reason: "Ann has left" })));
  expect(taken).toMatchObject({ done: true, row: { claim: { name: "Ben Ooi" } } });
  const { rows } = await db.owner.query(
    "select reason, actor_name, before ->> 'claimed_by' as before from audit_entries where entity_id = $1 and act = 'withdrawal.take-over'",
    [row.uuid],
  );
  expect(rows).toEqual([{ reason: "Ann has left", actor_name: "Ben Ooi", before: office.ann.id }]);
});

test("a lease is prolonged without changing the row; one that was lost is reported", async () => {
  const office = await makeOffice(db);
  await queue(office, 2);
  const [kept, lost] = [await next(office), await next(office)];
  await on("takeOverWithdrawals", office, lost, office.ben);
  await db.owner.query("update transactions set claim_until = now() + interval '40 seconds' where id = $1", [kept.uuid]);
  const asked = Date.now();
  const { data } = await act.renewWithdrawalClaims(office.call(), body({ uuids: [kept.uuid, lost.uuid] }));
  expect(data.lost).toEqual([lost.uuid]);
  expect(data.held.map(({ uuid }) => uuid)).toEqual([kept.uuid]);
  expect(Date.parse(data.held[0]?.until ?? "") - asked).toBeGreaterThan(60_000);
  const read = await act.readWithdrawal(office.call(), { params: { uuid: kept.uuid }, query: undefined, body: undefined });
  expect(read.data.row.version).toBe(kept.version);
});

test("a lapsed lease frees the item by itself, once, however many processes sweep", async () => {
  const office = await makeOffice(db);
  await queue(office, 3);
  const rows = [await next(office), await next(office), await next(office)];
  await db.owner.query("update transactions set claim_until = now() - interval '1 second' where id = any($1)", [
    rows.slice(0, 2).map(({ uuid }) => uuid),
  ]);
  const freed = (await Promise.all([1, 2, 3].map(() => freeLapsedClaims(office.deps, office.tenant.id, 100)))).flat();
  expect(freed.sort()).toEqual(
    rows
      .slice(0, 2)
      .map(({ uuid }) => uuid)
      .sort(),
  );
  const { rows: events } = await db.owner.query(
    "select act, to_status, actor from transaction_events where transaction_id = $1 order by n desc limit 1",
    [rows[0]?.uuid],
  );
  expect(events).toEqual([{ act: "lapse", to_status: "pending", actor: "system" }]);
  expect((await next(office, office.ben)).uuid).toBe(rows[0]?.uuid);
});

test("a withdrawal nobody took in time expires, and its hold returns", async () => {
  const office = await makeOffice(db, { settings: { withdrawal_expiry_hours: 1 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "1" });
  const [due, held] = [await office.withdraw(merchant, { amount: "100.00" }), await office.claimed(merchant, { amount: "200.00" })];
  await db.owner.query("update transactions set expires_at = now() where tenant_id = $1", [office.tenant.id]);
  const expired = (await Promise.all([1, 2].map(() => expireDue(office.deps, office.tenant.id, 100)))).flat();
  expect(expired).toEqual([due.id]);
  expect([await office.balance("wallet", merchant.id), await office.balance("hold", merchant.id)]).toEqual(["798.00", "202.00"]);
  const { rows } = await db.owner.query(
    "select body::jsonb ->> 'type' as type, next_attempt_at <= now() as due from outbox where transaction_id = $1",
    [due.id],
  );
  expect(rows).toEqual([{ type: "withdrawal.expired", due: true }]);
  expect(await on("claimWithdrawals", office, { ...held, uuid: due.id, version: 2 })).toMatchObject({
    problem: { code: "withdrawal.not-open", data: { by: "system", status: "expired" } },
  });
});
