import { afterEach, expect, test, vi } from "vitest";
import { merchantBase } from "../../../src/contract/merchant-api.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import { serve } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";

const db = testDatabase();
afterEach(() => vi.unstubAllGlobals());

test("the form of /docs signs in the page what the server takes, and shows what went out and came back", async () => {
  const served = await serve(db, { listen: true, environment: { DEMO: "true" } });
  try {
    const { tenant } = await makeOffice(db);
    const merchant = await makeSigningMerchant(db, served.deps, tenant, { callback_url: "http://127.0.0.1:9/callbacks/m" });
    await makeGroup(db, tenant, [await makeAccount(db, tenant)], [merchant]);
    const guide = await (await fetch(`${served.url}/docs`)).text();
    const given = (name: string) =>
      (new RegExp(`data-${name}="([^"]*)"`).exec(guide)?.[1] ?? "").replace(/&#(\d+);/g, (_, code: string) =>
        String.fromCharCode(Number(code)),
      );
    // as much of a page as the script touches
    const fields: Record<string, { value: string; disabled: boolean; addEventListener(): void }> = {};
    for (const name of ["call", "path", "body"]) fields[name] = { value: "", disabled: false, addEventListener: () => undefined };
    const call = fields["call"];
    if (call) call.value = `POST ${merchantBase}/deposits`;
    let submit: (event: { preventDefault(): void }) => void = () => undefined;
    const form = {
      dataset: { key: given("key"), secret: given("secret"), bodies: given("bodies") },
      elements: { namedItem: (name: string) => fields[name] },
      addEventListener: (_: string, listener: typeof submit) => (submit = listener),
    };
    const output = { textContent: "" };
    vi.stubGlobal("document", { getElementById: (id: string) => (id === "try-form" ? form : output) });
    const real = fetch;
    vi.stubGlobal("fetch", (path: string, options: RequestInit) => real(`${served.url}${path}`, options));
    await import("../../../src/server/docs/try.js" as string);
    submit({ preventDefault: () => undefined });
    await vi.waitFor(() => expect(output.textContent).toMatch(/\n(200|4\d\d)\n/));
    expect(output.textContent).toContain(`POST ${merchantBase}/deposits\nx-api-key: ${merchant.apiKey}`);
    expect(output.textContent).toContain("\n200\nratelimit-remaining:");
    expect(output.textContent).toContain('"status": "pending"');
    const { rowCount } = await db.owner.query("select from transactions where merchant_id = $1", [merchant.id]);
    expect(rowCount).toBe(1);
  } finally {
    await served.app.close();
  }
});
