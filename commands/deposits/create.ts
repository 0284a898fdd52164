import { depositRoutes } from "../../src/contract/deposit-routes.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { screenCommand } from "../transactions/decision-commands.ts";
import { depositActs } from "./decision.ts";

/** By hand: the screen has the form. */
export const create: AnyCommand = screenCommand(depositActs, {
  name: "create",
  permission: depositRoutes.createManualDeposit.permission,
  keys: ["c"],
  run: (_, __, context) => context.pane?.decision?.create?.(),
});
