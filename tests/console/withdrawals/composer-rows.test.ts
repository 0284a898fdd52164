import { beforeAll, describe, expect, test } from "vitest";
import { createFormats } from "../../../src/console/api/formats.ts";
import { text } from "../../../src/console/kit/texts/texts.ts";
import { accountOrder, accountToggled, pinned, rowToggled, unadjusted } from "../../../src/console/screens/withdrawals/composer-plan.ts";
import { accountAt, composerRows, payoutsAt, share } from "../../../src/console/screens/withdrawals/composer-rows.ts";
import { keySpans, whyWords } from "../../../src/console/screens/withdrawals/composer-words.ts";
import type { ComposerState } from "../../../src/console/screens/withdrawals/composer-work.ts";
import { inLanguage } from "../in-language.ts";
import { aPayout, aPlan, anAccount, uuidOf } from "./plans.ts";

beforeAll(() => inLanguage("en"));

const [one, two, three] = [uuidOf(801), uuidOf(802), uuidOf(803)];
const wording = { t: text, formats: createFormats("+08:00") };

const plan = aPlan(
  [
    aPayout(1, { account: two, ground: "same-bank" }),
    aPayout(2, { account: one, ground: "pinned" }),
    aPayout(3, { account: null, ground: null, reasons: [{ code: "maximum", values: { maximum: "25000.00" }, accounts: [one, two] }] }),
    aPayout(4, { account: null, ground: null, reasons: [{ code: "left-out", values: {}, accounts: [] }] }),
    aPayout(5, { account: one }),
  ],
  [anAccount(801), anAccount(802), anAccount(803)],
);

const stateOf = (more: Partial<ComposerState> = {}): ComposerState => ({
  stage: "planning",
  plan,
  busy: false,
  failure: null,
  adjusted: { ...unadjusted, withoutRows: new Set([uuidOf(4)]), pins: new Map([[uuidOf(2), { account: one, from: two }]]) },
  before: [],
  order: [one, two, three],
  paid: new Map(),
  stopping: false,
  ...more,
});

describe("the composer's list", () => {
  test("goes by account in the order of their keys, then what cannot be paid, then what was left out", () => {
    const lines = composerRows(stateOf(), wording).map((line) =>
      line.kind === "account"
        ? `${line.key} ${line.count} ${line.amount}`
        : line.kind === "heading"
          ? line.of
          : `${line.row.txn_no.slice(-1)} ${line.place}`,
    );
    expect(lines).toEqual(["1 2 200.00", "2 placed", "5 placed", "2 1 100.00", "1 placed", "cannot", "3 cannot", "4 out"]);
  });

  test("moves what was not paid to the top, with its reason", () => {
    const paid = new Map([
      [uuidOf(1), { as: "done" as const }],
      [uuidOf(2), { as: "failed" as const, code: "payment-account.over-limit", message: "The account is over its limit." }],
    ]);
    const [heading, failed] = composerRows(stateOf({ paid, stage: "over" }), wording);
    expect(heading).toMatchObject({ kind: "heading", of: "failed", count: 1 });
    expect(failed).toMatchObject({ uuid: uuidOf(2), place: "failed", why: "The account is over its limit." });
  });

  test("tells what a line stands for", () => {
    const lines = composerRows(stateOf(), wording);
    expect(accountAt(lines[0] ?? null)).toBe(one);
    expect(payoutsAt(stateOf(), lines[0] ?? null).map(({ uuid }) => uuid)).toEqual([uuidOf(2), uuidOf(5)]);
    expect(payoutsAt(stateOf(), lines[1] ?? null).map(({ uuid }) => uuid)).toEqual([uuidOf(2)]);
    expect(payoutsAt(stateOf(), lines[5] ?? null)).toEqual([]);
  });

  test("says in words why each stands where it does", () => {
    const why = (n: number) => whyWords(stateOf(), plan.rows[n] ?? aPayout(0), wording);
    expect([0, 1, 2, 3].map(why)).toEqual([
      "same bank",
      "moved by you from MBB-2",
      "1–2: above its maximum of 25,000.00",
      "left out by you",
    ]);
  });
});

test("keys that follow each other are named as a span", () => {
  expect(keySpans(["4", "1", "2", "3", "7", "9", "a"])).toBe("1–4, 7, 9–a");
});

test("a bar never shows less than nothing or more than the whole", () => {
  expect([share("50.00", "200.00"), share("-5.00", "200.00"), share("300.00", "200.00"), share("1.00", "0.00")]).toEqual([25, 0, 100, 0]);
});

describe("what is set by hand", () => {
  test("remembers where a row stood at first, and takes a row in again that was left out", () => {
    const row = aPayout(1, { account: one });
    const moved = pinned(rowToggled(unadjusted, row.uuid), [row], two);
    expect(moved.pins.get(row.uuid)).toEqual({ account: two, from: one });
    expect(moved.withoutRows.size).toBe(0);
    const again = pinned(moved, [{ ...row, account: two }], three);
    expect(again.pins.get(row.uuid)).toEqual({ account: three, from: one });
  });

  test("lets go of what was pinned to an account that is left out", () => {
    const moved = pinned(unadjusted, [aPayout(1), aPayout(2)], two);
    expect(accountToggled(moved, two).pins.size).toBe(0);
    expect(accountToggled(moved, one).pins.size).toBe(2);
  });

  test("keeps each account on its key while the plan changes", () => {
    const first = accountOrder([], [anAccount(801), anAccount(802, { count: 3 })]);
    expect(first).toEqual([two, one]);
    expect(accountOrder(first, [anAccount(803, { count: 9 }), anAccount(801, { count: 5 }), anAccount(802)])).toEqual([two, one, three]);
  });
});
