import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeAccountOf, makeUserGroup } from "../support/people.ts";
import { enableTwoFactor } from "../support/sign-in.ts";
import { rewrite, tabTo } from "./fields.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();
const type = (hands: Operator, text: string) => hands.page.keyboard.type(text);
const sheet = (hands: Operator) => hands.page.locator(".sheet");
/** The record under the cursor, in its detail. */
const detail = (hands: Operator) => hands.page.locator(".detail-pane");

/** What the palette finds first. */
async function command(hands: Operator, words: string, name: string): Promise<void> {
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]").waitFor();
  await type(hands, words);
  await hands.page.locator("[cmdk-item][aria-selected=true]", { hasText: name }).waitFor();
  await hands.press("Enter");
}

async function lookUp(hands: Operator, email: string): Promise<void> {
  await hands.press("c");
  await rewrite(sheet(hands).getByLabel("E-mail"), email);
  await hands.press("Enter");
}

/** In the open form's groups: takes the last one out, where there is one, and puts this one in. */
async function moveTo(hands: Operator, group: string, from = false): Promise<void> {
  await tabTo(sheet(hands).getByRole("combobox", { name: /^Groups/ }));
  // the first chooses it, the second takes it out
  for (const key of from ? ["Backspace", "Backspace"] : []) await hands.page.keyboard.press(key); // oxlint-disable-line no-await-in-loop -- one after the other
  await type(hands, group);
  await hands.page.locator("[role=option][aria-selected=true]", { hasText: group }).waitFor();
  await hands.press("Enter");
}

test("one is invited, one created and given rights and a group, moved, put back to one factor and suspended, and the log tells it all: by keys alone", async () => {
  const { office } = await makeFloor(hall, 0);
  const { email: known } = await makeAccountOf(hall.db, "Ben Ooi");
  const unknown = `${randomUUID()}@example.com`;
  for (const name of ["Day shift", "Night shift"])
    // oxlint-disable-next-line no-await-in-loop -- two
    await makeUserGroup(hall.db, office.tenant, ["vs.vendor.vendors.view"], { name });
  const rights = ["view", "invite", "create", "update", "change-status", "reset-two-factor"].map((act) => `cas.user.users.${act}`);
  const operator = await hall.employ(office, "Nurul Aisyah", [
    ...rights,
    "cas.user.groups.view",
    "audit-log.view",
    "vs.vendor.vendors.view",
    "vs.vendor.items.view",
  ]);
  const hands = await sitDown(hall, { operator }, "us", { path: "/users" });
  await hands.page.getByRole("grid", { name: "Users" }).waitFor();
  await hands.page.locator(".stat .aim .id").waitFor();
  await hands.watch();

  await lookUp(hands, known);
  await sheet(hands).getByText("has an account and can be invited.").waitFor();
  await hands.press("Enter", { mod: true });
  await hands.said(/Invited: /);

  await lookUp(hands, unknown);
  await sheet(hands).getByText("User not found").waitFor();
  await rewrite(sheet(hands).getByLabel("Name"), "Farah Aziz");
  await tabTo(sheet(hands).getByLabel("How they get in"));
  await type(hands, "Show");
  await hands.press("Enter", { mod: true });
  await hands.page.locator(".sheet", { hasText: "Temporary password of Farah Aziz" }).waitFor();
  await hands.press("Enter", { mod: true });
  await expect.poll(() => sheet(hands).count()).toBe(0);

  await hands.press("/");
  await type(hands, "Farah");
  await hands.page.getByText("1 row", { exact: true }).waitFor();
  await hands.press("Enter");
  await hands.page.locator(".stat .aim .id", { hasText: "Farah Aziz" }).waitFor();
  const { rows } = await hall.db.owner.query<{ id: string }>("select id from users where email = $1", [unknown]);
  const farah = rows[0]?.id ?? "";
  await enableTwoFactor(hall.db, office.deps, farah);

  await hands.press("e");
  await moveTo(hands, "Day shift");
  const box = sheet(hands).locator('[data-permission="vs.vendor.items.view"]');
  await tabTo(sheet(hands).locator("[data-permission][tabindex='0']"));
  await hands.press("/");
  await type(hands, "vs.vendor.items");
  await hands.press("ArrowDown");
  await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
  await hands.page.keyboard.press("Space");
  await sheet(hands).locator(".rights-foot .change.gives").waitFor();
  await hands.press("Enter", { mod: true });
  await hands.said(/Saved: Farah Aziz/);
  await detail(hands).getByText("Day shift").first().waitFor();

  await hands.press("e");
  await moveTo(hands, "Night shift", true);
  await hands.press("Enter", { mod: true });
  await expect.poll(() => detail(hands).locator(".ln", { hasText: "Groups" }).first().innerText()).toContain("Night shift");
  const held = await hall.db.owner.query(
    `select m.permissions as direct, array_agg(g.name) as groups from memberships m
      join membership_groups mg on mg.tenant_id = m.tenant_id and mg.user_id = m.user_id
      join user_groups g on g.id = mg.group_id where m.tenant_id = $1 and m.user_id = $2 group by 1`,
    [office.tenant.id, farah],
  );
  expect(held.rows).toEqual([{ direct: ["vs.vendor.items.view"], groups: ["Night shift"] }]);

  await command(hands, "reset two-factor", "Reset two-factor");
  await hands.page.locator(".sheet", { hasText: "Reset the two-factor sign-in of Farah Aziz?" }).waitFor();
  await hands.press("Enter", { mod: true });
  await hands.said(/Two-factor sign-in of Farah Aziz is off/);

  await command(hands, "change the status", "Change the status");
  await hands.page.locator(".pal .asked", { hasText: "Change the status of" }).waitFor();
  await type(hands, "susp");
  await hands.page.locator("[cmdk-item][aria-selected=true]", { hasText: "Suspended" }).waitFor();
  await hands.press("Enter");
  await hands.page.locator(".sheet textarea, .sheet input").first().waitFor();
  await type(hands, "left us");
  await hands.press("Enter", { mod: true });
  await hands.said(/Farah Aziz is now/);

  // from the history of the record to all that the log has of it, from there to the proof
  await tabTo(detail(hands).getByRole("link", { name: "In the audit log" }));
  await hands.press("Enter");
  const log = hands.page.getByRole("grid", { name: "Audit log" });
  await log.waitFor();
  const acts = async () => (await log.locator(".rows .row[aria-rowindex]").allInnerTexts()).map((row) => row.replaceAll("\n", " "));
  await expect.poll(async () => (await acts()).length).toBeGreaterThanOrEqual(5);
  const told = await acts();
  for (const [n, act] of ["Status changed", "Two-factor reset", "Changed", "Changed", "Created"].entries())
    expect(told[n], told.join("\n")).toMatch(new RegExp(`Nurul Aisyah.*${act}.*User.*Farah Aziz`));
  expect(told[0]).toContain("left us");
  await detail(hands).getByText("Changes").first().waitFor();
  await hands.page.keyboard.press("Shift+V");
  await sheet(hands)
    .getByText(/^Whole to its head/)
    .waitFor();
  await hands.press("Escape");
  await expect.poll(() => sheet(hands).count()).toBe(0);

  // of everybody: what was done before there was a record, and of whom nothing is told before they accept
  await command(hands, ":al", "Audit log");
  await expect.poll(async () => (await acts()).filter((act) => act.includes("Looked up")).length).toBe(2);
  expect((await acts()).filter((act) => /Nurul Aisyah.*Invited.*User/.test(act))).toHaveLength(1);
  expect((await acts()).join("\n")).not.toContain("Ben Ooi");

  // and from the entry to the record it tells of
  await hands.press("/");
  await type(hands, unknown);
  await expect.poll(async () => (await acts())[0]).toMatch(/Status changed.*Farah Aziz/);
  await hands.press("Enter");
  await tabTo(detail(hands).getByRole("link", { name: "Farah Aziz" }));
  await hands.press("Enter");
  await hands.page.waitForURL((url) => url.pathname === "/users" && url.searchParams.get("record") === farah);
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});
