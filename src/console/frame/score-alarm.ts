import { scoreWatcherRoutes } from "../../contract/score-watchers.ts";
import type { Call } from "../api/call.ts";
import { shownAmount } from "../kit/look/amounts.ts";
import type { MessageLog } from "../kit/messages/message-log.ts";
import { text } from "../kit/texts/texts.ts";

/** Watchers named one by one; of more than these only the number is told. */
const mostNamed = 3;

/** Says which of these watchers give the alarm, and why. Where they cannot be read, it is told all the same. */
export async function tellAlarm(call: Call, messages: Pick<MessageLog, "toast">, uuids: readonly string[]): Promise<void> {
  const query = { "filter[uuid]": uuids.join(","), limit: mostNamed } as never; // as its list takes it
  const read = call(scoreWatcherRoutes.listScoreWatchers, { query }, { background: true, quiet: true });
  const named = await read.then(
    ({ data }) => data,
    () => [],
  );
  for (const { master_account, state, balance, threshold } of named) {
    const words = { balance: balance === null ? "–" : shownAmount(balance), threshold: shownAmount(threshold) };
    messages.toast({
      title: text("shell.alarm.title", { name: master_account.name }),
      text: text(state === "error" ? "shell.alarm.error" : "shell.alarm.below", words),
      tone: "fail",
    });
  }
  if (uuids.length > named.length)
    messages.toast({ title: text("shell.alarm.more", { count: uuids.length - named.length }), text: "", tone: "fail" });
}
