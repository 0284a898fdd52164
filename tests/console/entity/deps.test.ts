import { expect, test } from "vitest";
import type { Api } from "../../../src/console/api/api.ts";
import { entityDeps } from "../../../src/console/entity/deps.ts";
import { vendors } from "../../../src/console/screens/vendors/vendors-entity.ts";

/** What is sent by the calls of a screen whose path names these records. */
function sentAt(params?: Readonly<Record<string, string>>) {
  const sent: object[] = [];
  const call = (_: unknown, what: object) => {
    sent.push(what);
    return Promise.resolve({ data: {}, meta: {} });
  };
  return { deps: entityDeps(vendors, call as unknown as Api["call"], params), sent }; // no answer is read here
}

test("the calls of a nested screen carry the ids of the records its path names, beside the record's own", async () => {
  const { deps, sent } = sentAt({ merchantUuid: "m" });
  await deps.list({ sort: "company" });
  await deps.read("v");
  await deps.create({ company: "Mekong" }, "key");
  await deps.remove({ uuid: "v", version: 2 });
  expect(sent).toEqual([
    { query: { sort: "company" }, params: { merchantUuid: "m" } },
    { params: { merchantUuid: "m", uuid: "v" } },
    { body: { company: "Mekong" }, params: { merchantUuid: "m" } },
    { params: { merchantUuid: "m", uuid: "v" }, query: { version: 2 } },
  ]);
});

test("a screen of its own sends no ids but the record's; nor does the read of another kind of record", async () => {
  const own = sentAt();
  await own.deps.list({ sort: "company" });
  const nested = sentAt({ merchantUuid: "m" });
  await nested.deps.readBy(vendors.routes.read, "c");
  expect([own.sent, nested.sent]).toEqual([[{ query: { sort: "company" } }], [{ params: { uuid: "c" } }]]);
});
