import { expect, test } from "vitest";
import { chosen, kinds } from "../../commands/transfers/make.ts";
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

test("which kind is meant is asked of a merchant while the bar names it, and of no row where any kind can be made", async () => {
  const { services, deeds } = notingServices();
  await chosen(kinds, services, aContext());
  await chosen(["settlement", "cash-out"], services, aContext());
  expect(deeds).toMatchObject([
    ["ask", "choice", { aimless: true, options: kinds.map((id) => ({ id })) }],
    ["ask", "choice", { options: [{ id: "settlement" }, { id: "cash-out" }] }],
  ]);
  expect(deeds[1]).not.toMatchObject(["ask", "choice", { aimless: true }]);
});
