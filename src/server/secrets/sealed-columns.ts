import type { ClientBase } from "pg";
import { twoFactorPlace } from "../auth/two-factor.ts";
import { mailPlace } from "../mail/mails.ts";
import { masterCredentialsPlace, merchantSecretPlace, noticeSecretPlace, providerCredentialPlace } from "./secrets.ts";
import type { SecretBox } from "./secrets.ts";

interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key; their values are part of the place a value is sealed for. */
  readonly key: readonly string[];
  readonly place: (...key: string[]) => string;
}

const ofTenant = (table: string, column: string, place: (tenant: string, id: string) => string): SealedColumn => ({
  table,
  column,
  key: ["tenant_id", "id"],
  place: (tenant = "", id = "") => place(tenant, id),
});
const ofUser = (column: string): SealedColumn => ({
  table: "two_factor",
  column,
  key: ["user_id"],
  place: (user = "") => twoFactorPlace(user),
});

/** All columns with values sealed by a SecretBox. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "installation", column: "key_check", key: ["one"], place: () => keyCheckPlace },
  ofTenant("merchants", "secret", merchantSecretPlace),
  ofTenant("merchants", "previous_secret", merchantSecretPlace),
  ofTenant("payment_accounts", "notice_secret", noticeSecretPlace),
  ofTenant("payment_accounts", "previous_notice_secret", noticeSecretPlace),
  ofTenant("master_accounts", "credentials", masterCredentialsPlace),
  ofTenant("merchant_providers", "api_credential", providerCredentialPlace("api_credential")),
  ofTenant("merchant_providers", "account_credentials", providerCredentialPlace("account_credentials")),
  ofUser("secret"),
  ofUser("pending"),
  ofTenant("mails", "body", mailPlace),
];

export const keyCheckPlace = "installation|key_check";
const page = 500;

interface SealedValue {
  readonly of: SealedColumn;
  readonly key: readonly string[];
  readonly place: string;
  readonly sealed: Buffer;
}

/** All sealed values, read in pages. `client` is connected as the owner. */
export async function* sealedValues(client: ClientBase): AsyncGenerator<SealedValue> {
  for (const of of sealedColumns) {
    const key = of.key.map((name) => `${name}::text`).join(", ");
    let last: readonly string[] | null = null;
    for (;;) {
      const after: string = last ? `and (${key}) > (${last.map((_, n) => `$${n + 1}`).join(", ")})` : "";
      const { rows }: { rows: { key: string[]; sealed: Buffer }[] } = await client.query(
        `select array[${key}] as key, ${of.column} as sealed from ${of.table} where ${of.column} is not null ${after} order by ${key} limit ${page}`,
        [...(last ?? [])],
      );
      for (const row of rows) yield { of, key: row.key, place: of.place(...row.key), sealed: row.sealed };
      if (rows.length < page) break;
      last = rows.at(-1)?.key ?? null;
    }
  }
}

interface Unreadable {
  readonly table: string;
  readonly column: string;
  readonly key: string;
  readonly why: string;
}

export const openingFault = (secrets: SecretBox, { sealed, place }: SealedValue): string | null => {
  try {
    secrets.open(sealed, place);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** The sealed values that cannot be opened, at most 100. */
export async function unreadableSecrets(client: ClientBase, secrets: SecretBox): Promise<Unreadable[]> {
  const found: Unreadable[] = [];
  for await (const value of sealedValues(client)) {
    const why = openingFault(secrets, value);
    if (why !== null) found.push({ table: value.of.table, column: value.of.column, key: value.key.join(" "), why });
    if (found.length === 100) break;
  }
  return found;
}
