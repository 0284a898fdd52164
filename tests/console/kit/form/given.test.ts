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

test("they follow the record chosen: the last one counts, values that have no field there are not sent, and a failed one can be tried again", async () => {
  const answers = new Map([
    ["a", Promise.resolve(terminals)],
    ["b", Promise.resolve(fieldsOf(attribute("Weight", "number")))],
  ]);
  const load = (uuid: string) => answers.get(uuid) ?? Promise.reject(new Error("no such record"));
  const given = new GivenByField({ attributes: { by: "category", load } }, () => undefined);
  const values = { category: "a", attributes: '{"version":"2","Weight":"5"}' };
  expect(given.of("attributes")).toBe("none");
  given.follow(values);
  expect(given.of("attributes")).toBe("loading");
  given.follow({ ...values, category: "b" });
  await Promise.all(answers.values());
  await Promise.resolve();
  expect(given.kept(values)["attributes"]).toBe('{"Weight":"5"}');
  given.follow({ ...values, category: "gone" });
  await expect.poll(() => given.of("attributes")).toBe("failed");
  given.follow(values);
  await expect.poll(() => given.of("attributes")).toBe(terminals);
  expect(given.kept(values)["attributes"]).toBe('{"version":"2","Colour":"red","Weight":"5"}');
});
