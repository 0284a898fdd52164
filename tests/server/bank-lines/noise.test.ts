import { expect, test } from "vitest";
import { playNoise } from "../../support/bank-matching.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeOffice } from "../../support/payments.ts";

const count = long({ share: 400, whole: 5_000 });

// its deposits count against no limit
const db = testDatabase({ invariants: false });

test(`of ${count} noisy deposits none is matched automatically to a line that did not pay it; the others are mostly suggested`, async () => {
  const office = await makeOffice(db, { settings: { auto_match: true } });
  const { automatic, wrong, asked, right } = await playNoise(office, 11, count);
  expect(wrong).toEqual([]);
  // the series would say nothing if nothing were matched, or nothing left
  expect(automatic).toBeGreaterThan(count / 10);
  expect(asked).toBeGreaterThan(20);
  expect(right / asked).toBeGreaterThan(0.9);
}, 600_000);
