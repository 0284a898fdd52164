import type { MessageKey, Words } from "../kit/texts/messages.ts";

/** refused: the server refused · no-response: no answer · unexpected: the answer is not ours · aborted: the caller gave up. */
type FailureKind = "refused" | "no-response" | "unexpected" | "aborted";

/** What a call rejects with. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";
  readonly kind: FailureKind;
  /** 0 without an answer. */
  readonly status: number;
  /** A code of contract/problems.ts, or "". */
  readonly code: string;
  /** The server's message, or "". */
  readonly serverMessage: string;
  readonly data: unknown;
  readonly requestId: string | null;
  /** The operator has seen it as a toast, or need not see it: whoever catches it shows nothing. */
  reported = false;
  constructor(
    kind: FailureKind,
    answer: { status?: number; code?: string; message?: string; data?: unknown; requestId?: string | null } = {},
  ) {
    super(answer.message || kind);
    this.kind = kind;
    this.status = answer.status ?? 0;
    this.code = answer.code ?? "";
    this.serverMessage = answer.message ?? "";
    this.data = answer.data;
    this.requestId = answer.requestId ?? null;
  }
}

interface FailureText {
  /** Empty where the error catalogue has no title. */
  readonly title: string;
  readonly text: string;
}

/** Where texts come from. */
export interface Texts {
  text(key: MessageKey, words?: Words): string;
  /** Text of a problem code where the page is not in the server's language; null to use the server's message. */
  problem(code: string, data: unknown): string | null;
}

const titles = { 401: "failure.unauthorized", 422: "failure.validation" } as const satisfies Record<number, MessageKey>;
const words = {
  400: "failure.bad-request",
  401: "failure.access-denied",
  403: "failure.forbidden",
  422: "failure.unprocessable",
} as const satisfies Record<number, MessageKey>;

/** Title and message by the specification's error catalogue (point 8). */
export function describeFailure(failure: CallFailure, texts: Texts): FailureText {
  if (failure.kind === "no-response") return { title: "", text: texts.text("failure.no-response") };
  if (failure.kind !== "refused") return { title: "", text: texts.text("failure.unexpected") };
  const said = texts.problem(failure.code, failure.data) ?? failure.serverMessage;
  const lines = failure.status === 422 ? dataLines(failure.data) : [];
  const own = words[failure.status as keyof typeof words]; // any other status has no entry
  const fallback = texts.text(own ?? "failure.unknown");
  if (failure.status === 422) {
    if (lines.length === 0) return { title: texts.text("failure.fail"), text: fallback };
    return { title: texts.text(titles[422]), text: [said, ...lines].filter(Boolean).join("\n") };
  }
  return { title: texts.text(failure.status === 401 ? titles[401] : "failure.fail"), text: said || fallback };
}

/** Lines in the data of a 422: a list of lines, or a map of field → lines. */
export function dataLines(data: unknown): string[] {
  if (Array.isArray(data)) return data.filter((line) => typeof line === "string");
  if (typeof data !== "object" || data === null) return [];
  return Object.values(data).flatMap((lines) => (typeof lines === "string" ? [lines] : dataLines(lines)));
}
