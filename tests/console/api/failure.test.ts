import { describe, expect, test } from "vitest";
import en from "../../../locales/en.json" with { type: "json" };
import { CallFailure, describeFailure } from "../../../src/console/api/failure.ts";
import { refusalOf } from "../../../src/console/api/refusal.ts";
import type { Texts } from "../../../src/console/api/failure.ts";

/** English, in which the server's messages are used. */
const texts: Texts = { text: (key) => (en as Record<string, string>)[key] ?? key, problem: () => null };
const refused = (status: number, message?: string, data?: unknown) =>
  new CallFailure("refused", { status, ...(message !== undefined && { message }), data });

/** Point 8 of the specification, row by row. */
const catalogue: readonly (readonly [string, CallFailure, string, string])[] = [
  ["400 with words", refused(400, "Cursor unreadable"), "Fail", "Cursor unreadable"],
  ["400 without", refused(400), "Fail", "Bad Request"],
  ["401 with words", refused(401, "Wrong e-mail or password"), "Unauthorized", "Wrong e-mail or password"],
  ["401 without", refused(401), "Unauthorized", "Access denied"],
  [
    "422 with a map of fields",
    refused(422, "Not valid", { email: ["Invalid Email"], name: ["Too long", "Empty"] }),
    "Validation Failed",
    "Not valid\nInvalid Email\nToo long\nEmpty",
  ],
  ["422 with an array", refused(422, "Not valid", ["First", "Second"]), "Validation Failed", "Not valid\nFirst\nSecond"],
  ["422 without data", refused(422, "Never shown"), "Fail", "Unprocessable Entity"],
  ["422 with empty data", refused(422, "Never shown", {}), "Fail", "Unprocessable Entity"],
  ["403 with words", refused(403, "No right"), "Fail", "No right"],
  ["403 without", refused(403), "Fail", "Forbidden"],
  ["409 with words", refused(409, "Claimed by Dewi"), "Fail", "Claimed by Dewi"],
  ["500 without", refused(500), "Fail", "An unknown error occurred"],
  ["no response", new CallFailure("no-response"), "", "Unable to connect to the server. Please try again."],
  ["anything else", new CallFailure("unexpected"), "", "An unexpected error occurred. Please check the console for details."],
];

describe("the error catalogue", () => {
  test.each(catalogue)("%s", (_, failure, title, text) => {
    expect(describeFailure(failure, texts)).toEqual({ title, text });
  });

  test("another language uses its own text for the server's code", () => {
    const chinese: Texts = { ...texts, problem: (code) => (code === "withdrawal.claimed" ? "已被他人领取" : null) };
    const failure = new CallFailure("refused", { status: 409, code: "withdrawal.claimed", message: "Claimed by another" });
    expect(describeFailure(failure, chinese).text).toBe("已被他人领取");
  });
});

test.each([
  [
    "of a 422 without lines, what the server said",
    refused(422, "The PDF is protected by a password."),
    "The PDF is protected by a password.",
  ],
  [
    "the same where its data has no lines",
    refused(422, "The account takes no deposits.", { accounts: [] }),
    "The account takes no deposits.",
  ],
  ["of any other refusal, what the server said", refused(409, "Claimed by Dewi"), "Claimed by Dewi"],
])("a form says %s", (_, failure, words) => {
  expect(refusalOf(failure).words).toBe(words);
});
