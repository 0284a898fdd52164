import { expect, test } from "vitest";
import { createTenant } from "../../src/server/tenants/create-tenant.ts";
import type { Hall } from "../support/hall.ts";
import { testHall } from "../support/hall.ts";
import { makeAccountOf } from "../support/people.ts";
import { rewrite, tabTo } from "./fields.ts";
import { Operator } from "./operator.ts";

const hall = testHall();

/** A tenant as whoever runs the installation makes it, and its owner at the console. */
async function firstDay({ db, open }: Hall) {
  const owner = await makeAccountOf(db, "Nurul Aisyah");
  const client = await db.owner.connect();
  const named = ["--code", "FIRST", "--name", "Mekong Harbour", "--currency", "MYR", "--owner", owner.email];
  await createTenant(client, named, () => undefined).finally(() => client.release());
  return new Operator(await open({ as: owner }), "us");
}

/** The steps as they are told, each with the word of its state. */
const told = async ({ page }: Operator) => {
  const all = await page.locator(".first-step").evaluateAll((steps) => steps.map((step) => step.className.replace("first-step ", "")));
  return all.join(" ");
};
const sheet = ({ page }: Operator) => page.locator(".sheet");
const underCursor = ({ page }: Operator) => page.locator(".first-step:focus b").innerText();

test("a new tenant’s owner is led through the first steps by keys alone: each is done or left out, and they are gone on with after a reload", async () => {
  const hands = await firstDay(hall);
  await hands.page.locator(".first-step:focus").waitFor();
  await hands.watch();
  expect([new URL(hands.page.url()).pathname, await told(hands), await underCursor(hands)]).toEqual([
    "/dashboard",
    "done open open open open",
    "Payment account",
  ]);

  // begun and let go: back where it was
  await hands.press("n");
  await sheet(hands).getByLabel("Code").waitFor();
  await hands.press("Escape");
  await hands.page.locator(".first-step:focus").waitFor();

  await hands.press("Enter");
  for (const [label, value] of [
    ["Code", "MBB-1"],
    ["Bank", "Maybank"],
    ["Account number", "5140123456"],
    ["Holder", "Mekong Harbour Sdn Bhd"],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- one field after the other
    await rewrite(sheet(hands).getByLabel(label), value);
  await hands.press("Enter", { mod: true });
  await hands.page.locator(".first-step:focus").waitFor();
  await expect.poll(() => told(hands)).toBe("done done open open open");
  expect(await underCursor(hands)).toBe("Merchant");

  await hands.press("s");
  await expect.poll(() => told(hands)).toBe("done done skipped open open");
  await hands.page.reload();
  await hands.page.locator(".first-step:focus").waitFor();
  expect([await told(hands), await underCursor(hands)]).toEqual(["done done skipped open open", "Payment group"]);

  await hands.press("Enter");
  await rewrite(sheet(hands).getByLabel("Name"), "Main");
  await hands.press("Enter", { mod: true });
  await hands.page.locator(".first-step:focus").waitFor();
  await expect.poll(() => told(hands)).toBe("done done skipped done open");

  await hands.press("n");
  await rewrite(sheet(hands).getByLabel("E-mail"), "siti@example.com");
  await hands.press("Enter");
  await rewrite(sheet(hands).getByLabel("Name"), "Siti Rahimah");
  await tabTo(sheet(hands).getByLabel("How they get in"));
  await hands.page.keyboard.type("Show");
  await hands.press("Enter", { mod: true });
  await hands.page.locator(".sheet", { hasText: "Temporary password of Siti Rahimah" }).waitFor();
  await hands.press("Enter", { mod: true });
  await hands.page.locator(".first-step:focus").waitFor();
  await expect.poll(() => told(hands)).toBe("done done skipped done done");
  await hands.page.getByText("Everything here is done or left out.").waitFor();

  // what was left out is done after all
  await hands.pressAll("j", "j");
  expect(await underCursor(hands)).toBe("Merchant");
  await hands.press("Enter");
  for (const [label, value] of [
    ["Code", "SHOP"],
    ["Name", "Night Market"],
    ["Deposit rate", "1.5"],
    ["Withdrawal rate", "1"],
    ["Settlement rate", "0.5"],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- one field after the other
    await rewrite(sheet(hands).getByLabel(label), value);
  await hands.press("Enter", { mod: true });
  await hands.page.locator(".first-step:focus").waitFor();
  await expect.poll(() => told(hands)).toBe("done done done done done");

  // another currency, from where it is written back to where it was asked for
  await hands.press("j");
  await hands.press("k");
  expect(await underCursor(hands)).toBe("Currency");
  await hands.press("Enter");
  await rewrite(hands.page.locator(".setting-body").getByLabel("Code"), "VND");
  await rewrite(hands.page.locator(".setting-body").getByLabel("Country"), "Viet Nam");
  await hands.press("Enter", { mod: true });
  await hands.page.locator(".first-step:focus").waitFor();

  await hands.press("h");
  await hands.page.locator(".board .figures [data-item]").first().waitFor();
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]").waitFor();
  await hands.page.keyboard.type("first steps");
  await hands.page.locator("[cmdk-item][aria-selected=true]", { hasText: "Show the first steps" }).waitFor();
  await hands.press("Enter");
  await hands.page.locator(".first-step:focus").waitFor();
  await tabTo(hands.page.getByRole("button", { name: "Put the first steps away" }));
  await hands.press("Enter");
  await hands.page.locator(".board .figures [data-item]").first().waitFor();
  await hands.page.reload();
  await hands.page.locator(".board .figures [data-item]").first().waitFor();
  expect(await hands.page.locator(".first-step").count()).toBe(0);

  const { rows } = await hall.db.owner.query(
    `select (select array_agg(code order by code) from currencies c where c.tenant_id = t.id) as currencies,
        (select count(*)::integer from payment_accounts a where a.tenant_id = t.id) as accounts,
        (select count(*)::integer from merchants m where m.tenant_id = t.id) as merchants,
        (select count(*)::integer from payment_groups g where g.tenant_id = t.id) as groups,
        (select count(*)::integer from memberships m where m.tenant_id = t.id) as people,
        (select open from first_steps s where s.tenant_id = t.id) as open
      from tenants t where code = 'FIRST'`,
  );
  expect(rows).toEqual([{ currencies: ["MYR", "VND"], accounts: 1, merchants: 1, groups: 1, people: 2, open: false }]);
});
