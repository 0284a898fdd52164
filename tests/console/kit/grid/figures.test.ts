import { describe, expect, test } from "vitest";
import { Adding } from "../../../../src/console/kit/grid/figures.ts";

const of = (...amounts: (string | null)[]) => {
  const adding = new Adding();
  for (const amount of amounts) adding.add(amount);
  return adding.figures();
};

describe("figures of a selection", () => {
  test("are exact where floats are not", () => {
    expect(of("0.1", "0.2")).toEqual({ count: 2, sum: "0.30", mean: "0.15" });
    expect(of("999999999999999.9999", "0.0001")?.sum).toBe("1,000,000,000,000,000.00");
  });

  test("have the decimals of their currency", () => {
    const adding = new Adding();
    for (const amount of ["1000.125", "2000.25"]) adding.add(amount);
    expect(adding.figures(3)).toEqual({ count: 2, sum: "3,000.375", mean: "1,500.188" });
    expect(adding.figures(0)).toEqual({ count: 2, sum: "3,000", mean: "1,500" });
  });

  test("skip what is no amount, and are null where there is none", () => {
    expect(of("10", null, "NA", "20")).toEqual({ count: 2, sum: "30.00", mean: "15.00" });
    expect(of(null, "")).toBeNull();
  });

  test("a mean is rounded to the nearest hundredth, half to even, below zero too", () => {
    expect(of("0.01", "0.00")?.mean).toBe("0.00");
    expect(of("0.02", "0.01")?.mean).toBe("0.02");
    expect(of("0.01", "0.01", "0.00")?.mean).toBe("0.01");
    expect(of("-0.02", "-0.01")?.mean).toBe("−0.02");
    // 0.0050000…1 is above the half, however little
    expect(of("0.0051", "0.005", "0.005")?.mean).toBe("0.01");
  });
});
