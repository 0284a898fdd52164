import { zoneText } from "../../src/values/zones.ts";
import type { Account, Merchant } from "../support/factories.ts";
import { makeAccount, makeGroup } from "../support/factories.ts";
import type { Employee, Hall, OpenOptions } from "../support/hall.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import type { Office } from "../support/payments.ts";
import { makeOffice } from "../support/payments.ts";
import { atRest } from "./at-rest.ts";
import { Operator } from "./operator.ts";

export interface Floor {
  office: Office;
  merchant: Merchant;
  account: Account;
  operator: Employee;
}

/** Moves the tenant to where that hour of the day has begun: a day that ended under a test would take its figures away. Answers its zone. */
export async function atHour(hall: Hall, { tenant }: Office, hour: number): Promise<string> {
  const minutes = (hour - new Date().getUTCHours()) * 60;
  const zone = zoneText(minutes);
  await hall.db.owner.query("update currencies set zone = $2, zone_minutes = $3 where tenant_id = $1", [tenant.id, zone, minutes]);
  return zone;
}

/** A tenant with `plain` withdrawals of tier 1 and, spread among them, `doubtful` of tier 2: their payee is not the customer. */
export async function makeFloor(hall: Hall, plain: number, doubtful = 0, settings: object = {}): Promise<Floor> {
  const office = await makeOffice(hall.db, { settings });
  const merchant = await makeSigningMerchant(hall.db, office.deps, office.tenant, { wallet: "1000000" });
  const account = await makeAccount(hall.db, office.tenant);
  await makeGroup(hall.db, office.tenant, [account], [merchant]);
  const every = doubtful === 0 ? Infinity : Math.floor((plain + doubtful) / doubtful);
  for (let n = 1; n <= plain + doubtful; n++) {
    // oxlint-disable-next-line no-await-in-loop -- their order is the queue's
    await office.withdraw(merchant, { amount: "100.00", ...(n % every === 0 && { holder: "SITI AMINAH BINTI YUSOF" }) });
  }
  return { office, merchant, account, operator: await hall.employ(office, "Nurul Aisyah") };
}

/**
 * Signed in already; at the withdrawals where they may be seen, else where a sign-in leads. What is there has come, and the live line
 * stands: from now on what others do comes by its event, and what is asked for is what the test asks for.
 */
export async function sitDown(hall: Hall, { operator }: { operator: Employee }, layout = "us", where: OpenOptions = {}): Promise<Operator> {
  const mayLook = operator.rights.includes("pas.transaction.withdrawals.view");
  const page = await hall.open({ path: mayLook ? "/payment/withdrawals" : "/", ...where, as: operator });
  await page.locator(".stat .mode").waitFor();
  if (mayLook) await page.locator("[role=grid]").first().waitFor();
  await atRest(page);
  return new Operator(page, layout);
}
