import { sql } from "kysely";
import type { CheckRun, MasterAccountForm, masterAccountRoutes } from "../../contract/master-accounts.ts";
import { courseDays, masterAccountColumns } from "../../contract/master-accounts.ts";
import type { CheckSettings } from "../../contract/provider-checks.ts";
import { placeholder } from "../../contract/provider-checks.ts";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import { amountText } from "../../values/money.ts";
import { actorOf, record } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { cancelJob, startJob } from "../jobs/jobs.ts";
import { targetLine } from "../outbox/target.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import { findRecords } from "../records/record-list.ts";
import { masterCredentialsPlace } from "../secrets/secrets.ts";
import type { MasterAccountRow } from "./account-rows.ts";
import { accountRows, accountView, recomputeCritical, settingsIn } from "./account-rows.ts";
import { currencyOf, mayLoopBack, openCredentials, readCredentials } from "./check-accounts.ts";
import { creditCheckJob } from "./check-job.ts";
import { httpAdapter } from "./http-adapter.ts";
import { dependentsOf } from "./dependents.ts";
import { ownDowntimes } from "./downtime-rows.ts";
import { newestChecks } from "./newest-checks.ts";
import { mask } from "./templates.ts";

const entity = "master-account";
const viewCredentials = "gps.provider.master-accounts.view-credentials";

/** Minutes of one point of the balance's course. */
const pointMinutes = 15;

/** The settings as columns. */
const storedSettings = (of: CheckSettings) => ({
  check_url: of.check_url,
  check_method: of.check_method,
  check_headers: of.check_headers,
  check_body: of.check_body || null,
  timeout_seconds: of.timeout_seconds,
  require_proxy: of.require_proxy,
  proxy_url: of.proxy_url || null,
  balance_pointer: of.balance_pointer,
  credit_pointer: of.credit_pointer || null,
  currency_pointer: of.currency_pointer || null,
  success_pointer: of.success_pointer || null,
  success_value: of.success_value || null,
});

const isRow = (of: MasterAccountForm | MasterAccountRow): of is MasterAccountRow => "tenant_id" in of;

const fieldsOf = (of: MasterAccountForm | MasterAccountRow) => ({
  name: of.name,
  upline: of.upline || null,
  threshold: amountText(of.threshold),
  enable_notification: of.enable_notification,
  ...storedSettings(isRow(of) ? settingsIn(of) : of),
  // those of a row stay hidden: empty means that they stay as they are
  credentials: isRow(of) ? "" : of.credentials,
});
type Fields = ReturnType<typeof fieldsOf>;

/** Where credentials are sent. */
const destination = (of: Pick<Fields, "check_url" | "require_proxy" | "proxy_url">): string =>
  [of.check_url, of.require_proxy ? (of.proxy_url ?? "") : ""].map((url) => originOf(url)).join(" ");
function originOf(template: string): string {
  const url = template.replaceAll(placeholder, "x");
  return URL.canParse(url) ? new URL(url).origin : "";
}

/**
 * What of the settings could never be asked. Credentials that are kept go where they went before: to send them elsewhere takes the right to
 * see them, or writing them anew.
 */
async function settingFaults(
  db: Scoped,
  { deps, tenant, caller }: StaffCall,
  now: ReturnType<typeof storedSettings> & { readonly credentials: string },
  kept: MasterAccountRow | null,
): Promise<FieldLines> {
  const target = targetLine(now.check_url.replaceAll(placeholder, "x"), await mayLoopBack(db, deps, tenant));
  const isElsewhere = kept !== null && kept.credentials !== null && destination(kept) !== destination(now);
  return {
    ...(target !== null && { check_url: [target] }),
    ...(now.require_proxy && now.proxy_url === null && { proxy_url: ["Must be filled in"] }),
    ...(now.success_pointer !== null && now.success_value === null && { success_value: ["Must be filled in"] }),
    ...(isElsewhere &&
      now.credentials === "" &&
      !caller.permissions.has(viewCredentials) && { credentials: ["Must be written anew, because they would go to another address"] }),
  };
}

const { list, read, create, update, changeStatus, remove } = recordHandlers({
  entity,
  table: "master_accounts",
  currency: true,
  columns: masterAccountColumns,
  stored: {
    upline: { sort: [{ name: "upline", type: "text", missing: "" }] },
    balance: { sort: [{ name: "balance", type: "numeric", missing: "-infinity" }] },
    last_checked_at: { sort: [{ name: "last_checked_at", type: "timestamptz", missing: "-infinity" }] },
  },
  rows: ({ tenant, currency }) => accountRows(tenant, currency),
  view: accountView,
  nameOf: ({ code }: MasterAccountRow) => code,
  fixed: ({ code }: { code: string }) => ({ code }),
  fields: fieldsOf,
  json: ["check_headers"],
  // they decide what is sent where
  guarded: ["credentials", "check_url", "require_proxy", "proxy_url"],
  faults: (db, call, { row, now }) => settingFaults(db, call, now, row),
  parts: {
    credentials: Object.assign(
      async (db: Scoped, { deps, tenant }: StaffCall, id: string, credentials: string) => {
        if (credentials === "") return [];
        const sealed = deps.secrets.seal(credentials, masterCredentialsPlace(tenant, id));
        await db.updateTable("master_accounts").set({ credentials: sealed }).where("tenant_id", "=", tenant).where("id", "=", id).execute();
        return [];
      },
      { audited: async (_: Scoped, __: StaffCall, credentials: string) => (credentials === "" ? null : mask) },
    ),
  },
  async written(db, { tenant }, id, changed) {
    if ("threshold" in changed) await recomputeCritical(db, tenant, id);
  },
  constraints: { master_accounts_code: { code: ["Already taken"] } },
  // nobody plays on where their credit is gone
  uses: async (db, { tenant }, { id }) => ({ providers: (await dependentsOf(db, tenant, id)).dependent_count }),
  detail: async (db, { tenant }, { id }) => ({
    checks: await newestChecks(db, tenant, id),
    ...(await dependentsOf(db, tenant, id)),
    downtimes: await ownDowntimes(db, tenant, id),
  }),
  live: "masterAccount",
});

/** The account of the call's currency; refused where there is none. */
async function known(db: Scoped, { tenant, currency }: StaffCall, id: string): Promise<MasterAccountRow> {
  const [row] = await findRecords<MasterAccountRow>(db, accountRows(tenant, currency), [id]);
  if (!row) throw new Refusal("not-found");
  return row;
}

interface RunRow {
  readonly state: CheckRun["state"];
  readonly queued_as: string;
  readonly total: string | null;
  readonly done: number;
  readonly failed: number;
}

/** A job of checks of the caller's own. */
async function runOf(db: Scoped, { tenant, caller }: StaffCall, id: string): Promise<CheckRun> {
  const { rows } = await sql<RunRow>`select j.state, j.total, count(c.id)::integer as done, count(c.failure)::integer as failed
    from jobs j left join master_account_checks c on c.tenant_id = j.tenant_id and c.job_id = j.id
    where j.tenant_id = ${tenant} and j.id = ${id} and j.kind = ${creditCheckJob.name} and j.started_by = ${caller.id}
    group by j.id, j.state, j.total`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal("not-found");
  return { uuid: id, state: row.state, total: Math.max(Number(row.total ?? 0), row.done), done: row.done, failed: row.failed };
}

export const masterAccountHandlers: Handlers<typeof masterAccountRoutes, StaffCall> = {
  listMasterAccounts: list,
  readMasterAccount: read,
  createMasterAccount: create,
  updateMasterAccount: update,
  changeMasterAccountStatus: changeStatus,
  deleteMasterAccount: remove,

  async checkMasterAccounts(call, { body }) {
    const { deps, tenant, currency, caller } = call;
    const uuids = [...new Set(body.uuids)];
    const data = await once(call, null, async (db) => {
      const found = await findRecords<MasterAccountRow>(db, accountRows(tenant, currency), uuids);
      if (found.length < uuids.length) throw new Refusal("not-found");
      const id = await startJob(db, deps, { tenant, by: caller.id }, creditCheckJob, { accounts: uuids });
      for (const uuid of uuids) await audit(db, { tenant, entity, id: uuid }, actorOf(call), "check-credit", {});
      return { answer: { uuid: id, state: "waiting" as const, total: uuids.length, done: 0, failed: 0 } };
    });
    deps.jobs.wake(creditCheckJob);
    return { data };
  },

  readCreditCheck: (call, { params: { uuid } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({ data: await runOf(db, call, uuid) })),

  async cancelCreditCheck(call, { params: { uuid } }) {
    const data = await once(call, null, async (db) => {
      await runOf(db, call, uuid);
      await cancelJob(db, call.deps, { tenant: call.tenant, id: uuid }, creditCheckJob);
      return { answer: await runOf(db, call, uuid) };
    });
    return { data };
  },

  async tryCreditCheck(call, { body }) {
    const { deps, tenant, currency, gone } = call;
    const { uuid, credentials, ...settings } = body;
    const ready = await inTenant(deps.database, tenant, async (db) => {
      const row = uuid === null ? null : await known(db, call, uuid);
      const lines = await settingFaults(db, call, { ...storedSettings(settings), credentials }, row);
      if (Object.keys(lines).length > 0) throw new Refusal("request.invalid", lines);
      await record(db, tenant, actorOf(call), { act: `${entity}.try`, entity, entityId: row?.id ?? null });
      const typed = credentials === "" ? null : readCredentials(credentials);
      return {
        credentials: typed ?? (row ? openCredentials(deps, row) : {}),
        of: await currencyOf(db, tenant, currency),
        loopback: await mayLoopBack(db, deps, tenant),
      };
    });
    return {
      data: await httpAdapter.checkCredit(ready.credentials, settings, ready.of, { loopback: ready.loopback, signal: gone }),
    };
  },

  readMasterAccountBalances: (call, { params: { uuid } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      await known(db, call, uuid);
      const { rows } = await sql<{ at: Date; balance: string }>`select distinct on (point) at, balance from (
          select at, balance, date_bin(make_interval(mins => ${pointMinutes}), at, 'epoch') as point from master_account_checks
          where tenant_id = ${call.tenant} and master_account_id = ${uuid} and balance is not null
            and at > now() - make_interval(days => ${courseDays})) c
        order by point, at desc`.execute(db);
      return { data: rows.map(({ at, balance }) => ({ at: at.toISOString(), balance: amountText(balance) })) };
    }),

  async viewMasterCredentials(call, { params: { uuid } }) {
    const { deps, tenant } = call;
    // kept with an Idempotency-Key as it is stored, sealed
    const { sealed } = await once(call, null, async (db) => {
      const { credentials } = await known(db, call, uuid);
      if (credentials === null) throw new Refusal("credentials.none");
      await audit(db, { tenant, entity, id: uuid }, actorOf(call), "view-credentials", {});
      return { answer: { sealed: credentials.toString("base64") } };
    });
    return { data: { secret: deps.secrets.open(Buffer.from(sealed, "base64"), masterCredentialsPlace(tenant, uuid)) } };
  },
};
