import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkInvariants, invariants } from "../../src/server/db/invariants.ts";
import type { Anchor } from "../../src/server/audit/anchors.ts";
import { anchorAudit, sealAudit, verifyAudit } from "../../src/server/audit/seal.ts";
import { seedDemo } from "../../src/server/demo/seed.ts";
import { closeDays } from "../../src/server/reports/close-days.ts";
import { secretBox } from "../../src/server/secrets/secrets.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allAnchors } from "../support/anchors.ts";
import { testDatabase } from "../support/database.ts";
import { makeDeps } from "../support/factories.ts";

const db = testDatabase({ pool: 2, invariants: 100 });
let owner: pg.Client;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "anchors-"));
  owner = new pg.Client(db.connectAs("app"));
  await owner.connect();
  await seedDemo(owner, {
    secrets: secretBox(Buffer.alloc(32, 7)),
    now: new Date(),
    seed: 3,
    hashPassword: async () => "hash",
    transactions: 1_200,
  });
  await closeDays(makeDeps(db));
});

afterAll(async () => {
  await owner.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a change no part of the server could make, checks the invariants, and rolls it back. */
async function corrupted<T>(change: string, look: () => Promise<T>): Promise<T> {
  await owner.query("begin; set local session_replication_role = replica");
  try {
    await owner.query(change);
    return await look();
  } finally {
    await owner.query("rollback");
  }
}

const withdrawal = (status: string) =>
  `(select id from transactions where kind = 'withdrawal' and status = '${status}' order by id limit 1)`;

const transfer = (kind: string, status: string) =>
  `(select id from transfers where kind = '${kind}' and status = '${status}' order by id limit 1)`;

/** A corruption for each invariant, by its name. */
const corruptions: Record<string, readonly string[]> = {
  "ledger groups sum to zero": [
    "delete from ledger_entries where ctid = (select ctid from ledger_entries order by account_id, seq desc limit 1)",
    "insert into ledger_groups (tenant_id, kind, currency) select tenant_id, 'stray', code from currencies limit 1",
  ],
  "a balance is the sum of its entries, without gaps": [
    "update ledger_accounts set balance = balance + 0.01 where ctid = (select ctid from ledger_accounts where kind = 'wallet' limit 1)",
  ],
  "each entry's previous balance is the balance before it": [
    `update ledger_entries set previous_balance = previous_balance + 1, balance = balance + 1
      where ctid = (select ctid from ledger_entries where seq = 5 limit 1)`,
  ],
  "no wallet or hold is overdrawn": [
    `alter table ledger_accounts drop constraint no_overdraft;
     update ledger_accounts set balance = -1 where ctid = (select ctid from ledger_accounts where kind = 'hold' limit 1)`,
  ],
  "a merchant's hold is the sum of its open withdrawals and settlements": [
    "update ledger_accounts set balance = balance + 1 where ctid = (select ctid from ledger_accounts where kind = 'hold' limit 1)",
    `update transactions set status = 'rejected' where id = ${withdrawal("pending")}`,
    `update transfers set merchant_amount = merchant_amount + 1, fee = fee + 1 where id = ${transfer("settlement", "pending")}`,
  ],
  "one decision a transaction, net of recalls": [
    `insert into decisions select tenant_id, transaction_id, round + 1, outcome, event_n, by_user, at from decisions limit 1`,
    "delete from decisions where ctid = (select ctid from decisions limit 1)",
  ],
  "the status agrees with the decision": [`update decisions set outcome = 'rejected' where transaction_id = ${withdrawal("completed")}`],
  "the status agrees with the ledger's hold, settlement and release": [
    `insert into ledger_groups (tenant_id, kind, currency, transaction_id)
      select tenant_id, 'withdrawal', currency, id from transactions where id = ${withdrawal("completed")}`,
    `delete from ledger_groups where kind = 'withdrawal.release' and transaction_id = ${withdrawal("rejected")}`,
    `delete from ledger_groups where kind = 'withdrawal.hold' and transaction_id = ${withdrawal("pending")}`,
  ],
  "a recall in the ledger is a recall in the history": [
    "delete from ledger_groups where ctid = (select ctid from ledger_groups where kind = 'withdrawal.recall' limit 1)",
  ],
  "events are legal, contiguous and end in the status": [
    `delete from transaction_events where transaction_id = ${withdrawal("completed")} and n = 2`,
    `update transactions set status = 'approved' where id = ${withdrawal("completed")}`,
    `update transaction_events set act = 'expire' where transaction_id = ${withdrawal("completed")} and n = 2`,
    `delete from transaction_events where transaction_id = ${withdrawal("pending")}`,
  ],
  "amounts add up": [
    `alter table transactions drop constraint amounts_add_up;
     update transactions set final_amount = final_amount + 1 where id = ${withdrawal("completed")}`,
    `alter table transactions drop constraint amounts_add_up;
     update transactions set fee = fee + 1 where id = ${withdrawal("pending")}`,
  ],
  "another amount than asked for is an approved one": [
    `update transactions set asked_amount = amount + 1, asked_fee = fee, amount_reason = 'less came'
      where id = (select id from transactions where kind = 'deposit' and status = 'process' limit 1)`,
  ],
  "what the ledger moved is what the transaction says": [
    `alter table transactions drop constraint amounts_add_up;
     update transactions set final_amount = final_amount + 1 where id = ${withdrawal("completed")}`,
    `update transactions t set payment_account_id = (select id from payment_accounts p where p.tenant_id = t.tenant_id and p.id <> t.payment_account_id limit 1)
      where id = ${withdrawal("completed")}`,
  ],
  "a transfer's status agrees with its postings": [
    `delete from ledger_groups where kind = 'transfer' and transaction_id = ${transfer("transfer", "approved")}`,
    `insert into ledger_groups (tenant_id, kind, currency, transaction_id)
      select tenant_id, 'transfer.recall', currency, id from transfers where id = ${transfer("transfer", "approved")}`,
    `delete from ledger_groups where kind = 'settlement.hold' and transaction_id = ${transfer("settlement", "pending")}`,
    `insert into ledger_groups (tenant_id, kind, currency, transaction_id)
      select tenant_id, 'settlement.release', currency, id from transfers where id = ${transfer("settlement", "pending")}`,
  ],
  "what the ledger moved is what the transfer says": [
    `update transfers set amount = amount + 1, final_amount = final_amount + 1 where id = ${transfer("transfer", "approved")}`,
    `update transfers t set target_id = (select id from payment_accounts p
        where p.tenant_id = t.tenant_id and p.currency = t.currency and p.id not in (t.source_id, t.target_id) limit 1)
      where id = ${transfer("transfer", "approved")}`,
    `update transfers t set merchant_id = (select id from merchants m where m.tenant_id = t.tenant_id and m.id <> t.merchant_id limit 1)
      where id = ${transfer("adjustment", "approved")}`,
  ],
  "what is pending or posted of a transfer counts against limits, what was refused does not": [
    `update transfers set limit_day = null where id = ${transfer("transfer", "pending")}`,
    `update transfers set limit_day = '2026-05-03' where id = ${transfer("transfer", "rejected")}`,
  ],
  "a large transfer that is posted was approved by two": [
    `update transfers set tier = 3 where id = ${transfer("transfer", "approved")}`,
    `update transfers set tier = 3, first_approved_by = approved_by where id = ${transfer("settlement", "approved")}`,
  ],
  "each act on a transfer is audited once": [
    "delete from audit_entries where ctid = (select ctid from audit_entries where entity = 'transfer' limit 1)",
    `update transfers set version = version + 1 where id = ${transfer("transfer", "pending")}`,
  ],
  "a transfer is completed once the bank's lines prove every side of it": [
    `update transfers set status = 'completed', completed_at = approved_at where id = ${transfer("transfer", "approved")}`,
    "update bank_matches set undone_at = now() where ctid = (select ctid from bank_matches where side = 'target' limit 1)",
  ],
  "an entry agrees with its posting and its account, and crosses no tenant or currency": [
    "update ledger_entries set currency = 'XXX' where ctid = (select ctid from ledger_entries limit 1)",
    `update ledger_entries e set account_id = (select id from ledger_accounts a where a.tenant_id <> e.tenant_id and last_seq = 0 limit 1)
      where ctid = (select ctid from ledger_entries limit 1)`,
    "update ledger_entries set account_kind = 'suspense' where ctid = (select ctid from ledger_entries limit 1)",
    "update ledger_entries set rare_kind = null where ctid = (select ctid from ledger_entries where rare_kind = 'opening' limit 1)",
  ],
  "a day that is kept is what the ledger says of it, and begins with what the one before closed with": [
    "update account_days set deposits = deposits + 1 where ctid = (select ctid from account_days where deposits > 0 limit 1)",
    "update merchant_days set closing = closing - 1 where ctid = (select ctid from merchant_days limit 1)",
    "update merchant_days set failed = failed + 1 where ctid = (select ctid from merchant_days limit 1)",
    // a day between two that are kept
    `delete from account_days where ctid = (select d.ctid from account_days d
      where exists (select from account_days l where l.payment_account_id = d.payment_account_id and l.day > d.day) limit 1)`,
    // a day before its owner's first entry
    `insert into account_days select n.* from (select d from account_days d order by d.day limit 1) k
      cross join lateral jsonb_populate_record(k.d, jsonb_build_object('day', (k.d).day - 1)) n`,
    `insert into merchant_days select n.* from (select d from merchant_days d order by d.day limit 1) k
      cross join lateral jsonb_populate_record(k.d, jsonb_build_object('day', (k.d).day - 1)) n`,
    // and one of an owner of whom the ledger has no entry
    `insert into account_days select n.* from (select d from account_days d limit 1) k
      cross join lateral jsonb_populate_record(k.d, jsonb_build_object('payment_account_id', uuidv7())) n`,
    `insert into merchant_days select n.* from (select d from merchant_days d limit 1) k
      cross join lateral jsonb_populate_record(k.d, jsonb_build_object('merchant_id', uuidv7())) n`,
  ],
  "what is counted of an open day is what the ledger says of it": [
    `insert into account_day_parts as p (tenant_id, payment_account_id, currency, day, starts, upto, deposits)
      select a.tenant_id, a.owner_id, a.currency, d.day, day_start(d.day, c.zone_minutes), a.last_seq, 0.01 from ledger_accounts a
      join currencies c on c.tenant_id = a.tenant_id and c.code = a.currency
      cross join lateral (select local_day(now(), c.zone_minutes) as day) d where a.kind = 'payment-account' and a.last_seq > 0 limit 1`,
    `insert into merchant_day_parts as p (tenant_id, merchant_id, currency, day, starts, upto, hold_upto, fees)
      select a.tenant_id, a.owner_id, a.currency, d.day, day_start(d.day, c.zone_minutes), a.last_seq, 1000000, 0.01 from ledger_accounts a
      join currencies c on c.tenant_id = a.tenant_id and c.code = a.currency
      cross join lateral (select local_day(now(), c.zone_minutes) as day) d where a.kind = 'wallet' and a.last_seq > 0 limit 1`,
    `with part as (insert into decided_day_parts (tenant_id, currency, day, starts, upto)
        select c.tenant_id, c.code, d.day, day_start(d.day, c.zone_minutes), pg_current_snapshot() from currencies c
        cross join lateral (select local_day(now(), c.zone_minutes) as day) d
        where exists (select from merchant_days k where k.tenant_id = c.tenant_id and k.currency = c.code) limit 1 returning *)
      insert into merchant_decided_parts (tenant_id, merchant_id, currency, day, approved, failed, seconds, times)
      select p.tenant_id, m.id, p.currency, p.day, 0, 0, '{59}', '{1}' from part p
      join merchants m on m.tenant_id = p.tenant_id and m.currency = p.currency
      where exists (select from merchant_days k where k.tenant_id = m.tenant_id and k.merchant_id = m.id)`,
  ],
  "a merchant's number is used once": [
    `alter table transactions drop constraint transactions_tenant_id_merchant_id_kind_merchant_txn_no_key;
     update transactions set merchant_txn_no = 'TWICE'
      where id in (select id from transactions where kind = 'withdrawal' and merchant_id = (select merchant_id from transactions limit 1) limit 2)`,
  ],
  "a finished idempotency key has its effect": [
    `insert into idempotency_keys (tenant_id, actor, key, fingerprint, status, transaction_id, event_n)
      select tenant_id, merchant_id, 'key-12345', '\\x00', 200, id, events + 1 from transactions limit 1`,
  ],
  "one callback a decision, none without": [
    "delete from outbox where ctid = (select ctid from outbox limit 1)",
    `insert into outbox (tenant_id, merchant_id, transaction_id, event_n, body)
      select tenant_id, merchant_id, id, 1, '{}' from transactions where id = ${withdrawal("pending")}`,
  ],
  "of a transaction only the latest callback is sent, and what was superseded was so by a later one": [
    "update outbox set state = 'superseded' where ctid = (select ctid from outbox where state = 'delivered' limit 1)",
    "update outbox set state = 'pending' where ctid = (select ctid from outbox where state = 'cancelled' limit 1)",
  ],
  "a recalled approval sent no callback": [
    "update outbox set state = 'delivered' where ctid = (select ctid from outbox where state = 'cancelled' limit 1)",
  ],
  "delivered means a 2xx, completed means delivered, and every attempt is kept": [
    "update callback_attempts set status = 302 where (tenant_id, outbox_id) = (select tenant_id, id from outbox where state = 'delivered' limit 1)",
    "update outbox set attempts = attempts + 1 where ctid = (select ctid from outbox where state = 'delivered' limit 1)",
  ],
  "limit counters are what counts against them": [
    "update limit_usage set used = used + 1 where ctid = (select ctid from limit_usage limit 1)",
    "delete from limit_usage where ctid = (select ctid from limit_usage where used > 0 limit 1)",
  ],
  "what has ended well counts against a limit, what was refused does not": [
    `update transactions set limit_day = null where id = ${withdrawal("completed")}`,
    `update transactions set limit_day = current_date where id = ${withdrawal("rejected")}`,
  ],
  "no limit of today or this month is overrun": [
    `update payment_accounts p set deposit_monthly_limit = 1 where exists (
      select from limit_usage u where u.payment_account_id = p.id and u.kind = 'deposit' and u.period = 'month')`,
  ],
  "the audit chain is whole, to its head": [
    "update audit_entries set actor_name = 'somebody else' where ctid = (select ctid from audit_entries limit 1)",
    "delete from audit_chain where seq = 10",
    "update audit_heads set seq = seq + 1",
    "delete from audit_chain c using audit_heads h where h.tenant_id = c.tenant_id and h.seq = c.seq",
  ],
  "every audit row is chained or waits for it": [
    "insert into audit_entries (tenant_id, actor_kind, actor_name, act, entity) select id, 'system', 'system', 'stray', 'stray' from tenants limit 1",
    "insert into audit_unsealed select tenant_id, id from audit_entries limit 1",
  ],
  "each transition is audited once": [
    "delete from audit_entries where ctid = (select ctid from audit_entries where event_n is not null limit 1)",
    `insert into audit_entries (tenant_id, actor_kind, actor_name, act, entity, entity_id, event_n)
      select tenant_id, actor_kind, actor_name, act, entity, entity_id, event_n from audit_entries where event_n is not null limit 1`,
  ],
  "a bank line is matched to transactions whose sum it is, or to none": [
    "update bank_lines set status = 'unmatched' where ctid = (select ctid from bank_lines where status = 'matched' limit 1)",
    "update bank_matches set amount = amount + 1 where ctid = (select ctid from bank_matches limit 1)",
    "update bank_matches set n = 2 where ctid = (select ctid from bank_matches limit 1)",
  ],
  "a matched bank line is of its transactions' currency and direction": [
    "update bank_lines set direction = 'debit' where ctid = (select ctid from bank_lines where status = 'matched' and direction = 'credit' limit 1)",
  ],
  "every tenant keeps an active owner": [
    "update memberships set status = 'suspended' where user_id = (select id from users where email = 'farah@demo.example')",
    "update users set status = 'suspended' where email = 'farah@demo.example'",
  ],
};

test("all invariants hold over a whole demo", async () => {
  const broken = (await checkInvariants(owner)).filter(({ rows }) => rows.length > 0);
  expect(broken).toEqual([]);
});

test("every invariant has a corruption that it must catch", () => {
  expect(Object.keys(corruptions)).toEqual(invariants.map(({ name }) => name));
});

describe.each(invariants)("$name", ({ name, sql }) => {
  test.each(corruptions[name] ?? [])("is seen broken by: %s", async (change) => {
    const found = await corrupted(change, async () => (await owner.query(sql)).rows);
    expect(found.length).toBeGreaterThan(0);
  });
});

describe("anchors outside the database", () => {
  let anchors: Anchor[];
  beforeAll(async () => {
    await sealAudit(makeDeps(db));
    await anchorAudit(makeDeps(db), folder, new Map());
    anchors = await allAnchors(folder);
  });

  test("agree with an untouched chain", async () => {
    expect(anchors).toHaveLength(3);
    expect(await verifyAudit(owner, anchors)).toEqual([]);
  });

  const rewritten = `
    do $$ declare t record; head bytea; begin
      for t in select c.tenant_id, c.seq, e as entry from audit_chain c join audit_entries e on e.tenant_id = c.tenant_id and e.id = c.entry_id
        order by c.tenant_id, c.seq loop
        if t.seq = 1 then head := '\\x'; end if;
        update audit_chain set previous = head, hash = sha256(head || audit_payload(t.entry)) where tenant_id = t.tenant_id and seq = t.seq
          returning hash into head;
      end loop;
      update audit_heads h set (seq, hash) = (select seq, hash from audit_chain c where c.tenant_id = h.tenant_id order by seq desc limit 1);
    end $$`;

  test.each([
    [
      "an edit, with the whole chain made anew after it",
      `update audit_entries set reason = 'other' where ctid = (select ctid from audit_entries limit 1); ${rewritten}`,
    ],
    [
      "a tail cut off together with its head",
      `create temp table cut on commit drop as select c.* from audit_chain c join audit_heads h on h.tenant_id = c.tenant_id where c.seq > h.seq - 5;
       delete from audit_chain c using cut where cut.tenant_id = c.tenant_id and cut.seq = c.seq;
       delete from transaction_events e using audit_entries a, cut where a.id = cut.entry_id and e.tenant_id = a.tenant_id
         and e.transaction_id = a.entity_id and e.n = a.event_n;
       delete from audit_entries a using cut where a.tenant_id = cut.tenant_id and a.id = cut.entry_id;
       update audit_heads h set (seq, hash) = (select seq, hash from audit_chain c where c.tenant_id = h.tenant_id order by seq desc limit 1)`,
    ],
    [
      "an old copy restored, and work gone on from there",
      `delete from audit_chain where seq > 100; delete from audit_entries a where not exists (select from audit_chain c where c.entry_id = a.id);
       update audit_heads h set (seq, hash) = (select seq, hash from audit_chain c where c.tenant_id = h.tenant_id order by seq desc limit 1);
       insert into audit_entries (tenant_id, actor_kind, actor_name, act, entity) select t.id, 'system', 'system', 'new', 'work'
         from tenants t cross join generate_series(1, 3000);
       insert into audit_unsealed select tenant_id, id from audit_entries where act = 'new';
       do $$ declare t uuid; begin for t in select id from tenants loop
         perform set_config('app.tenant_id', t::text, true); perform audit_seal(10000); end loop; end $$`,
    ],
  ])("find %s, which the chain alone would not", async (_, change) => {
    const [chain, found] = await corrupted(change, async () => {
      const whole = await owner.query(invariants.find(({ name }) => name === "the audit chain is whole, to its head")?.sql ?? "");
      return [whole.rows, await verifyAudit(owner, anchors)] as const;
    });
    expect(chain).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });
});
