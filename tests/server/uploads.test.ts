import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mostFileBytes } from "../../src/contract/bank-imports.ts";
import { statementText } from "../support/bank-imports.ts";
import { testDatabase } from "../support/database.ts";
import { makeAccount, makePerson } from "../support/factories.ts";
import type { Asked, Served } from "../support/http.ts";
import { ask, multipartOf, refusalOf, serve, sessionOf } from "../support/http.ts";
import { makeOffice } from "../support/payments.ts";

const db = testDatabase();
let served: Served;
let upload: (asked: Asked) => ReturnType<typeof ask>;
const statement = Buffer.from(statementText(2));

beforeAll(async () => {
  served = await serve(db);
  const { tenant } = await makeOffice(db);
  const account = await makeAccount(db, tenant);
  const person = await makePerson(db, tenant, "Importer");
  await db.owner.query("update memberships set permissions = '{pas.transaction.bank-transactions.import}' where user_id = $1", [person.id]);
  const { access_token: token } = await sessionOf(served.deps, person.id);
  upload = (asked) =>
    ask(served, "uploadBankFile", { token, tenant: tenant.id, currency: tenant.currency, query: { account: account.id }, ...asked });
});
afterAll(() => served.app.close());

const form = (payload: string, boundary = "b"): Asked => ({
  payload,
  headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
});
const part = (name: string, file: string | null, content: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${file === null ? "" : `; filename="${file}"`}\r\n\r\n${content}\r\n`;

test("a file is taken with the name it came by, without its folders", async () => {
  const answer = await upload({ file: { name: "C:\\statements\\../march.csv", bytes: statement } });
  expect([answer.status, answer.data]).toMatchObject([200, { file_name: "march.csv", counts: { lines: 2 } }]);
});

test("an upload is refused when it is no multipart, broken, empty, of several parts, or too large", async () => {
  expect(refusalOf(await upload({ payload: "{}" }))).toBe("request.unsupported-media");
  expect(refusalOf(await upload({ payload: "a", headers: { "content-type": "text/csv" } }))).toBe("request.unsupported-media");
  expect(refusalOf(await upload(form("--b\r\nbroken")))).toBe("request.malformed");
  expect(refusalOf(await upload(form(part("file", "a.csv", "a"))))).toBe("request.malformed");
  expect(refusalOf(await upload(form("--b--\r\n")))).toMatch(/request\.(invalid|malformed)/);
  expect(refusalOf(await upload(form(`${part("other", "a.csv", "a")}--b--\r\n`)))).toBe("request.invalid");
  expect(refusalOf(await upload(form(`${part("file", null, "a")}--b--\r\n`)))).toMatch(/request\.(invalid|malformed)/);
  expect(refusalOf(await upload(form(`${part("file", "a.csv", "a")}${part("file", "b.csv", "b")}--b--\r\n`)))).toBe("request.malformed");
  expect(refusalOf(await upload({ file: { name: "large.csv", bytes: Buffer.alloc(mostFileBytes + 1, 97) } }))).toBe("request.too-large");
});

test("an upload that is repeated with its key is one upload, and its key belongs to that file alone", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const file = { name: "march.csv", bytes: statement };
  const [one, again] = [await upload({ file, headers }), await upload({ file, headers })];
  expect([again.status, again.data]).toEqual([200, one.data]);
  const other = { name: "march.csv", bytes: Buffer.from(statementText(3)) };
  expect(refusalOf(await upload({ file: other, headers }))).toBe("request.idempotency-mismatch");
});

test("every other route takes JSON alone", async () => {
  const { type, payload } = multipartOf({ name: "a.csv", bytes: statement });
  const answer = await ask(served, "login", { payload, headers: { "content-type": type } });
  expect(refusalOf(answer)).toBe("request.unsupported-media");
});
