import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { tabTo } from "./fields.ts";
import type { Floor } from "./floor.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();
const detail = ({ page }: Operator) => page.locator(".detail-pane");

async function insert(text: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await hall.db.owner.query<{ id: string }>(`${text} returning id`, [...values]);
  return rows[0]?.id ?? "";
}

/** The audit log, opened at the one entry of this request. */
async function atEntry(hands: Operator, { office }: Floor, entity: string, of: string | null): Promise<void> {
  const request = randomUUID();
  await hall.db.owner.query(
    `insert into audit_entries (tenant_id, actor_kind, actor_name, act, entity, entity_id, request_id)
      values ($1, 'system', 'system', $2, $3, $4, $5)`,
    [office.tenant.id, `${entity}.create`, entity, of, request],
  );
  await hands.page.goto(`${hall.url()}/audit-log?request_id=${request}`);
  await detail(hands).getByText(request).waitFor();
}
const follow = async (hands: Operator, name: string) => {
  await tabTo(detail(hands).getByRole("link", { name, exact: true }));
  await hands.press("Enter");
};

test("from an entry of the audit log to what it tells of, also where that is no row of a list; where there is nothing, it says so", async () => {
  const floor = await makeFloor(hall, 2);
  const { office, merchant } = floor;
  const operator = await hall.employ(office, "Siti", [
    "audit-log.view",
    "profile.view",
    "pas.transaction.withdrawals.view",
    "pas.transaction.bank-transactions.view",
    "vs.vendor.vendors.view",
  ]);
  const payer = await insert(
    "insert into bank_payers (tenant_id, currency, account, name, merchant_id, member) values ($1, $2, '514012345678', 'TAN WEI MING', $3, 'M1')",
    [office.tenant.id, merchant.currency, merchant.id],
  );
  const view = await insert(
    "insert into saved_views (tenant_id, owner_id, screen, name, shared, state) values ($1, $2, 'withdrawals', 'Large ones', true, $3)",
    [office.tenant.id, operator.id, { search: { view: "all", amount: "1000.." } }],
  );
  const file = await insert(
    `insert into payout_files (tenant_id, id, currency, name, template, type, bytes, rows, amount, by_user, actor, at)
      values ($1, gen_random_uuid(), $2, 'bulk.csv', 'Bulk', 'text/csv', '', 1, 100, $3, 'Siti', now())`,
    [office.tenant.id, merchant.currency, operator.id],
  );
  await hall.db.owner.query(
    `insert into payout_file_rows (tenant_id, file_id, transaction_id)
      select tenant_id, $2, id from transactions where tenant_id = $1 and kind = 'withdrawal' order by id limit 1`,
    [office.tenant.id, file],
  );
  const hands = await sitDown(hall, { operator });
  const rows = hands.page.locator(".grid .rows .row[aria-rowindex]");

  await atEntry(hands, floor, "payer", payer);
  await follow(hands, "514012345678");
  await hands.page.locator(".sheet td", { hasText: "TAN WEI MING" }).waitFor();
  await hands.press("Escape");
  await hands.page.locator(".sheet").waitFor({ state: "detached" });
  expect(new URL(hands.page.url()).searchParams.get("sheet")).toBeNull();

  await atEntry(hands, floor, "payout-file", file);
  await follow(hands, "bulk.csv");
  await hands.page.waitForURL((url) => url.pathname === "/payment/withdrawals" && url.searchParams.get("payout_file") === file);
  await hands.page.locator(".chip, .filter", { hasText: "Payout file" }).first().waitFor();
  await expect.poll(() => rows.count()).toBe(1);

  await atEntry(hands, floor, "view", view);
  await follow(hands, "Large ones");
  await hands.page.waitForURL((url) => url.searchParams.get("saved") === view && url.searchParams.get("amount") === "1000..");

  await atEntry(hands, floor, "vendor", randomUUID());
  await detail(hands).getByText("The record is no longer there, so it opens nothing.").waitFor();
  await atEntry(hands, floor, "user", null);
  await detail(hands).getByText("It is about no single record, so it opens nothing.").waitFor();
  await atEntry(hands, floor, "merchant", merchant.id);
  await detail(hands).getByText("You may not see such records, so it opens nothing.").waitFor();
});
