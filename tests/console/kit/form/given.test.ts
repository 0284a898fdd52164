import { expect, test } from "vitest";
import { attributeForm } from "../../../../src/contract/vendor-attributes.ts";
import type { Attribute } from "../../../../src/contract/vendor-attributes.ts";
import { GivenByField, givenFields } from "../../../../src/console/kit/form/given.ts";

const attribute = (name: string, type: Attribute["type"], required = false): Attribute => ({ name, type, options: "red, blue", required });
const fieldsOf = (...attributes: Attribute[]) => givenFields(attributeForm(attributes), (_, { code }) => code);
const terminals = fieldsOf(attribute("version", "text", true), attribute("Colour", "options", true), attribute("Weight", "number"));

test("the fields are the record's own, by their types; any name is one", () => {
  expect(terminals.fields.map(({ name, control, required, choices }) => [name, control, required, choices])).toEqual([
    ["version", "text", true, []],
    ["Colour", "choice", true, ["red", "blue"]],
    ["Weight", "text", false, []],
  ]);
  expect(Object.keys(terminals.check({ Colour: "red", Weight: "heavy" }))).toEqual(["version", "Weight"]);
});

const weights = fieldsOf(attribute("Weight", "number"));
const [first, second] = ["aaaaaaaa-1111-4111-8111-111111111111", "bbbbbbbb-1111-4111-8111-111111111111"] as const;
const values = { category: first, attributes: '{"version":"2","Weight":"5"}' };

test("they follow the record chosen, and values that have no field there are not sent", async () => {
  const load = (uuid: string) => Promise.resolve(uuid === first ? terminals : weights);
  const given = new GivenByField({ attributes: { by: "category", load } }, () => undefined);
  expect(given.of("attributes")).toBe("none");
  given.follow(values);
  expect(given.of("attributes")).toBe("loading");
  await expect.poll(() => given.of("attributes")).toBe(terminals);
  expect(given.kept(values)["attributes"]).toBe('{"version":"2","Colour":"red","Weight":"5"}');
  given.follow({ ...values, category: second });
  await expect.poll(() => given.of("attributes")).toBe(weights);
  expect(given.kept(values)["attributes"]).toBe('{"Weight":"5"}');
});

test("an answer for a record chosen earlier is dropped when it comes last", async () => {
  const [one, other] = [Promise.withResolvers<typeof terminals>(), Promise.withResolvers<typeof terminals>()];
  const load = (uuid: string) => (uuid === first ? one : other).promise;
  const given = new GivenByField({ attributes: { by: "category", load } }, () => undefined);
  given.follow(values);
  given.follow({ ...values, category: second });
  other.resolve(weights);
  await expect.poll(() => given.of("attributes")).toBe(weights);
  one.resolve(terminals);
  await one.promise;
  await Promise.resolve(); // the form takes what it awaited after this test does
  expect(given.of("attributes")).toBe(weights);
});

test("a record whose fields did not come is asked for again", async () => {
  let asked = 0;
  const load = () => (++asked === 1 ? Promise.reject(new Error("no answer")) : Promise.resolve(terminals));
  const given = new GivenByField({ attributes: { by: "category", load } }, () => undefined);
  given.follow(values);
  await expect.poll(() => given.of("attributes")).toBe("failed");
  given.follow(values);
  await expect.poll(() => given.of("attributes")).toBe(terminals);
});
