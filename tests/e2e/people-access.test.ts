import { expect, test } from "vitest";
import { createTenant } from "../../src/server/tenants/create-tenant.ts";
import { testHall } from "../support/hall.ts";
import { makeAccountOf, ownerOf } from "../support/people.ts";
import { atRest } from "./at-rest.ts";
import { faultsInBothThemes } from "./faults.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

test("axe finds nothing on the first steps of a new tenant in either theme", async () => {
  const owner = await makeAccountOf(hall.db, "Nurul Aisyah");
  const client = await hall.db.owner.connect();
  const named = ["--code", "AXE", "--name", "Mekong Harbour", "--currency", "MYR", "--owner", owner.email];
  await createTenant(client, named, () => undefined).finally(() => client.release());
  const page = await hall.open({ as: owner });
  await page.locator(".first-step:focus").waitFor();
  expect(await faultsInBothThemes(page), "all open but the currency").toEqual([]);
  await page.keyboard.press("s");
  await page.locator(".first-step.skipped").waitFor();
  expect(await faultsInBothThemes(page), "one left out").toEqual([]);
});

test("axe finds nothing on users, the sheets that add and edit one, user groups and the audit log in either theme", async () => {
  const { office } = await makeFloor(hall, 1);
  const { email } = await makeAccountOf(hall.db, "Ben Ooi");
  const hands = await sitDown(hall, { operator: { ...(await ownerOf(hall.db, office.tenant)), email, password: "", rights: [] } }, "us", {
    path: "/users",
  });
  const { page } = hands;
  const open = async (path: string) => {
    await page.goto(hall.url() + path);
    await page.locator(".entity .detail-pane h2").first().waitFor();
    await atRest(page);
  };
  await open("/users");
  expect(await faultsInBothThemes(page), "users").toEqual([]);
  await hands.press("e");
  await page.locator(".sheet [data-permission]").first().waitFor();
  expect(await faultsInBothThemes(page), "matrix").toEqual([]);
  await open("/users");
  await hands.press("c");
  await page.locator(".sheet").getByLabel("E-mail").waitFor();
  await page.keyboard.type(email);
  await hands.press("Enter");
  await page.locator(".sheet").getByText("has an account and can be invited.").waitFor();
  expect(await faultsInBothThemes(page), "invitation").toEqual([]);
  await open("/user-groups");
  expect(await faultsInBothThemes(page), "user groups").toEqual([]);
  await open("/audit-log");
  expect(await faultsInBothThemes(page), "audit log").toEqual([]);
  await page.keyboard.press("Shift+V");
  await page.locator(".sheet .whole").waitFor();
  expect(await faultsInBothThemes(page), "chain").toEqual([]);
});
