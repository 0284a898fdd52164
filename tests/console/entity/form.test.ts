import { z } from "zod";
import { describe, expect, test } from "vitest";
import { tenantMerchantRoutes } from "../../../src/contract/merchants.ts";
import type { Merchant } from "../../../src/contract/merchants.ts";
import { paymentAccountRoutes } from "../../../src/contract/payment-accounts.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import { refusalOf } from "../../../src/console/api/refusal.ts";
import { checkForm, formFields } from "../../../src/console/kit/form/fields.ts";
import { FormSession } from "../../../src/console/kit/form/session.ts";
import { aMerchant, aMerchantDetail } from "./records.ts";

const { createMerchant, updateMerchant } = tenantMerchantRoutes;
const fields = [...formFields(createMerchant.body, updateMerchant.body).values()];
const names = fields.filter(({ fixed }) => !fixed).map(({ name }) => name);
const valuesOf = (row: object) => Object.fromEntries(names.map((name) => [name, (row as Record<string, string | null>)[name] ?? ""])); // every field of the form is a text or null

describe("a form's fields come from the route's schema", () => {
  test("each merchant field gets the control its rule asks for", () => {
    expect(Object.fromEntries(fields.map(({ name, control }) => [name, control]))).toEqual({
      name: "text",
      deposit_rate: "rate",
      withdrawal_rate: "rate",
      settlement_rate: "rate",
      charges_borne_by: "choice",
      website_url: "url",
      backoffice_url: "url",
      callback_url: "url",
      whitelist_ips: "list",
      groups: "references",
      code: "text",
    });
  });

  test("a field whose control the contract does not declare is refused, not guessed", () =>
    expect(() => formFields(z.object({ note: z.string() }))).toThrow("the field note has no control"));

  test("what must be filled in, and what is fixed after creation, is known", () => {
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      "name",
      "deposit_rate",
      "withdrawal_rate",
      "settlement_rate",
      "charges_borne_by",
      "code",
    ]);
    expect(fields.filter(({ fixed }) => fixed).map(({ name }) => name)).toEqual(["code"]);
  });

  test("an account's amounts are amounts, needed or not, and its long text has lines", () => {
    const of = formFields(paymentAccountRoutes.createPaymentAccount.body, paymentAccountRoutes.updatePaymentAccount.body);
    expect(of.get("threshold")).toMatchObject({ control: "amount", required: true });
    expect(of.get("deposit_minimum")).toMatchObject({ control: "amount", required: false });
    expect(of.get("holder")).toMatchObject({ control: "text", required: true, maximum: 120 });
    expect(of.get("account_number")).toMatchObject({ control: "text", required: true, fixed: true });
    expect(of.get("type")).toMatchObject({ control: "choice", choices: ["normal", "atm", "backup"] });
    expect([...of.keys()]).not.toContain("version");
  });

  describe("an amount", () => {
    const { body } = paymentAccountRoutes.updatePaymentAccount;
    const known = [...formFields(paymentAccountRoutes.createPaymentAccount.body, body).values()];
    const account = {
      version: 1,
      holder: "Lim Wei",
      type: "normal",
      purpose: "both",
      method: "bank_transfer",
      reserve_amount: "0.00",
      threshold: "0.00",
      charges_type: "fixed",
      charges_value: "0.00",
      ...Object.fromEntries(
        ["deposit", "withdrawal"].flatMap((way) =>
          ["minimum", "maximum", "daily_limit", "monthly_limit"].map((bound) => [`${way}_${bound}`, ""]),
        ),
      ),
    };
    const check = (typed: object, minorDigits = 2) =>
      checkForm(body, { ...account, ...typed }, known, ({ name }, { code }) => `${name} ${code}`, minorDigits);

    test("is taken as the product writes it", () =>
      expect(check({ threshold: "1,000.50", deposit_minimum: " 10,000 " })).toMatchObject({
        body: { threshold: "1000.50", deposit_minimum: "10000" },
      }));

    test("has no more decimals than its currency", () => {
      expect(check({ threshold: "100.555", reserve_amount: "1.50" })).toEqual({ lines: { threshold: ["threshold too_fine"] } });
      expect(check({ threshold: "100.5" }, 0)).toEqual({ lines: { threshold: ["threshold too_fine"] } });
    });

    test("of charges is one where they are fixed, and a percentage with decimals of its own where they are not", () => {
      expect(check({ charges_type: "fixed", charges_value: "0.555" })).toEqual({ lines: { charges_value: ["charges_value too_fine"] } });
      expect(check({ charges_type: "fixed", charges_value: "1.5" }, 0)).toEqual({ lines: { charges_value: ["charges_value too_fine"] } });
      expect(check({ charges_type: "percent", charges_value: "0.555" }, 0)).toMatchObject({ body: { charges_value: "0.555" } });
    });

    test("with a comma elsewhere is none", () =>
      expect(check({ threshold: "1,50" })).toEqual({ lines: { threshold: ["threshold custom"] } }));
  });

  test("what the schema refuses is told by field, once, and of an empty one that it is missing", () => {
    const typed = { ...valuesOf(aMerchant()), name: " ", deposit_rate: "101", withdrawal_rate: "", website_url: "x", version: 1 };
    const checked = checkForm(updateMerchant.body, typed, fields, ({ name }, { code }) => `${name} ${code}`, 2);
    expect(checked).toEqual({
      lines: {
        name: ["name missing"],
        deposit_rate: ["deposit_rate invalid_format"],
        withdrawal_rate: ["withdrawal_rate missing"],
        website_url: ["website_url custom"],
      },
    });
  });
});

interface Sent {
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string;
}

/** A form of a merchant before a server that answers in turn as told, and then grants. */
function open(answers: unknown[] = [], now: Merchant = aMerchant()) {
  const sent: Sent[] = [];
  const session = new FormSession(
    {
      check: (values, version) => checkForm(updateMerchant.body, { ...values, version }, fields, (_, { message }) => message, 2),
      async send(body, key) {
        sent.push({ body, key });
        const answer = answers.shift();
        if (answer) throw answer;
        return aMerchant({ ...(body as Partial<Merchant>), version: Number(body["version"]) + 1 }); // the schema has just checked it
      },
      current: async () => aMerchantDetail(now),
      valuesOf: ({ row }) => valuesOf(row),
      shows: (name) => names.includes(name),
      labelOf: (name) => ({ secret: "Geheimnis" })[name] ?? name,
      refusalOf: (error) => ({ ...refusalOf(error), words: error instanceof CallFailure ? error.code || error.kind : "" }),
    },
    valuesOf(aMerchant()),
    1,
  );
  return { session, sent };
}

const refused = (status: number, code: string, data?: unknown) => new CallFailure("refused", { status, code, data });

describe("saving", () => {
  test("what the schema refuses is not sent, and stays as it was typed", async () => {
    const { session, sent } = open();
    session.write("deposit_rate", "a lot");
    expect(await session.save()).toBe("open");
    expect(sent).toEqual([]);
    expect(session.getState()).toMatchObject({ values: { deposit_rate: "a lot" }, refusals: 1 });
    expect(Object.keys(session.getState().lines)).toEqual(["deposit_rate"]);
  });

  test("a 422 stands at its field, what has no field above them all, and nothing typed is lost", async () => {
    const { session } = open([refused(422, "request.invalid", { callback_url: ["Must be a public address"], secret: ["is missing"] })]);
    session.write("callback_url", "https://10.0.0.1/");
    session.write("name", "Lagoon");
    expect(await session.save()).toBe("open");
    expect(session.getState()).toMatchObject({
      lines: { callback_url: ["Must be a public address"] },
      others: ["Geheimnis: is missing"],
      values: { callback_url: "https://10.0.0.1/", name: "Lagoon" },
      saving: false,
    });
  });

  test("writing into a field takes its line away, and only its", async () => {
    const { session } = open([refused(422, "request.invalid", { name: ["Already taken"], callback_url: ["is wrong"] })]);
    session.write("name", "Lagoon");
    await session.save();
    session.write("name", "Lagoon 2");
    expect(session.getState().lines).toEqual({ callback_url: ["is wrong"] });
  });

  test("a refusal without fields is told above them", async () => {
    const { session } = open([refused(404, "not-found")]);
    session.write("name", "Lagoon");
    await session.save();
    expect(session.getState().others).toEqual(["not-found"]);
  });

  test("without an answer the same is sent again under the same key; changed, under another", async () => {
    const { session, sent } = open([new CallFailure("no-response"), new CallFailure("no-response")]);
    session.write("name", "Lagoon");
    await session.save();
    await session.save();
    session.write("name", "Lagoon 2");
    await session.save();
    expect(sent[0]?.key).toBe(sent[1]?.key);
    expect(sent[2]?.key).not.toBe(sent[1]?.key);
  });

  test("pressed twice, it is sent once", async () => {
    const { session, sent } = open();
    session.write("name", "Lagoon");
    await Promise.all([session.save(), session.save()]);
    expect(sent).toHaveLength(1);
  });

  test("what was saved is changed no more, so that whoever leaves is not asked; what was typed meanwhile is", async () => {
    const { session } = open();
    session.write("name", "Lagoon");
    const saved = session.save();
    expect(session.isChanged).toBe(true);
    await saved;
    expect(session.isChanged).toBe(false);
    expect(session.origin.version).toBe(2);
    session.write("name", "Lagoon 2");
    const again = session.save();
    session.write("website_url", "https://lagoon.example/");
    await again;
    expect(session.isChanged).toBe(true);
  });

  test("nothing changed is not sent", async () => {
    const { session, sent } = open();
    session.write("name", "Lagoon");
    session.write("name", "Harbour Play");
    expect(session.isChanged).toBe(false);
    expect(await session.save()).toBe("unchanged");
    expect(sent).toEqual([]);
  });
});

describe("another was faster", () => {
  const theirs = aMerchant({ version: 2, name: "Named by Dewi", withdrawal_rate: "2.00" });

  test("both sides are shown for what differs: mine where I wrote, theirs where I did not", async () => {
    const { session } = open([refused(409, "record.stale")], theirs);
    session.write("name", "Named by me");
    session.write("deposit_rate", "3");
    expect(await session.save()).toBe("open");
    const { conflict } = session.getState();
    expect(conflict?.by).toEqual({ name: "Dewi Wulandari", at: "2026-11-21T06:00:00.000Z" });
    expect(conflict?.differences).toEqual([
      { name: "name", mine: "Named by me", theirs: "Named by Dewi", take: "mine" },
      { name: "deposit_rate", mine: "3", theirs: "1.50", take: "mine" },
      { name: "withdrawal_rate", mine: "1.00", theirs: "2.00", take: "theirs" },
    ]);
  });

  test("saved again it is what was chosen, over their version", async () => {
    const { session, sent } = open([refused(409, "record.stale")], theirs);
    session.write("name", "Named by me");
    session.write("deposit_rate", "3");
    await session.save();
    session.take("theirs", "name");
    expect(await session.save()).toMatchObject({ row: { version: 3 } });
    expect(sent[1]?.body).toMatchObject({ version: 2, name: "Named by Dewi", deposit_rate: "3", withdrawal_rate: "2.00" });
  });

  test("all of theirs taken, nothing is left to save", async () => {
    const { session, sent } = open([refused(409, "record.stale")], theirs);
    session.write("name", "Named by me");
    await session.save();
    session.take("theirs");
    expect(await session.save()).toEqual({ row: theirs });
    expect(sent).toHaveLength(1);
  });

  test("who wrote the same is told of nothing", async () => {
    const { session } = open([refused(409, "record.stale")], aMerchant({ version: 2, name: "Lagoon" }));
    session.write("name", "Lagoon");
    expect(await session.save()).toMatchObject({ row: { version: 2 } });
  });

  test("back in the form the choice stands, and leaving it still asks", async () => {
    const { session } = open([refused(409, "record.stale")], theirs);
    session.write("deposit_rate", "3");
    await session.save();
    expect(session.isChanged).toBe(true);
    session.settle();
    expect(session.getState()).toMatchObject({ conflict: null, values: { name: "Named by Dewi", deposit_rate: "3" } });
    expect(session.isChanged).toBe(true);
  });
});
