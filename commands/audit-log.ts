import { auditLogRoutes as routes } from "../src/contract/audit-log.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

/** What only the audit log has. */
export const auditLogCommands: readonly AnyCommand[] = [
  defineCommand({
    id: "audit-entry.check-chain",
    scope: "screen",
    desk: "chain",
    subject: null,
    takes: "none",
    permission: routes.checkAuditChain.permission,
    keys: ["Shift+v"],
    run: (_, __, { pane }) => pane?.chain?.check(),
  }),
];
