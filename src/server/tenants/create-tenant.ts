import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import type { ClientBase } from "pg";
import { Email } from "../../contract/session.ts";
import { currencyName, isCurrency, minorDigitsOf } from "../../values/currencies.ts";
import { defaultZone, zoneMinutes } from "../../values/zones.ts";
import { hashPassword } from "../auth/passwords.ts";
import { startingGroups } from "./groups.ts";

const usage = `npm run create-tenant -- --code MHP --name "Mekong Harbour Payments" --currency MYR --owner owner@example.com
  [--country Malaysia] [--zone +08:00] [--owner-name "Full name"] [--colour "#5f6b7c"]`;

/**
 * Creates a tenant with one currency, the starting groups and its first owner, all or nothing. An owner already known by
 * e-mail joins with the password they have; a new one gets a temporary password, printed once.
 */
export async function createTenant(owner: ClientBase, args: readonly string[], print: (line: string) => void): Promise<void> {
  const option = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      code: option,
      name: option,
      currency: option,
      owner: option,
      country: option,
      zone: option,
      "owner-name": option,
      colour: option,
    },
  });
  const { code, name, currency, owner: email } = values;
  if (!code || !name || !currency || !email) throw new Error(`--code, --name, --currency and --owner are needed\n${usage}`);
  if (!/^[A-Z0-9]{2,6}$/.test(code)) throw new Error("--code: 2 to 6 capitals or digits");
  if (!isCurrency(currency)) throw new Error("--currency: an ISO 4217 code, such as MYR");
  if (!Email.safeParse(email).success) throw new Error("--owner: Invalid Email");
  const zone = values.zone ?? defaultZone;
  const minutes = zoneMinutes(zone);
  if (minutes === null) throw new Error("--zone: an offset such as +08:00");

  await owner.query("begin");
  try {
    if ((await owner.query("select from tenants where code = $1", [code])).rowCount) throw new Error(`there is a tenant with code ${code}`);
    const tenant = (
      await owner.query<{ id: string }>("insert into tenants (code, name, colour) values ($1, $2, $3) returning id", [
        code,
        name,
        values.colour ?? "#5f6b7c",
      ])
    ).rows[0]?.id;
    await owner.query(
      "insert into currencies (tenant_id, code, name, minor_digits, country, zone, zone_minutes) values ($1, $2, $3, $4, $5, $6, $7)",
      [tenant, currency, currencyName(currency), minorDigitsOf(currency), values.country ?? currency, zone, minutes],
    );
    await owner.query("insert into first_steps (tenant_id) values ($1)", [tenant]);
    for (const group of startingGroups) {
      await owner.query("insert into user_groups (tenant_id, code, name, permissions) values ($1, $2, $3, $4)", [
        tenant,
        group.code,
        group.name,
        group.permissions,
      ]);
    }
    const known = (await owner.query<{ id: string }>("select id from users where lower(email) = lower($1)", [email])).rows[0]?.id;
    const password = randomBytes(12).toString("base64url");
    const user =
      known ??
      (
        await owner.query<{ id: string }>(
          "insert into users (email, name, password_hash, force_reset_password) values ($1, $2, $3, true) returning id",
          [email, values["owner-name"] ?? email, await hashPassword(password)],
        )
      ).rows[0]?.id;
    await owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [tenant, user]);
    await owner.query(
      "insert into membership_groups (tenant_id, user_id, group_id) select tenant_id, $2, id from user_groups where tenant_id = $1 and code = 'owner'",
      [tenant, user],
    );
    await owner.query("commit");
    print(`tenant ${code} (${name}) with ${currency} of ${minorDigitsOf(currency)} decimals, zone ${zone}`);
    print(known ? `${email} is its owner, with the password they have` : `owner ${email}, temporary password ${password}`);
  } catch (error) {
    await owner.query("rollback");
    throw error;
  }
}
