import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Answering } from "../support/answering.ts";
import { startAnswering } from "../support/answering.ts";
import { setSettings } from "../support/factories.ts";
import type { Employee } from "../support/hall.ts";
import { testHall } from "../support/hall.ts";
import { makeMasterAccount } from "../support/master-accounts.ts";
import { atRest } from "./at-rest.ts";
import { focused } from "./clerk.ts";
import { rewrite, tabTo } from "./fields.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Floor } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall({ environment: { DEVELOPMENT: "true" } });
const rights = ["view", "create", "update", "check-credit", "view-credentials"].map((act) => `gps.provider.master-accounts.${act}`);
const key = "sesame-4711";
let provider: Answering;

beforeAll(async () => {
  provider = await startAnswering();
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.answer = ({ url = "", headers }, response) => {
    response.writeHead(url.includes("down") ? 503 : 200);
    response.end(`{"data":{"balance":"815.25","currency":"MYR","credit":true},"heard":"${String(headers["x-api-key"])}"}`);
  };
});

const field = (hands: Operator, label: string) => hands.page.locator(".sheet").getByLabel(label, { exact: true });
const rows = (hands: Operator) => hands.page.locator(".grid .rows .row[aria-rowindex]");
const detail = (hands: Operator) => hands.page.locator(".detail-pane");
/** The line of a record's detail, by its name. */
const line = (hands: Operator, name: string) =>
  detail(hands)
    .locator(".ln", { has: hands.page.getByText(name, { exact: true }) })
    .first();

/** Somebody who may do all with master accounts, at their list, which is the first page they get; `before`: makes what is listed there. */
async function sit(before?: (at: Floor) => Promise<void>): Promise<{ at: Floor; hands: Operator; person: Employee }> {
  const at = await makeFloor(hall, 0);
  await setSettings(hall.db, at.office.tenant, { loopback_callbacks: true });
  await before?.(at);
  const person = await hall.employ(at.office, "Farah Aziz", rights);
  return { at, person, hands: await sitDown(hall, { operator: person }) };
}

async function open(hands: Operator): Promise<void> {
  await hands.pressAll("g", "j");
  await hands.page.getByRole("grid", { name: "Master accounts" }).waitFor();
}

/** Answers the question who one is. */
async function prove(hands: Operator, person: Employee): Promise<void> {
  const question = hands.page.getByRole("dialog", { name: "Is it still you?" });
  await question.waitFor();
  await expect.poll(() => focused(hands.page)).toBe("Password");
  await hands.page.keyboard.type(person.password);
  await hands.press("Enter");
  await question.waitFor({ state: "detached" });
}

/** A command without a key, by the palette. */
async function command(hands: Operator, name: string): Promise<void> {
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]").waitFor();
  await hands.page.keyboard.type(name.toLowerCase());
  await hands.page.locator("[cmdk-item][aria-selected=true]", { hasText: name }).waitFor();
  await hands.press("Enter");
}

test("an account is made, tried in the form with its secrets masked, saved, checked and its credentials shown after a proof: by keys alone", async () => {
  const { at, hands, person } = await sit();
  await hall.db.owner.query("update sessions set proved_at = now() - interval '11 minutes' where user_id = $1", [person.id]);
  await open(hands);
  await hands.watch();
  await hands.press("c");
  for (const [label, text] of [
    ["Code", "LOTUS-1"],
    ["Name", "Lotus Slots"],
    ["Upline", "Lotus Group"],
    ["Critical below", "900"],
    ["Credentials (JSON)", `{"key": "${key}"}`],
    ["Address", `${provider.url}/credit?as={{key}}`],
  ] as const)
    await rewrite(hands.page.locator(".sheet").getByLabel(new RegExp(`^${label.replaceAll(/[()]/g, "\\$&")}`)), text);
  await tabTo(hands.page.locator(".sheet .rows-control .btn").last());
  await hands.press("Enter");
  await rewrite(field(hands, "Header, row 1"), "X-Api-Key");
  await rewrite(field(hands, "Value, row 1"), "{{key}}");
  await rewrite(hands.page.locator(".sheet").getByLabel(/^Time-out, seconds/), "5");
  await rewrite(hands.page.locator(".sheet").getByLabel(/^Balance at/), "/data/balance");
  await rewrite(hands.page.locator(".sheet").getByLabel(/^Has credit at/), "/data/credit");

  await tabTo(hands.page.locator(".sheet").getByRole("button", { name: "Try it" }));
  await hands.press("Enter");
  await prove(hands, person);
  const tried = hands.page.getByRole("region", { name: "Try it" });
  await tried.getByText("815.25").first().waitFor();
  const told = await tried.innerText();
  expect(told).toContain(`GET ${provider.url}/credit?as=`);
  expect(told).toContain("X-Api-Key: ");
  expect(told).toContain("HTTP 200");
  expect(told).toContain('"balance":"815.25"');
  expect(told, "neither the request nor the echo in the answer").not.toContain(key);
  expect(provider.asked.at(-1)?.request.headers["x-api-key"]).toBe(key);
  const count = async () => (await hall.db.owner.query("select from master_accounts where tenant_id = $1", [at.office.tenant.id])).rowCount;
  expect(await count(), "trying saves nothing").toBe(0);

  await hands.press("Enter", { mod: true });
  await hands.said(/Created: (LOTUS-1|Lotus Slots)/);
  await expect.poll(() => hands.target()).toBe("LOTUS-1");
  await atRest(hands.page);
  await hands.press("p");
  await hands.said(/1 account checked/);
  await line(hands, "Balance").getByText("815.25").waitFor();
  await detail(hands).getByText("Critical", { exact: true }).first().waitFor();

  await hall.db.owner.query("update sessions set proved_at = now() - interval '11 minutes' where user_id = $1", [person.id]);
  await command(hands, "Show the credentials");
  await prove(hands, person);
  const shown = hands.page.getByRole("dialog", { name: "Credentials of LOTUS-1" });
  await expect.poll(() => shown.locator("input").inputValue()).toContain(key);
  await hands.press("Escape");
  await shown.waitFor({ state: "detached" });
  const { rows: audited } = await hall.db.owner.query(
    "select act from audit_entries where tenant_id = $1 and act like 'master-account.%' order by id",
    [at.office.tenant.id],
  );
  expect(audited.map(({ act }) => String(act))).toEqual([
    "master-account.try",
    "master-account.create",
    "master-account.check-credit",
    "master-account.view-credentials",
  ]);
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});

test("marked accounts are checked in one job that shows how far it is; one whose provider fails says why and, after three, that it is in error", async () => {
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  const { answer } = provider;
  provider.answer = (request, response) => {
    if (request.url?.includes("held")) void held.then(() => answer(request, response));
    else answer(request, response);
  };
  const { hands } = await sit(async ({ office }) => {
    for (const code of ["DOWN", "HELD", "QUICK"])
      await makeMasterAccount(hall.db, office.tenant, {
        code,
        name: `${code} provider`,
        settings: { check_url: `${provider.url}/${code.toLowerCase()}`, check_headers: [] },
        ...(code === "DOWN" && { misses: 2, failure: "http-status", last_checked_at: new Date(Date.now() - 60_000) }),
      });
  });
  await open(hands);
  await rows(hands).nth(2).waitFor();
  await expect.poll(() => hands.target()).toBe("DOWN");
  await hands.watch();
  for (const at of [0, 1, 2]) {
    await hands.page.keyboard.press("x");
    await rows(hands).and(hands.page.locator("[aria-selected=true]")).nth(at).waitFor();
    if (at < 2) await hands.press("ArrowDown");
  }
  await hands.press("p");
  await hands.page.getByText("Checked 2 of 3").waitFor();
  release();
  await hands.said(/Checked: 3, failed: 1/);
  await hands.page.getByText(/Checked \d of 3/).waitFor({ state: "detached" });

  await hands.press("Escape");
  for (const before of ["HELD", "DOWN"]) {
    await hands.page.keyboard.press("ArrowUp");
    await expect.poll(() => hands.target()).toBe(before);
  }
  await expect.poll(() => hands.target()).toBe("DOWN");
  await expect.poll(() => line(hands, "Last failure").innerText()).toMatch(/The provider answered with status\s+\u2068?503/);
  await line(hands, "Error").locator(".st.critical", { hasText: "yes" }).waitFor();
  await rows(hands).first().locator(".st.critical", { hasText: "yes" }).waitFor();
  expect(await rows(hands).nth(1).locator(".st.critical").count(), "one that was read is not in error").toBe(0);
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});
