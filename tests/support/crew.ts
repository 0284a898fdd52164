import type { RowRef } from "../../src/contract/wire.ts";
import type { TestDatabase } from "./database.ts";
import type { Person } from "./factories.ts";
import { makePerson } from "./factories.ts";
import type { Answered, Served } from "./http.ts";
import { ask, sessionOf } from "./http.ts";
import type { Office } from "./payments.ts";
import type { RouteName } from "../../src/contract/index.ts";

/** An operator with a session who acts over HTTP. */
export interface Operator extends Person {
  /** Acts on one withdrawal; answers its outcome, or the refusal of the whole request. */
  act(act: ActName, row: RowRef, more?: object): Promise<ActOutcome>;
  /** `key`: the idempotency key; a new one unless given. */
  ask(route: RouteName, body: unknown, key?: string, signal?: AbortSignal): Promise<Answered>;
}

type ActName = "claim" | "release" | "defer" | "take-over" | "approve" | "reject" | "recall";

export interface ActOutcome {
  readonly status: number;
  readonly done: boolean;
  readonly code: string;
  /** Of a lost race: who was faster, and the row as it is. */
  readonly data: { readonly by?: string; readonly row?: RowRef } | undefined;
  readonly row: (RowRef & { readonly status: string }) | undefined;
  readonly requestId: string | undefined;
}

const routes = {
  claim: "claimWithdrawals",
  release: "releaseWithdrawals",
  defer: "deferWithdrawals",
  "take-over": "takeOverWithdrawals",
  approve: "approveWithdrawals",
  reject: "rejectWithdrawals",
  recall: "recallWithdrawals",
} as const satisfies Record<ActName, RouteName>;

const rights = ["view", "process", "take-over", "approve", "reject", "recall"].map((action) => `pas.transaction.withdrawals.${action}`);

/** `count` operators with every right to withdrawals, and those in `more`, signed in at the server. */
export async function makeCrew(
  db: TestDatabase,
  served: Served,
  office: Office,
  count: number,
  more: readonly string[] = [],
): Promise<Operator[]> {
  const { rows } = await db.owner.query<{ id: string }>(
    "insert into user_groups (tenant_id, code, name, permissions) values ($1, 'crew', 'Crew', $2) returning id",
    [office.tenant.id, [...rights, ...more]],
  );
  const hire = async (n: number): Promise<Operator> => {
    const person = await makePerson(db, office.tenant, `Operator ${n + 1}`);
    await db.owner.query("insert into membership_groups (tenant_id, user_id, group_id) values ($1, $2, $3)", [
      office.tenant.id,
      person.id,
      rows[0]?.id,
    ]);
    const { access_token: token } = await sessionOf(served.deps, person.id);
    const called = (route: RouteName, body: unknown, key?: string, signal?: AbortSignal) =>
      ask(served, route, {
        token,
        tenant: office.tenant.id,
        currency: office.tenant.currency,
        body,
        ...(key !== undefined && { headers: { "idempotency-key": key } }),
        ...(signal && { signal }),
      });
    return {
      ...person,
      ask: called,
      async act(name, { uuid, version }, more = {}) {
        const reason = name === "reject" ? { reason: { code: "duplicate" } } : {};
        return outcomeOf(await called(routes[name], { rows: [{ uuid, version, ...more }], ...reason }));
      },
    };
  };
  return Promise.all(Array.from({ length: count }, (_, n) => hire(n)));
}

/** Of an act on one row. */
function outcomeOf({ status, code, data, requestId }: Answered): ActOutcome {
  const outcomes = typeof data === "object" && data !== null && "outcomes" in data ? (data.outcomes as OutcomeOnWire[]) : []; // the contract's answer
  const [outcome] = outcomes;
  if (outcome?.done) return { status, done: true, code: "", data: undefined, row: outcome.row, requestId };
  const problem = outcome?.problem;
  return {
    status: problem?.status ?? status,
    done: false,
    code: problem?.code ?? code ?? "",
    data: problem?.data ?? (data as ActOutcome["data"]), // looked at by name only
    row: undefined,
    requestId,
  };
}

interface OutcomeOnWire {
  readonly done: boolean;
  readonly row?: RowRef & { readonly status: string };
  readonly problem?: { readonly status: number; readonly code: string; readonly data?: ActOutcome["data"] };
}
