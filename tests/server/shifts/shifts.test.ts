import { beforeAll, expect, test } from "vitest";
import { shiftHandlers as act } from "../../../src/server/shifts/shifts.ts";
import { notificationHandlers } from "../../../src/server/payments/notifications.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import type { Merchant, Person } from "../../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let shop: Merchant;
const none = { params: undefined, query: undefined, body: undefined };
const shift = async (person: Person) => (await act.readShift(office.call(person), none)).data;
const left = async (person: Person) => (await act.listHandOvers(office.call(person), none)).data;
const unread = async (person: Person) =>
  (await notificationHandlers.readNotificationDetails(office.call(person), none)).data.unreadHandOverCount;

beforeAll(async () => {
  office = await makeOffice(db, { settings: { recall_seconds: 60 } });
  shop = await makeMerchant(db, office.tenant, { wallet: "10000" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant, { balance: "50000" })], [shop]);
});

test("a shift is what was decided net of recalls, what is held and what was put off; handed over, it is let go and left to the others", async () => {
  const approve = async (amount: string) => {
    const { uuid, version, holder } = await office.claimed(shop, { amount });
    return done(
      only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [{ uuid, version, confirmed: { amount, holder } }] }))),
    );
  };
  await approve("100.00");
  const recalled = await approve("40.00");
  done(
    only(await withdrawalHandlers.recallWithdrawals(office.call(), body({ rows: [{ uuid: recalled.uuid, version: recalled.version }] }))),
  );
  const rejected = await office.claimed(shop, { amount: "30.00" });
  const reason = { code: "other", text: "Wrong bank" };
  done(
    only(
      await withdrawalHandlers.rejectWithdrawals(
        office.call(),
        body({ rows: [{ uuid: rejected.uuid, version: rejected.version }], reason }),
      ),
    ),
  );
  const held = await office.claimed(shop, { amount: "70.00" });
  const put = await office.claimed(shop, { amount: "20.00" });
  done(
    only(
      await withdrawalHandlers.deferWithdrawals(
        office.call(),
        body({ rows: [{ uuid: put.uuid, version: put.version }], reason: "Its bank calls back" }),
      ),
    ),
  );
  const others = await office.claimed(shop, { amount: "55.00" }, office.ben);

  const before = await shift(office.ann);
  expect(before.decided).toEqual([
    { kind: "withdrawal", outcome: "approved", currency: "MYR", count: 1, amount: "100.00" },
    { kind: "withdrawal", outcome: "rejected", currency: "MYR", count: 1, amount: "30.00" },
  ]);
  // what was recalled is in hand again
  expect(before.held.map(({ uuid }) => uuid)).toEqual(expect.arrayContaining([held.uuid, recalled.uuid]));
  expect(before.deferred.map(({ uuid, amount, reason: why }) => [uuid, amount, why])).toEqual([[put.uuid, "20.00", "Its bank calls back"]]);

  const { data: made } = await act.handOver(office.call(), body({ note: "Two wait for their bank" }));
  expect(made).toMatchObject({ note: "Two wait for their bank", by: { name: "Ann Lim" }, shift: { decided: before.decided } });
  expect(made.shift.held).toHaveLength(2);
  const claims = await db.owner.query("select claimed_by from transactions where tenant_id = $1 and claimed_by is not null", [
    office.tenant.id,
  ]);
  expect(claims.rows).toEqual([{ claimed_by: office.ben.id }]);
  // the next shift begins where this one ended
  expect(await shift(office.ann)).toMatchObject({ decided: [], held: [] });

  // it is told to the others until they have seen it, and never to oneself
  expect([await unread(office.ann), await unread(office.ben)]).toEqual([0, 1]);
  expect(await left(office.ann)).toEqual([]);
  const [one] = await left(office.ben);
  expect(one).toMatchObject({ uuid: made.uuid, read: false });
  await act.readHandOvers(office.call(office.ben), body({ uuids: [made.uuid] }));
  await act.readHandOvers(office.call(office.ben), body({ uuids: [made.uuid] }));
  expect(await unread(office.ben)).toBe(0);
  expect((await left(office.ben))[0]).toMatchObject({ uuid: made.uuid, read: true });
  expect((await shift(office.ben)).held.map(({ uuid }) => uuid)).toEqual([others.uuid]);
});

test("a decision another recalls is taken from whoever made it, and counts against nobody", async () => {
  const here = await makeOffice(db, { settings: { recall_seconds: 60 } });
  const wallet = await makeMerchant(db, here.tenant, { wallet: "10000" });
  await makeGroup(db, here.tenant, [await makeAccount(db, here.tenant, { balance: "50000" })], [wallet]);
  const { uuid, version, holder, amount } = await here.claimed(wallet, { amount: "60.00" });
  const row = done(
    only(await withdrawalHandlers.approveWithdrawals(here.call(), body({ rows: [{ uuid, version, confirmed: { amount, holder } }] }))),
  );
  done(only(await withdrawalHandlers.recallWithdrawals(here.call(here.ben), body({ rows: [{ uuid, version: row.version }] }))));
  const decided = async (person: Person) => (await act.readShift(here.call(person), none)).data.decided;
  expect([await decided(here.ann), await decided(here.ben)]).toEqual([[], []]);
});

test("whoever may not see withdrawals is told of none in what others left", async () => {
  const here = await makeOffice(db);
  const wallet = await makeMerchant(db, here.tenant, { wallet: "10000" });
  await here.claimed(wallet, { amount: "60.00" });
  await act.handOver(here.call(), body({ note: "One waits" }));
  const told = async (permissions: readonly string[]) => {
    const call = here.call(here.ben);
    const seen = { ...call, caller: { ...call.caller, permissions: new Set(permissions) } } as typeof call;
    const [one] = (await act.listHandOvers(seen, none)).data;
    return [one?.note, one?.shift.held.length];
  };
  expect(await told(["pas.transaction.deposits.view"])).toEqual(["One waits", 0]);
  expect(await told(["pas.transaction.withdrawals.view"])).toEqual(["One waits", 1]);
});

test("sent again under its key, a hand-over leaves one note and lets go of what is held", async () => {
  const sent = (key: string) => act.handOver(office.call(office.ben, { key }), body({ note: "Once" }));
  await office.claimed(shop, { amount: "11.00" }, office.ben);
  const { data: first } = await sent("hand-over-1");
  // what is claimed between the two stands for what the first could not let go of
  await office.claimed(shop, { amount: "12.00" }, office.ben);
  const { data: again } = await sent("hand-over-1");
  expect(again).toEqual(first);
  expect((await left(office.ann)).filter(({ note }) => note === "Once")).toHaveLength(1);
  expect((await shift(office.ben)).held).toEqual([]);
});

test("another tenant's hand-overs are neither listed nor marked", async () => {
  const { data: made } = await act.handOver(office.call(), body({ note: "" }));
  const other = await makeOffice(db);
  expect((await act.listHandOvers(other.call(), none)).data).toEqual([]);
  await act.readHandOvers(other.call(), body({ uuids: [made.uuid] }));
  const marks = await db.owner.query("select from hand_over_readers where hand_over_id = $1", [made.uuid]);
  expect(marks.rowCount).toBe(0);
});
