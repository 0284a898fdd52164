import type { DecisionDetail, DecisionRow } from "../../contract/decisions.ts";
import type { Api } from "../api/api.ts";
import { CallFailure, describeFailure } from "../api/failure.ts";
import type { Services } from "../kit/commands/services.ts";
import { problemText } from "../kit/messages/problem-text.ts";
import { text } from "../kit/texts/texts.ts";
import type { DecisionKind } from "./decision-kind.ts";
import { everything } from "./decision-views.ts";

/** What the screen itself asks of the server while people decide. */
export function decisionCalls<Row extends DecisionRow, Detail extends DecisionDetail<Row>>(
  { subject, routes, own }: DecisionKind<Row, Detail>,
  { call }: Api,
  services: Services,
) {
  return {
    async detail(uuid: string, signal: AbortSignal): Promise<Detail> {
      return (await call(routes.read, { params: { uuid } }, { signal, background: true })).data;
    },

    /** These as they are now, whatever the list shows. */
    async rows(uuids: readonly string[]): Promise<readonly Row[]> {
      const query = { view: everything.id, "filter[uuid]": uuids.join(","), limit: uuids.length };
      return (await call(routes.list, { query }, { background: true })).data;
    },

    async renew(uuids: readonly string[]) {
      return (await call(routes.renew, { body: { uuids: [...uuids] } }, { background: true })).data;
    },

    /** Claims the next free one that is none of `skip`. Why it could not is said here. */
    async takeNext(skip: readonly string[]): Promise<Detail | "none" | "refused"> {
      try {
        return (await call(routes.takeNext, { body: skip.length === 0 ? {} : { skip: [...skip] } }, { quiet: true })).data;
      } catch (error) {
        const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
        if (failure.code === `${subject}.none-free`) return "none";
        if (failure.code === `${subject}.claim-limit`) services.say(own("said.claim-limit"), figuresIn(failure.data), "warn");
        else if (failure.kind !== "aborted")
          services.say(own("said.take-failed"), { why: describeFailure(failure, { text, problem: problemText }).text }, "fail");
        return "refused";
      }
    },

    /** Answers each as it is then, or only which it was. */
    async release(rows: readonly Row[]): Promise<readonly (Row | { readonly uuid: string })[]> {
      const body = { rows: rows.map(({ uuid, version }) => ({ uuid, version })) };
      const { data } = await call(routes.release, { body });
      return data.outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid }));
    },
  };
}

/** Named numbers of a refusal. */
function figuresIn(data: unknown): Record<string, number> {
  if (typeof data !== "object" || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}
