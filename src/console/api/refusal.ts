import type { FieldLines } from "../../contract/problems.ts";
import type { Refusal } from "../kit/form/session.ts";
import { problemText } from "../kit/messages/problem-text.ts";
import { ruleText } from "../kit/texts/rule-text.ts";
import { text } from "../kit/texts/texts.ts";
import { CallFailure, dataLines, describeFailure } from "./failure.ts";

/**
 * Why a call failed, where there is room for it. Of a 422 without lines the catalogue's toast says "Unprocessable Entity" only
 * (specification, point 8); here stands what the server said.
 */
export function reasonOf(failure: CallFailure): string {
  const { title, text: described } = describeFailure(failure, { text, problem: problemText });
  const isRefused = failure.kind === "refused" && dataLines(failure.data).length === 0;
  return (isRefused && (problemText(failure.code, failure.data) ?? failure.serverMessage)) || described || title;
}

/** A failed call as a form shows it: lines at its fields, else a message with the request id. */
export function refusalOf(error: unknown): Refusal {
  const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
  const words = reasonOf(failure);
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
