import { scoreWatcherRoutes } from "../../contract/score-watchers.ts";
import type { Call } from "../api/call.ts";
import { shownAmount } from "../kit/look/amounts.ts";
import type { MessageLog } from "../kit/messages/message-log.ts";
import { text } from "../kit/texts/texts.ts";
import { namedRecords } from "./named-records.ts";

/** Says which of these watchers give the alarm, and why. Where they cannot be read, it is told all the same. */
export async function tellAlarm(call: Call, messages: Pick<MessageLog, "toast">, uuids: readonly string[]): Promise<void> {
  const { named, more } = await namedRecords(call, scoreWatcherRoutes.listScoreWatchers, uuids);
  for (const { master_account, state, balance, threshold } of named) {
    const words = { balance: balance === null ? "–" : shownAmount(balance), threshold: shownAmount(threshold) };
    messages.toast({
      title: text("shell.alarm.title", { name: master_account.name }),
      text: text(state === "error" ? "shell.alarm.error" : "shell.alarm.below", words),
      tone: "fail",
    });
  }
  if (more > 0) messages.toast({ title: text("shell.alarm.more", { count: more }), text: "", tone: "fail" });
}
