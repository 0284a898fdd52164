import fc from "fast-check";
import { expect, test } from "vitest";
import { depositHandlers as act } from "../../../src/server/payments/deposits.ts";
import { expireDue, freeLapsedClaims } from "../../../src/server/payments/lapses.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase({ pool: 8, patient: true });

type Who = "ann" | "ben";
const other = (who: Who): Who => (who === "ann" ? "ben" : "ann");

/** What a deposit must be; amounts in whole units that a rate of 1.5 % divides. */
interface Item {
  readonly uuid: string;
  readonly manual: boolean;
  version: number;
  status: "pending" | "process" | "approved" | "rejected" | "expired";
  amount: number;
  asked: number | null;
  claim: Who | null;
  first: Who | null;
}
interface Model {
  readonly items: Item[];
}
interface Real {
  readonly office: Office;
  readonly merchant: Awaited<ReturnType<typeof makeMerchant>>;
  readonly account: Awaited<ReturnType<typeof makeAccount>>;
}
type Command = fc.AsyncCommand<Model, Real>;

const claimLimit = 2;
const tierOf = ({ manual }: Item, amount: number) => (manual || amount >= 5000 ? 3 : amount >= 1000 ? 2 : 1);
const claimsOf = ({ items }: Model, who: Who) => items.filter(({ claim }) => claim === who).length;
const restored = (item: Item): Partial<Item> => (item.asked === null ? {} : { amount: item.asked, asked: null });
const text = (amount: number) => amount.toFixed(2);

/** What an act must answer: what it changes, or the code of its refusal. */
type Verdict = Partial<Item> | string;

function claimVerdict(model: Model, item: Item, who: Who): Verdict {
  if (item.status !== "process") return item.status === "pending" ? "deposit.not-process" : "deposit.not-open";
  if (item.claim === other(who)) return "deposit.claimed";
  if (item.claim === who) return {};
  if (item.first !== null) return "deposit.second-needed";
  return claimsOf(model, who) >= claimLimit ? "deposit.claim-limit" : { claim: who };
}

const isDecided = ({ status }: Item) => status !== "pending" && status !== "process";

function approveVerdict(item: Item, who: Who, arrived: number): Verdict {
  if (isDecided(item)) return "transaction.already-decided";
  if (item.status !== "process") return "deposit.not-process";
  if (item.first !== null) return "deposit.second-needed";
  if (item.claim === null) return "deposit.not-claimed";
  if (item.claim !== who) return "deposit.claimed";
  const asked = arrived === item.amount ? null : item.amount;
  const amounts = { amount: arrived, asked, claim: null };
  return tierOf(item, arrived) === 3 ? { ...amounts, first: who } : { ...amounts, status: "approved" };
}

function secondVerdict(item: Item, who: Who): Verdict | null {
  if (isDecided(item)) return "transaction.already-decided";
  if (item.status !== "process" || item.first === null) return "deposit.second-not-awaited";
  return item.first === who ? "deposit.second-same-person" : null;
}

const rejectVerdict = (item: Item, who: Who): Verdict => {
  if (item.claim === other(who)) return "deposit.claimed";
  return isDecided(item) ? "transaction.already-decided" : { status: "rejected", claim: null, ...restored(item) };
};

function recallVerdict(model: Model, item: Item, who: Who): Verdict {
  if (item.status !== "approved") return "deposit.not-approved";
  const claim = claimsOf(model, who) >= claimLimit ? null : who;
  return { status: "process", first: null, claim, ...restored(item) };
}

/** Acts on the item at a place, as one of the two; what happens must be what `verdict` says. */
function acting(
  name: string,
  [at, who]: readonly [number, Who],
  verdict: (model: Model, item: Item) => Verdict,
  send: (
    real: Real,
    item: Item,
  ) => Promise<{ data: { outcomes: readonly ({ done: true } | { done: false; problem: { code: string } })[] } }>,
): Command {
  const itemOf = ({ items }: Model) => items[at % Math.max(items.length, 1)];
  return {
    check: (model) => itemOf(model) !== undefined,
    async run(model, real) {
      const item = itemOf(model);
      if (!item) return;
      const wanted = verdict(model, item);
      const outcome = only(await send(real, item));
      if (typeof wanted === "string") expect(outcome).toMatchObject({ done: false, problem: { code: wanted } });
      else {
        expect(outcome).toMatchObject({ done: true });
        Object.assign(item, wanted);
      }
      await compare(model, real);
    },
    toString: () => `${who} ${name} #${at}`,
  };
}

const rowsOf = ({ uuid, version }: Item) => ({ rows: [{ uuid, version }] });
const callOf = ({ office }: Real, who: Who) => office.call(office[who]);

function created(amount: number, manual: boolean): Command {
  return {
    check: () => true,
    async run({ items, ...model }, real) {
      const { office, merchant, account } = real;
      const member = `M${items.length}`;
      const blank = { manual, version: 1, amount, asked: null, claim: null, first: null };
      if (manual) {
        const form = { merchant: merchant.id, payment_account: account.id, amount: text(amount), member, customer_name: "Tan Wei Ming" };
        const { data } = await act.createManualDeposit(office.call(), body(form));
        items.push({ ...blank, uuid: data.uuid, status: "process" });
      } else {
        const { id } = await office.deposit(merchant, { amount: text(amount), member });
        items.push({ ...blank, uuid: id, status: "pending" });
      }
      await compare({ items, ...model }, real);
    },
    toString: () => `${manual ? "by hand" : "a merchant asks"} ${amount}`,
  };
}

/** The clock: what waited too long expires, every lease lapses. */
const overdue: Command = {
  check: () => true,
  async run(model, real) {
    const { deps, tenant } = real.office;
    await db.owner.query("update transactions set expires_at = now() where tenant_id = $1 and status = 'pending'", [tenant.id]);
    await db.owner.query("update transactions set claim_until = now() where tenant_id = $1 and claim_until is not null", [tenant.id]);
    await expireDue(deps, tenant.id, 1000);
    await freeLapsedClaims(deps, tenant.id, 1000);
    for (const item of model.items) {
      item.claim = null;
      if (item.status === "pending") item.status = "expired";
    }
    await compare(model, real);
  },
  toString: () => "time passes",
};

/** The whole state: each deposit, the money of the wallet and the account, and what counts against the account's limits. */
async function compare({ items }: Model, { office, merchant, account }: Real): Promise<void> {
  const { rows } = await db.owner.query<
    Omit<Item, "manual" | "claim" | "first"> & { claimed_by: string | null; first_approved_by: string | null }
  >(
    `select id as uuid, version, status, amount::float8 as amount, asked_amount::float8 as asked, claimed_by, first_approved_by
      from transactions where tenant_id = $1`,
    [office.tenant.id],
  );
  const who = (id: string | null): Who | null => (id === null ? null : id === office.ann.id ? "ann" : "ben");
  const found = new Map(
    rows.map(({ uuid, version, status, amount, asked, claimed_by, first_approved_by }) => [
      uuid,
      { version, status, amount, asked, claim: who(claimed_by), first: status === "process" ? who(first_approved_by) : null },
    ]),
  );
  for (const item of items) {
    const is = found.get(item.uuid);
    item.version = is?.version ?? 0;
    const { version, status, amount, asked, claim, first } = item;
    expect(is).toEqual({ version, status, amount, asked, claim, first: status === "process" ? first : null });
  }
  const credited = items.filter(({ status }) => status === "approved").reduce((sum, { amount }) => sum + amount, 0);
  expect(await office.balance("payment-account", account.id)).toBe(text(credited));
  expect(await office.balance("wallet", merchant.id)).toBe(text(credited * 0.985));
  const counted = items.filter(({ status }) => status !== "rejected" && status !== "expired").reduce((sum, { amount }) => sum + amount, 0);
  const use = await db.owner.query<{ used: number }>(
    "select coalesce(sum(used), 0)::float8 as used from limit_usage where payment_account_id = $1 and period = 'month'",
    [account.id],
  );
  expect(use.rows[0]?.used).toBe(counted);
}

const whom = fc.tuple(fc.nat(9), fc.constantFrom<Who>("ann", "ben"));
const amounts = fc.constantFrom(200, 400, 1000, 6000);
const reason = { code: "duplicate" };

const commands = [
  fc.tuple(amounts, fc.boolean()).map(([amount, manual]) => created(amount, manual)),
  whom.map((at) =>
    acting(
      "processes",
      at,
      (_, item) =>
        isDecided(item) ? "transaction.already-decided" : item.status === "pending" ? { status: "process" } : "deposit.not-pending",
      (real, item) => act.processDeposits(callOf(real, at[1]), body(rowsOf(item))),
    ),
  ),
  whom.map((at) =>
    acting(
      "claims",
      at,
      (model, item) => claimVerdict(model, item, at[1]),
      (real, item) => act.claimDeposits(callOf(real, at[1]), body(rowsOf(item))),
    ),
  ),
  whom.map((at) =>
    acting(
      "releases",
      at,
      (_, item) => (item.status !== "process" ? "deposit.not-process" : item.claim === at[1] ? { claim: null } : "deposit.not-claimed"),
      (real, item) => act.releaseDeposits(callOf(real, at[1]), body(rowsOf(item))),
    ),
  ),
  fc.tuple(whom, fc.option(amounts)).map(([at, arrived]) =>
    acting(
      `approves ${arrived ?? ""}`,
      at,
      (_, item) => approveVerdict(item, at[1], arrived ?? item.amount),
      (real, item) => {
        const amount = text(arrived ?? item.amount);
        const confirmed = { amount, payer: "Tan Wei Ming" };
        const row = { uuid: item.uuid, version: item.version, amount, reason: "arrived so", confirmed };
        return act.approveDeposits(callOf(real, at[1]), body({ rows: [row] }));
      },
    ),
  ),
  whom.map((at) =>
    acting(
      "approves second",
      at,
      (_, item) => secondVerdict(item, at[1]) ?? { status: "approved" },
      (real, item) => {
        const confirmed = { amount: text(item.amount), payer: "Tan Wei Ming" };
        return act.secondApproveDeposits(callOf(real, at[1]), body({ rows: [{ uuid: item.uuid, version: item.version, confirmed }] }));
      },
    ),
  ),
  whom.map((at) =>
    acting(
      "hands back",
      at,
      (_, item) => secondVerdict(item, at[1]) ?? { first: null, ...restored(item) },
      (real, item) => act.handBackDeposits(callOf(real, at[1]), body({ ...rowsOf(item), reason: "look again" })),
    ),
  ),
  whom.map((at) =>
    acting(
      "rejects",
      at,
      (_, item) => rejectVerdict(item, at[1]),
      (real, item) => act.rejectDeposits(callOf(real, at[1]), body({ ...rowsOf(item), reason })),
    ),
  ),
  whom.map((at) =>
    acting(
      "recalls",
      at,
      (model, item) => recallVerdict(model, item, at[1]),
      (real, item) => act.recallDeposits(callOf(real, at[1]), body(rowsOf(item))),
    ),
  ),
  whom.map((at) =>
    acting(
      "reopens",
      at,
      (_, item) => (item.status === "expired" ? { status: "process" } : "deposit.not-expired"),
      (real, item) => act.reopenDeposits(callOf(real, at[1]), body({ ...rowsOf(item), reason: "late money" })),
    ),
  ),
  fc.constant(overdue),
];

test("random acts on deposits do what a small model says, and the books agree after each", { timeout: 3_600_000 }, async () => {
  const { numRuns, maxCommands } = long({ share: { numRuns: 8, maxCommands: 30 }, whole: { numRuns: 1000, maxCommands: 60 } });
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands, size: "max" }), async (sequence) => {
      const settings = { tiers: { MYR: { confirm_from: "1000.00", second_from: "5000.00" } }, recall_seconds: 60, claim_limit: claimLimit };
      const office = await makeOffice(db, { settings });
      const merchant = await makeMerchant(db, office.tenant, { deposit_rate: "1.5" });
      const account = await makeAccount(db, office.tenant, { balance: "0" });
      await makeGroup(db, office.tenant, [account], [merchant]);
      await fc.asyncModelRun(() => ({ model: { items: [] }, real: { office, merchant, account } }), sequence);
    }),
    { numRuns },
  );
});
