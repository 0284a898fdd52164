import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Draft, Preview } from "../../../src/contract/transfer-forms.ts";
import type { FormDeps } from "../../../src/console/kit/form/session.ts";
import { FormSession } from "../../../src/console/kit/form/session.ts";
import { DraftWork } from "../../../src/console/transfers/draft-work.ts";
import { draftOf } from "../../../src/console/transfers/making.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const till = "11111111-1111-4111-8111-111111111111";
const judged = (more: Partial<Preview> = {}): Preview => ({
  tier: 1,
  amount: "600.00",
  charges: "2.00",
  fee: "0.00",
  final_amount: "602.00",
  merchant_amount: null,
  least: null,
  most: null,
  payee: null,
  sides: [
    {
      side: "source",
      uuid: till,
      code: "TILL-7",
      name: "House",
      balance: "1000.00",
      balance_after: "398.00",
      payable: "1000.00",
      payable_after: "398.00",
      daily: null,
      monthly: null,
      charges: { charges_type: "percent", charges_value: "0.5" },
    },
  ],
  refusal: null,
  ...more,
});

/** A form in which somebody types, and a server that judges when it is told to. */
function typing() {
  const form = { values: { source: till, target: "", amount: "", charges_type: "fixed", charges_value: "" } as Record<string, string> };
  const listeners = new Set<() => void>();
  const asked: { draft: Draft; signal: AbortSignal; answer: (preview: Preview) => void; fail: () => void }[] = [];
  const write = (name: string, value: string): void => {
    form.values = { ...form.values, [name]: value };
    for (const listener of listeners) listener();
  };
  const session = {
    getState: () => ({ values: form.values }),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin: (values: Record<string, string>) => Object.entries(values).forEach(([name, value]) => write(name, value)),
  } as unknown as ConstructorParameters<typeof DraftWork>[0]["session"]; // all that a draft reads of a form
  const work = new DraftWork({
    session,
    draftOf: (values) => draftOf("transfer", values, undefined),
    judge: (draft, signal) =>
      new Promise((answer, fail) => asked.push({ draft, signal, answer, fail: () => fail(new Error("the line is down")) })),
  });
  const leave = work.start();
  return { form, asked, write, work, leave };
}
const settle = () => vi.advanceTimersByTimeAsync(1_000);

describe("a draft of a transfer", () => {
  test("is judged once nothing is typed for a moment, as it then stands", async () => {
    const { asked, write } = typing();
    await settle();
    write("amount", "6");
    write("amount", "60");
    write("amount", "600");
    await settle();
    expect(asked.map(({ draft }) => draft.amount)).toEqual([undefined, "600"]);
  });

  test("shows no judgement of what stood before", async () => {
    const { asked, write, work } = typing();
    await settle();
    write("amount", "600");
    await settle();
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[1]?.answer(judged());
    asked[0]?.answer(judged({ amount: "0.00" }));
    await settle();
    expect(work.getState()).toMatchObject({ behind: true });
    // its charges were filled in, and that is judged too
    asked[2]?.answer(judged());
    await settle();
    expect(work.getState()).toMatchObject({ shown: { amount: "600.00" }, behind: false });
  });

  test("begins with the charges of the account that pays, unless somebody wrote charges", async () => {
    const one = typing();
    await settle();
    one.asked[0]?.answer(judged());
    await settle();
    expect(one.form.values).toMatchObject({ charges_type: "percent", charges_value: "0.5" });

    const other = typing();
    other.write("charges_value", "7");
    await settle();
    other.asked.at(-1)?.answer(judged());
    await settle();
    expect(other.form.values).toMatchObject({ charges_type: "fixed", charges_value: "7" });
  });

  test("asks nobody who only looked at it whether to discard what it filled in itself", async () => {
    const nothing = { labelOf: (name: string) => name, shows: () => true, refusalOf: () => null };
    const deps = { ...nothing, check: () => ({ body: {} }), send: () => Promise.reject(new Error("nothing is sent")) };
    const form = new FormSession(deps as unknown as FormDeps, { charges_type: "fixed", charges_value: "", reason: "" }, null); // what leaving reads
    const work = new DraftWork({
      session: form,
      draftOf: () => ({ kind: "clearing", source: till }),
      judge: async () => judged(),
    });
    const leave = work.start();
    await settle();
    expect(form.getState().values).toMatchObject({ charges_type: "percent", charges_value: "0.5" });
    expect(form.isChanged).toBe(false);
    form.write("reason", "closed");
    expect(form.isChanged).toBe(true);
    leave();
  });

  test("that came to nothing says so, and the next key tries again", async () => {
    const { asked, write, work } = typing();
    await settle();
    asked[0]?.fail();
    await settle();
    expect(work.getState()).toEqual({ shown: null, behind: false, failed: true });
    write("remark", "moved by hand");
    await settle();
    expect(asked).toHaveLength(2);
  });

  test("is judged no more once the form is left", async () => {
    const { asked, leave } = typing();
    leave();
    await settle();
    expect(asked.every(({ signal }) => signal.aborted)).toBe(true);
  });
});
