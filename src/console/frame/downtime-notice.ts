import { announcedBefore, downtimeRoutes } from "../../contract/downtimes.ts";
import type { Call } from "../api/call.ts";
import type { Formats } from "../api/formats.ts";
import type { MessageLog } from "../kit/messages/message-log.ts";
import { text } from "../kit/texts/texts.ts";

/** Downtimes named one by one; of more than these only the number is told. */
const mostNamed = 3;

/** Says of these downtimes which will begin soon, have begun, or are over. Those that cannot be read are told by their number. */
export async function tellDowntimes(
  call: Call,
  messages: Pick<MessageLog, "toast">,
  uuids: readonly string[],
  formats: Formats,
  now: number,
): Promise<void> {
  const query = { "filter[uuid]": uuids.join(","), limit: mostNamed } as never; // as its list takes it
  const read = call(downtimeRoutes.listDowntimes, { query }, { background: true, quiet: true });
  const named = await read.then(
    ({ data }) => data,
    () => [],
  );
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
  if (uuids.length > named.length)
    messages.toast({ title: text("shell.downtime.more", { count: uuids.length - named.length }), text: "", tone: "plain" });
}
