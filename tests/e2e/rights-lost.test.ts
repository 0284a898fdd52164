import type { Page } from "playwright";
import { expect, test } from "vitest";
import type { Employee } from "../support/hall.ts";
import { testHall } from "../support/hall.ts";
import { ask, sessionOf } from "../support/http.ts";
import { ownerOf } from "../support/people.ts";
import { atRest } from "./at-rest.ts";
import type { Floor } from "./floor.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();
const withdrawals = "pas.transaction.withdrawals";
const deposits = "pas.transaction.deposits";

/** The group that an operator has of their own. */
async function groupOf({ id }: Employee): Promise<string> {
  const { rows } = await hall.db.owner.query<{ group: string }>('select group_id as "group" from membership_groups where user_id = $1', [
    id,
  ]);
  return rows[0]?.group ?? "";
}

/** What the group gives is narrowed by the tenant's owner, as on another screen; `version`: how often it was before, and one. */
async function leave({ office }: Floor, operator: Employee, permissions: readonly string[], version = 1): Promise<void> {
  const { deps, app } = hall.server();
  const { access_token: token } = await sessionOf(deps, (await ownerOf(hall.db, office.tenant)).id);
  const answer = await ask({ app, deps, published: [], url: hall.url() }, "updateUserGroup", {
    token,
    tenant: office.tenant.id,
    params: { uuid: await groupOf(operator) },
    body: { name: "Siti", permissions, version },
  });
  expect(answer.status, answer.text).toBe(200);
}

/** Each act on withdrawals and each reading of the rights, with its answer, in their order; readings of the list are no acts. */
function calls(page: Page): string[] {
  const all: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    const name = pathname.split("/").at(-1) ?? "";
    const act = pathname.includes("/withdrawals/") && response.request().method() !== "GET";
    if (act || name === "context") all.push(`${name} ${response.status()}`);
  });
  return all;
}

const statuses = async ({ office }: Floor) => {
  const { rows } = await hall.db.owner.query<{ status: string }>(
    "select distinct status from transactions where tenant_id = $1 and kind = 'withdrawal'",
    [office.tenant.id],
  );
  return rows.map(({ status }) => status);
};

test("once they are told, button, key and palette entry are gone without a reload, then the screen itself", async () => {
  const floor = await makeFloor(hall, 1);
  const operator = await hall.employ(floor.office, "Siti", [
    "profile.view",
    ...["view", "process", "approve"].map((act) => `${withdrawals}.${act}`),
  ]);
  const hands = await sitDown(hall, { operator });
  await hands.page.locator(".stat .aim .id").waitFor();
  const approve = hands.page.locator(".acts .btn.go");
  await approve.waitFor();
  await hands.page.locator(".stat .dot:not(.wait, .bad, .off)").waitFor();
  await atRest(hands.page);
  const loads: string[] = [];
  hands.page.on("load", () => loads.push(hands.page.url()));
  const sent = calls(hands.page);

  await leave(floor, operator, ["profile.view", `${withdrawals}.view`]);
  await approve.waitFor({ state: "detached" });
  await hands.press("a");
  await hands.said(/right/i);
  await hands.press("t");
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]").waitFor();
  await hands.page.keyboard.type(">approve");
  await hands.page.locator(".pal").waitFor();
  expect(await hands.page.locator("[cmdk-item]", { hasText: "Approve" }).count()).toBe(0);
  await hands.press("Escape");
  await hands.press("Escape");
  await atRest(hands.page);
  expect(sent.filter((one) => !one.startsWith("context "))).toEqual([]);
  expect(await statuses(floor)).toEqual(["pending"]);

  await leave(floor, operator, ["profile.view"], 2);
  await hands.page.waitForURL((url) => url.pathname === "/forbidden");
  expect(loads).toEqual([]);
});

test("before they are told, an act on a row is answered 403: the rights are loaded again, it is sent once more, and the forbidden page comes", async () => {
  const floor = await makeFloor(hall, 1);
  const operator = await hall.employ(floor.office, "Siti", [
    "profile.view",
    ...["view", "process", "approve"].map((act) => `${withdrawals}.${act}`),
  ]);
  const hands = await sitDown(hall, { operator });
  await hands.press("q");
  await hands.look();
  await atRest(hands.page);
  const sent = calls(hands.page);
  // past the server, so that nobody is told
  await hall.db.owner.query("update user_groups set permissions = $2 where id = $1", [
    await groupOf(operator),
    ["profile.view", `${withdrawals}.view`],
  ]);
  await hands.press("a");
  await hands.page.waitForURL((url) => url.pathname === "/forbidden");
  expect(sent.slice(0, 3)).toEqual(["approve 403", "context 200", "approve 403"]);
  expect(await statuses(floor)).toEqual(["process"]);
  // what went is named
  await hands.page.getByText(`Required right: ${withdrawals}.approve`).waitFor();
});

test("the socket hears no more of what may not be seen any more, and still of what may", async () => {
  const floor = await makeFloor(hall, 1);
  const operator = await hall.employ(floor.office, "Siti", ["profile.view", `${withdrawals}.view`, `${deposits}.view`]);
  const heard: string[] = [];
  const before = async (page: Page) =>
    void page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        const { event } = JSON.parse(String(payload)) as { event: string };
        if (!event.startsWith("pusher")) heard.push(event);
      }),
    );
  const page = await hall.open({ as: operator, path: "/payment/deposits", before });
  await page.locator(".stat .dot:not(.wait, .bad, .off)").waitFor();
  await atRest(page);
  const { publisher } = hall.server().deps;
  const tell = async () => {
    const { id } = await floor.office.deposit(floor.merchant);
    for (const name of ["withdraw", "deposit"] as const) publisher.changed(floor.office.tenant.id, name, [id]);
    await publisher.flush();
  };
  await tell();
  await expect.poll(() => heard).toEqual(expect.arrayContaining(["withdraw", "deposit"]));

  await leave(floor, operator, ["profile.view", `${deposits}.view`]);
  const own = page.locator(".ctr");
  await expect.poll(() => own.count()).toBe(1);
  heard.length = 0;
  await tell();
  await expect.poll(() => heard).toContain("deposit");
  expect(heard).not.toContain("withdraw");
});
