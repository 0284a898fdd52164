import type { SubjectName } from "../../src/contract/index.ts";
import { receiptRoutesOf } from "../../src/contract/receipts.ts";
import type { ScreenName } from "../../src/contract/screens.ts";
import { isOpen } from "../../src/contract/transactions.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { defineCommand } from "../../src/console/kit/commands/command.ts";

interface Place {
  readonly subject: SubjectName & keyof typeof receiptRoutesOf;
  readonly screen: ScreenName;
}

/** What can be done with the receipts of a transaction. Adding has no key, because Ctrl+V and a dropped file do it. */
export function receiptCommands({ subject, screen }: Place): readonly AnyCommand[] {
  const { list, add, remove } = receiptRoutesOf[subject];
  const common = { scope: "pane", desk: "receipts", screen, subject, takes: "one" } as const;
  const none = ([row]: readonly [{ readonly has_receipt: boolean }]) => (row.has_receipt ? null : "transaction.refuse.no-receipt");
  return [
    defineCommand({
      ...common,
      id: `${subject}.receipt-open`,
      permission: list.permission,
      keys: ["Shift+o"],
      refuse: none,
      run: ([row], _, { pane }) => pane?.receipts?.open(row.uuid),
    }),
    defineCommand({
      ...common,
      id: `${subject}.receipt-add`,
      permission: add.permission,
      run: ([row], _, { pane }) => pane?.receipts?.add(row.uuid),
    }),
    defineCommand({
      ...common,
      id: `${subject}.receipt-remove`,
      permission: remove.permission,
      refuse: ([row]) => none([row]) ?? (isOpen(row) ? null : "transaction.refuse.receipt-kept"),
      run: ([row], _, { pane }) => pane?.receipts?.remove(row.uuid),
    }),
  ];
}
