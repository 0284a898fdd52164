import { expect, test } from "vitest";
import { routes } from "../../../src/contract/index.ts";
import { testDatabase } from "../../support/database.ts";
import { makeExport } from "../../support/exports.ts";
import { giveDirectly } from "../../support/people.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import { serve, sessionOf } from "../../support/http.ts";

const db = testDatabase();

/** Ms for a read's answer: here few, so that a reader is slower. */
const readWithin = 1_000;
/** More than sockets hold, so that the server is still sending while nobody reads. */
const bytes = Buffer.alloc(32 * 1024 * 1024, 7);

test("a file arrives whole at who reads it for longer than a read's answer may take to begin", async () => {
  const served = await serve(db, { listen: true, readWithin });
  try {
    const tenant = await makeTenant(db);
    const person = await makePerson(db, tenant);
    await giveDirectly(db, tenant, person, ["pas.transaction.withdrawals.view", "pas.transaction.withdrawals.export"]);
    const uuid = await makeExport(db, tenant, person, "done", { bytes });
    const { access_token } = await sessionOf(served.deps, person.id);
    const began = performance.now();
    const answer = await fetch(`${served.url}${routes.downloadExport.path.replace("{uuid}", uuid)}`, {
      headers: { authorization: `Bearer ${access_token}`, "x-tenant-id": tenant.id, "x-currency": tenant.currency },
    });
    expect(answer.status).toBe(200);
    await expect.poll(() => performance.now() - began).toBeGreaterThan(2 * readWithin);
    expect((await answer.arrayBuffer()).byteLength).toBe(bytes.length);
  } finally {
    await served.app.close();
  }
});
