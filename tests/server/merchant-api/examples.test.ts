import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signCallback } from "../../../src/server/outbox/sign.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { serve } from "../../support/http.ts";
import type { Served } from "../../support/http.ts";
import { makeForwarder, makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";

const db = testDatabase();
let served: Served;
let tenant: Tenant;
let merchant: SigningMerchant;
let folder: string;
let guide: string;
beforeAll(async () => {
  served = await serve(db, { listen: true });
  tenant = (await makeOffice(db)).tenant;
  merchant = await makeSigningMerchant(db, served.deps, tenant);
  await makeGroup(db, tenant, [await makeAccount(db, tenant)], [merchant]);
  folder = await mkdtemp(join(tmpdir(), "examples-"));
  guide = await (await fetch(`${served.url}/docs`)).text();
});
afterAll(async () => {
  await served.app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs an example as it stands on the page. */
async function run(name: string, command: string, environment: Record<string, string>, input = ""): Promise<string> {
  const html = new RegExp(`<pre[^>]*id="${name}"><code>(.*?)</code>`, "s").exec(guide)?.[1] ?? "";
  const file = join(folder, name.replace(/-(\w+)$/, ".$1"));
  await writeFile(
    file,
    html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
  return new Promise((done, failed) => {
    const env = { PATH: process.env["PATH"] ?? "", ...environment };
    const child = execFile(command, [file], { env }, (error, stdout, stderr) => {
      if (error) failed(new Error(`${error.message}\n${stderr}`));
      else done(stdout.trim());
    });
    child.stdin?.end(input);
  });
}

const languages = [
  ["sh", "bash"],
  ["mjs", process.execPath],
  ["py", "python3"],
] as const;
const isThere = (command: string) => spawnSync(command, ["--version"]).status === 0;

test.skipIf(!isThere("bash"))("the example of a bank notice adds its line to the account of the key, once", async () => {
  const account = await makeAccount(db, tenant);
  const { apiKey, secret } = await makeForwarder(db, served.deps, tenant, account);
  const credentials = { BASE_URL: served.url ?? "", API_KEY: apiKey, SECRET: secret };
  const send = async () => JSON.parse(await run("send-bank-line-sh", "bash", credentials)) as unknown;
  expect(await send()).toEqual({ data: { added: 1, known: 0 } });
  await expect.poll(send).toEqual({ data: { added: 0, known: 1 } }); // within one second the signature is the same
  const { rows } = await db.owner.query("select amount::text, counterparty from bank_lines where payment_account_id = $1", [account.id]);
  expect(rows).toEqual([{ amount: "120.0000", counterparty: "TAN WEI MING" }]);
});

describe.each(languages)("the examples in .%s", (end, command) => {
  const missing = isThere(command) ? "" : ` (skipped: ${command} is not on this machine)`;
  const credentials = () => ({ BASE_URL: served.url ?? "", API_KEY: merchant.apiKey, SECRET: merchant.secret });

  test.skipIf(missing !== "")(`create a deposit${missing}`, async () => {
    const answer = JSON.parse(await run(`create-deposit-${end}`, command, credentials())) as { data?: { transaction: { uuid: string } } };
    expect(answer).toMatchObject({
      data: { transaction: { type: "deposit", status: "pending", amount: "120.00" }, pay_into: { bank: "Maybank" } },
    });
    const { rowCount } = await db.owner.query("select from transactions where id = $1 and merchant_id = $2", [
      answer.data?.transaction.uuid,
      merchant.id,
    ]);
    expect(rowCount).toBe(1);
  });

  test.skipIf(missing !== "")(`print the refusal of a wrong secret${missing}`, async () => {
    const wrong = { ...credentials(), SECRET: `whsec_${Buffer.alloc(32, 9).toString("base64")}` };
    expect(await run(`create-deposit-${end}`, command, wrong)).toContain("signature.invalid");
  });

  test.skipIf(missing !== "")(`tell a genuine callback from a changed, an old and a foreign one${missing}`, async () => {
    const body = '{"type":"deposit.approved","data":{"name":"陈伟明 – é"}}\n';
    const other = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
    const verdict = (secrets: string[], at: Date, sent = body) => {
      const headers = signCallback(secrets, "id-1", at, body);
      const environment = {
        SECRET: merchant.secret,
        WEBHOOK_ID: headers["webhook-id"] ?? "",
        WEBHOOK_TIMESTAMP: headers["webhook-timestamp"] ?? "",
        WEBHOOK_SIGNATURE: headers["webhook-signature"] ?? "",
      };
      return run(`verify-callback-${end}`, command, environment, sent);
    };
    const now = new Date();
    expect(await verdict([merchant.secret], now)).toBe("genuine");
    expect(await verdict([other, merchant.secret], now)).toBe("genuine");
    expect(await verdict([merchant.secret], now, body.replace("approved", "rejected"))).toBe("forged");
    expect(await verdict([merchant.secret], new Date(now.getTime() - 400_000))).toBe("forged");
    expect(await verdict([other], now)).toBe("forged");
  });
});
