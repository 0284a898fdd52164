import type { DecisionRow } from "../../contract/decisions.ts";
import { isOpen } from "../../contract/transactions.ts";
import type { MessageKey } from "../kit/texts/messages.ts";
import type { TimeColumn } from "./columns.ts";
import type { LiveRules } from "./live-rules.ts";

/** A view of transactions to be decided. */
export interface DecisionView<Row> {
  /** As the address and the list call have it. */
  readonly id: string;
  readonly name: MessageKey;
  /** It keeps what is decided, so that the date of creation stands for its order: a decided row's age is how long it took. */
  readonly keeps?: true;
  /** Its rows come and go with what proves them, which no change of a row tells. */
  readonly byProof?: true;
  /** Whether a row is one of its, as far as the row itself tells. */
  has(row: Row, me: string): boolean;
}

type View = DecisionView<DecisionRow>;

/** Open ones by the time they are due: what the queue is worked from. */
export const workList = { id: "queue", name: "transaction.view.queue", has: isOpen } as const satisfies View;
export const mine = {
  id: "mine",
  name: "transaction.view.mine",
  has: ({ status, claim }, me) => status === "process" && claim?.user === me,
} as const satisfies View;
export const inProcess = {
  id: "process",
  name: "transaction.view.process",
  has: ({ status }) => status === "process",
} as const satisfies View;
/** Decided or created today: whatever is loaded. */
export const today = { id: "today", name: "transaction.view.today", keeps: true, has: () => true } as const satisfies View;
export const secondApproval = {
  id: "second",
  name: "transaction.view.second",
  has: ({ status, first_approved_by: first }) => status === "process" && first !== null,
} as const satisfies View;
export const everything = { id: "all", name: "transaction.view.all", keeps: true, has: () => true } as const satisfies View;

/** A list call's query, as far as it is the same for every kind. */
export interface AskedList {
  readonly view?: string;
  readonly sort?: string;
  readonly "filter[status]"?: string;
}

type Views<Row> = readonly DecisionView<Row>[];

/** The view of this name; the work list where there is none. */
export const viewOf = <Row extends DecisionRow>(views: Views<Row>, id: string | undefined): DecisionView<Row> =>
  views.find((view) => view.id === id) ?? views[0] ?? workList;

/** The column that stands for a view's order of time. */
export const timeColumn = ({ keeps }: Pick<View, "keeps">): TimeColumn => (keeps ? "created" : "age");

/** Whose decision it was: a bank's answer that completes it is nobody's. */
export const decidedBy = ({ approved_by, rejected_by, last_action_by }: DecisionRow): DecisionRow["last_action_by"] =>
  approved_by ?? rejected_by ?? last_action_by;

/** How the rows of such views stand in their list; `me`: the user's id. */
export function decisionRules<Row extends DecisionRow>(views: Views<Row>, me: string): LiveRules<Row, AskedList> {
  return {
    times: { created_at: (row) => row.created_at, due_at: (row) => row.due_at },
    everywhere: { view: everything.id },
    timeColumn: (query) => timeColumn(viewOf(views, query.view)),
    belongs(row, query) {
      const statuses = query["filter[status]"];
      return viewOf(views, query.view).has(row, me) && (statuses === undefined || statuses.split(",").includes(row.status));
    },
    isMine: (row) => decidedBy(row).uuid === me,
    order: (query) => query.sort ?? (viewOf(views, query.view).id === workList.id ? "due_at" : "-created_at"),
  };
}
