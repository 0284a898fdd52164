import { expect, test } from "vitest";
import type { Deposit } from "../../../src/contract/deposits.ts";
import { depositHandlers as act } from "../../../src/server/payments/deposits.ts";
import { freeLapsedClaims } from "../../../src/server/payments/lapses.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant, makePerson } from "../../support/factories.ts";
import { body, done, makeOffice, only, rejections } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase({ pool: 24, patient: true });

async function scene(settings: Record<string, unknown> = {}) {
  const office = await makeOffice(db, { settings });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "100000" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant, { balance: "0" })], [merchant]);
  const paid = async (count: number): Promise<Deposit[]> => {
    const rows = [];
    for (let n = 0; n < count; n++) rows.push(await office.paid(merchant, { member: `M${n}` }));
    return rows;
  };
  return { office, merchant, paid };
}
const next = async (office: Office, person = office.ann, skip: string[] = []) =>
  (await act.takeNextDeposit(office.call(person), body({ skip }))).data.row;
type Act = "claimDeposits" | "releaseDeposits" | "deferDeposits" | "takeOverDeposits";
const on = async (what: Act, office: Office, { uuid, version }: Deposit, person = office.ann) =>
  only(await act[what](office.call(person), body({ rows: [{ uuid, version }] })));

test("take next claims the oldest paid deposit, which stays in process; one that waits for its customer is nobody's work", async () => {
  const { office, merchant, paid } = await scene();
  const pending = await office.deposit(merchant);
  const [first, second] = await paid(2);
  const { data } = await act.takeNextDeposit(office.call(), body({ skip: [] }));
  expect(data.row).toMatchObject({ uuid: first?.uuid, status: "process", claim: { name: "Ann Lim" }, processed_at: first?.processed_at });
  expect(data.history.map(({ act: what, from_status, to_status }) => [what, from_status, to_status])).toEqual([
    ["create", null, "pending"],
    ["process", "pending", "process"],
    ["claim", "process", "process"],
  ]);
  expect((await next(office, office.ben)).uuid).toBe(second?.uuid);
  await expect(next(office)).rejects.toMatchObject({ code: "deposit.none-free" });
  const claim = only(await act.claimDeposits(office.call(), body({ rows: [{ uuid: pending.id, version: 1 }] })));
  expect(claim).toMatchObject({ problem: { code: "deposit.not-process" } });
});

test("operators who press take next together never get the same deposit", async () => {
  const { office, paid } = await scene();
  const rows = await paid(12);
  const people = await Promise.all(Array.from({ length: 6 }, () => makePerson(db, office.tenant)));
  const taken = await Promise.all(people.flatMap((person) => [1, 2].map(() => next(office, person))));
  expect(taken.map(({ uuid }) => uuid).sort()).toEqual(rows.map(({ uuid }) => uuid).sort());
});

test("deposits and withdrawals count against one limit of open claims", async () => {
  const { office, merchant, paid } = await scene({ claim_limit: 2 });
  const [first, second] = await paid(2);
  await office.claimed(merchant);
  const taken = await Promise.allSettled([next(office), next(office)]);
  expect(rejections(taken)).toEqual(["deposit.claim-limit"]);
  const { id, version } = await office.withdraw(merchant);
  const more = only(await withdrawalHandlers.claimWithdrawals(office.call(), body({ rows: [{ uuid: id, version }] })));
  expect(more).toMatchObject({ problem: { code: "withdrawal.claim-limit", data: { open: 2, limit: 2 } } });
  expect([first?.uuid, second?.uuid]).toContain((await next(office, office.ben)).uuid);
});

test("two claim the same deposit: one gets it, the other learns who; a stranger to the claim cannot release it", async () => {
  const { office, paid } = await scene();
  const [row] = await paid(1);
  if (!row) throw new Error("a deposit was made");
  const claims = await Promise.all([office.ann, office.ben].map((person) => on("claimDeposits", office, row, person)));
  const winner = claims.findIndex((claim) => claim.done);
  const [mine, other] = winner === 0 ? [office.ann, office.ben] : [office.ben, office.ann];
  expect(claims[1 - winner]).toMatchObject({ problem: { code: "deposit.claimed", data: { by: mine.name } } });
  const held = done(await on("claimDeposits", office, row, mine));
  expect(await on("releaseDeposits", office, held, other)).toMatchObject({ problem: { code: "deposit.not-claimed" } });
  expect(await on("deferDeposits", office, held, other)).toMatchObject({ problem: { code: "deposit.claimed" } });
  expect(await on("releaseDeposits", office, held, mine)).toMatchObject({ done: true, row: { status: "process", claim: null } });
});

test("a deferred deposit stays in process, skipped for its deferrer and for nobody else, and says until when", async () => {
  const { office, paid } = await scene();
  const [first, second] = await paid(2);
  const row = await next(office);
  const deferred = await on("deferDeposits", office, row);
  expect(deferred).toMatchObject({ done: true, row: { uuid: first?.uuid, status: "process", claim: null, deferred: { name: "Ann Lim" } } });
  expect((await next(office)).uuid).toBe(second?.uuid);
  await expect(next(office)).rejects.toMatchObject({ code: "deposit.none-free" });
  expect(await next(office, office.ben)).toMatchObject({ uuid: first?.uuid, deferred: null });
});

test("a lapsed lease frees the deposit where it stands, once, however many processes sweep", async () => {
  const { office, paid } = await scene();
  await paid(1);
  const { uuid } = await next(office);
  await db.owner.query("update transactions set claim_until = now() - interval '1 second' where id = $1", [uuid]);
  const freed = (await Promise.all([1, 2, 3].map(() => freeLapsedClaims(office.deps, office.tenant.id, 100)))).flat();
  expect(freed).toEqual([uuid]);
  const { rows } = await db.owner.query(
    "select act, from_status, to_status from transaction_events where transaction_id = $1 order by n desc limit 1",
    [uuid],
  );
  expect(rows).toEqual([{ act: "lapse", from_status: "process", to_status: "process" }]);
  expect((await next(office, office.ben)).uuid).toBe(uuid);
});

test("a take-over is the new holder's, and the lease of the other is reported lost", async () => {
  const { office, paid } = await scene();
  await paid(2);
  const [kept, lost] = [await next(office), await next(office)];
  expect(await on("takeOverDeposits", office, lost, office.ben)).toMatchObject({ done: true, row: { claim: { name: "Ben Ooi" } } });
  const { data } = await act.renewDepositClaims(office.call(), body({ uuids: [kept.uuid, lost.uuid] }));
  expect(data).toMatchObject({ held: [{ uuid: kept.uuid }], lost: [lost.uuid] });
});

test("the views hold what they say, and count it", async () => {
  const { office, merchant, paid } = await scene({ tiers: { MYR: { confirm_from: "100.00", second_from: "500.00" } } });
  const waiting = await office.deposit(merchant, { member: "W" });
  const [free] = await paid(1);
  const mine = await office.taken(merchant, { member: "X", amount: "50.00" });
  const awaited = await office.taken(merchant, { member: "Y", amount: "500.00" }, office.ben);
  const confirmed = { amount: "500.00", payer: awaited.customer_name };
  const { uuid, version } = awaited;
  done(only(await act.approveDeposits(office.call(office.ben), body({ rows: [{ uuid, version, confirmed }] }))));
  const seen = async (view: "queue" | "mine" | "waiting" | "today" | "second" | "all") => {
    const query = { view, limit: 100, direction: "next" } as const;
    return (await act.listDeposits(office.call(), { query, params: undefined, body: undefined })).data.map((row) => row.uuid).sort();
  };
  const sorted = (...uuids: (string | undefined)[]) => uuids.toSorted();
  expect(await seen("queue")).toEqual(sorted(free?.uuid, mine.uuid, uuid));
  expect(await seen("mine")).toEqual([mine.uuid]);
  expect(await seen("waiting")).toEqual([waiting.id]);
  expect(await seen("second")).toEqual([uuid]);
  expect(await seen("today")).toEqual(sorted(waiting.id, free?.uuid, mine.uuid, uuid));
  expect(await seen("all")).toEqual(await seen("today"));
  const { data } = await act.countDeposits(office.call(), { query: undefined, params: undefined, body: undefined });
  expect(data).toEqual({ queue: 3, mine: 1, waiting: 1, late: 0, today: 4, second: 1 });
});
