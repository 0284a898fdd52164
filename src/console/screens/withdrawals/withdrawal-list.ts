import type { z } from "zod";
import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalQuery, WithdrawalView } from "../../../contract/withdrawals.ts";
import type { PageAsked } from "../../kit/grid/row-pager.ts";
import { LiveList } from "../../lists/live-list.ts";
import type { LiveDoors } from "../../lists/live-list.ts";
import { timeColumn } from "./filters.ts";

export type AskedList = Omit<z.input<typeof WithdrawalQuery>, keyof PageAsked | "filter[uuid]">;

export interface ListDoors extends LiveDoors<Withdrawal, AskedList> {
  /** The user's id. */
  readonly me: string;
}

/** Whether a row is one of a view's, as far as the row itself tells; "today" and "all" take whatever is loaded. */
export function belongs(row: Withdrawal, view: WithdrawalView, me: string): boolean {
  switch (view) {
    case "queue":
      return isOpen(row);
    case "mine":
      return row.status === "process" && row.claim?.user === me;
    case "process":
      return row.status === "process";
    case "second":
      return row.status === "process" && row.first_approved_by !== null;
    default:
      return true;
  }
}

/** The withdrawals of a view on screen. */
export class WithdrawalList extends LiveList<Withdrawal, AskedList> {
  protected readonly times = { created_at: (row: Withdrawal) => row.created_at, due_at: (row: Withdrawal) => row.due_at };
  protected readonly everywhere = { view: "all" } as const;
  readonly #me: string;

  constructor(doors: ListDoors, most?: number) {
    super(doors, most);
    this.#me = doors.me;
  }

  get view(): WithdrawalView {
    return this.ask().view ?? "queue";
  }

  protected get timeColumn(): string {
    return timeColumn(this.view);
  }

  protected belongs(row: Withdrawal): boolean {
    const statuses = this.ask()["filter[status]"];
    return belongs(row, this.view, this.#me) && (statuses === undefined || statuses.split(",").includes(row.status));
  }

  protected isMine(row: Withdrawal): boolean {
    return row.last_action_by.uuid === this.#me;
  }

  protected order(): string {
    return this.ask().sort ?? (this.view === "queue" ? "due_at" : "-created_at");
  }
}
