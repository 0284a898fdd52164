import type { Deposit } from "./deposits.ts";
import { depositRoutes } from "./deposits.ts";
import { merchantRoutes } from "./merchant-api.ts";
import { notificationRoutes } from "./notifications.ts";
import { sessionRoutes } from "./session.ts";
import type { Withdrawal } from "./withdrawals.ts";
import { withdrawalRoutes } from "./withdrawals.ts";

/** Every route of the product. */
export const routes = { ...sessionRoutes, ...notificationRoutes, ...withdrawalRoutes, ...depositRoutes, ...merchantRoutes };
export type RouteName = keyof typeof routes;

/** What panes show and commands act on: subject → row type. */
export interface Subjects {
  withdrawal: Withdrawal;
  deposit: Deposit;
}
export type SubjectName = keyof Subjects;
