import type { Withdrawal } from "../../../../contract/withdrawals.ts";
import { withdrawalRoutes } from "../../../../contract/withdrawals.ts";
import { newUuid } from "../../../../values/uuid.ts";
import type { Call } from "../../../api/call.ts";
import { CallFailure } from "../../../api/failure.ts";
import { refusalOf } from "../../../api/refusal.ts";
import type { Services } from "../../../kit/commands/services.ts";

interface TakeDeps {
  readonly call: Call;
  readonly services: Pick<Services, "ask" | "say" | "changed">;
}

const isUsed = (error: unknown): error is CallFailure => error instanceof CallFailure && error.code === "withdrawal.reference-used";

/** Keeps the slip's number with the withdrawal; one that another withdrawal has is asked about first. */
export async function takeSlip(row: Withdrawal, reference: string, { call, services }: TakeDeps): Promise<void> {
  const { uuid, version } = row;
  const id = `…${row.txn_no.slice(-6)}`;
  const send = async (again: boolean): Promise<Withdrawal> => {
    const body = { version, reference_no: reference, ...(again && { again: true as const }) };
    return (await call(withdrawalRoutes.referWithdrawal, { params: { uuid }, body }, { quiet: true, idempotencyKey: newUuid() })).data;
  };
  try {
    const kept = await send(false).catch(async (error: unknown) => {
      if (!isUsed(error)) throw error;
      const yes = await services.ask("confirm", {
        title: "withdrawal.slip.used",
        text: "withdrawal.slip.used-text",
        words: { id, reference, other: otherOf(error) },
        buttons: { yes: "withdrawal.slip.take-different", no: "sheet.cancel" },
      });
      return yes === true ? send(true) : null;
    });
    if (kept === null) return;
    services.changed("withdrawal", [kept]);
    services.say("withdrawal.said.referred", { id, reference }, "done");
  } catch (error) {
    services.changed("withdrawal", [{ uuid }]);
    services.say("transaction.said.refused", { id, why: refusalOf(error).words }, "fail");
  }
}

/** The number of the withdrawal that has it. */
function otherOf({ data }: CallFailure): string {
  const named = typeof data === "object" && data !== null && "txn_no" in data ? data.txn_no : "";
  return String(named);
}
