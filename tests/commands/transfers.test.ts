import { expect, test } from "vitest";
import { offerRecall } from "../../commands/transfers/recall.ts";
import { aContext, notingServices } from "../console/kit/fakes.ts";
import { aTransfer } from "../console/transfers/rows.ts";

const offeredTo = (rights: readonly string[]) => {
  const { services, deeds } = notingServices();
  offerRecall(aTransfer(), services, aContext({ permissions: { "pas.transaction.transfers": [...rights] } }));
  return deeds.map(([deed]) => deed);
};

test("what was just made can be taken back by who may recall, and nobody else is offered the key", () => {
  expect(offeredTo(["recall"])).toEqual(["pushUndo"]);
  expect(offeredTo(["create"])).toEqual([]);
});
