import type { FieldLines } from "../../contract/problems.ts";
import type { Refusal } from "../kit/form/session.ts";
import { problemText } from "../kit/messages/problem-text.ts";
import { ruleText } from "../kit/texts/rule-text.ts";
import { text } from "../kit/texts/texts.ts";
import { CallFailure, describeFailure } from "./failure.ts";

/** A failed call as a form shows it: lines at its fields, else a message with the request id. */
export function refusalOf(error: unknown): Refusal {
  const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
  const { text: words } = describeFailure(failure, { text, problem: problemText });
  return {
    kind: failure.kind === "aborted" ? "turned-back" : failure.code === "record.stale" ? "stale" : "refused",
    lines: failure.status === 422 ? fieldLines(failure.data) : {},
    words: failure.requestId === null ? words : `${words} (${failure.requestId})`,
    judged: failure.status > 0 && failure.status < 500,
  };
}

/** A 422's map of field → lines in the current language; empty for any other failure. */
function fieldLines(data: unknown): FieldLines {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return {};
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, lines]) => {
      const texts = (Array.isArray(lines) ? lines : [lines]).filter((line) => typeof line === "string");
      return texts.length > 0 ? [[name, texts.map(ruleText)]] : [];
    }),
  );
}
