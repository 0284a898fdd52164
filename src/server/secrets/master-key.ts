import type { ClientBase } from "pg";
import { keyCheckPlace, sealedValues, openingFault } from "./sealed-columns.ts";
import type { SecretBox } from "./secrets.ts";

const content = "the master key of this database";

/** Throws unless the database's secrets are sealed with one of these keys; a database without secrets adopts the newest. */
export async function requireMasterKey(owner: ClientBase, secrets: SecretBox): Promise<void> {
  if ((await keyCheck(owner)) === null) {
    await refuseForeignSecrets(owner, secrets);
    // of concurrent processes the first one's key counts
    await owner.query("update installation set key_check = $1 where key_check is null", [secrets.seal(content, keyCheckPlace)]);
  }
  const check = await keyCheck(owner);
  if (check === null) throw new Error("the database's check of the master key is gone");
  try {
    secrets.open(check, keyCheckPlace);
  } catch (error) {
    throw wrongKey(secrets, error);
  }
}

const wrongKey = (secrets: SecretBox, error: unknown) =>
  new Error(
    `MASTER_KEY: not the key this database's secrets are sealed with: ${error instanceof Error ? error.message : String(error)}, ` +
      `and this is ${secrets.keyId}; set the key they are sealed with, or that one as MASTER_KEY_PREVIOUS and run npm run rotate-key`,
    { cause: error },
  );

async function keyCheck(owner: ClientBase): Promise<Buffer | null> {
  return (await owner.query<{ key_check: Buffer | null }>("select key_check from installation")).rows[0]?.key_check ?? null;
}

/** Refuses secrets sealed before the check existed, if they are sealed with another key. */
async function refuseForeignSecrets(owner: ClientBase, secrets: SecretBox): Promise<void> {
  for await (const value of sealedValues(owner)) {
    const why = openingFault(secrets, value);
    if (why === null) return;
    if (why !== "sealed by an unknown version") throw wrongKey(secrets, new Error(why));
  }
}

/** Whether every secret is sealed with the newest key. */
export async function isRotated(owner: ClientBase, secrets: SecretBox): Promise<boolean> {
  const check = await keyCheck(owner);
  return check === null || secrets.isCurrent(check);
}

/** Seals every secret with the newest key, all or none. Answers how many were sealed with another. */
export async function resealSecrets(owner: ClientBase, secrets: SecretBox): Promise<number> {
  await owner.query("begin");
  try {
    let count = 0;
    for await (const { of, key, place, sealed } of sealedValues(owner)) {
      if (secrets.isCurrent(sealed)) continue;
      const plain = open(secrets, sealed, place, `${of.table} ${key.join(" ")}: ${of.column}`);
      const where = of.key.map((name, n) => `${name}::text = $${n + 3}`).join(" and ");
      // the next run handles secrets a running server seals meanwhile
      await owner.query(`update ${of.table} set ${of.column} = $1 where ${of.column} = $2 and ${where}`, [
        secrets.seal(plain, place),
        sealed,
        ...key,
      ]);
      count += 1;
    }
    await owner.query("commit");
    return count;
  } catch (error) {
    await owner.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

function open(secrets: SecretBox, sealed: Buffer, place: string, what: string): string {
  try {
    return secrets.open(sealed, place);
  } catch (error) {
    throw new Error(`${what} opens with none of the keys, nothing was changed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
