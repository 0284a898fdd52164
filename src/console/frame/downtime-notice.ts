import { announcedBefore, downtimeRoutes } from "../../contract/downtimes.ts";
import type { Call } from "../api/call.ts";
import type { Formats } from "../api/formats.ts";
import type { MessageLog } from "../kit/messages/message-log.ts";
import { text } from "../kit/texts/texts.ts";
import { namedRecords } from "./named-records.ts";

/** Says of these downtimes which will begin soon, have begun, or are over. Those that cannot be read are told by their number. */
export async function tellDowntimes(
  call: Call,
  messages: Pick<MessageLog, "toast">,
  uuids: readonly string[],
  formats: Formats,
  now: number,
): Promise<void> {
  const { named, more } = await namedRecords(call, downtimeRoutes.listDowntimes, uuids);
  for (const { entity, state, start_time, end_time } of named) {
    const isSoon = Date.parse(start_time) - now <= announcedBefore * 60_000;
    const [key, at] =
      state === "now"
        ? (["shell.downtime.begun", end_time] as const)
        : state === "planned" && isSoon
          ? (["shell.downtime.begins", start_time] as const)
          : (["shell.downtime.over", end_time] as const);
    messages.toast({ title: text(key, { name: entity.name, at: formats.clock(at) }), text: "", tone: state === "now" ? "warn" : "plain" });
  }
  if (more > 0) messages.toast({ title: text("shell.downtime.more", { count: more }), text: "", tone: "plain" });
}
