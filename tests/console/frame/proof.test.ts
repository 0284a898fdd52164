import { afterEach, expect, test } from "vitest";
import { routes } from "../../../src/contract/index.ts";
import { createProof } from "../../../src/console/frame/proof.ts";
import { accessToken, openTab, startServer } from "../api/tab-and-server.ts";

let stop: () => Promise<void> = () => Promise.resolve();
afterEach(() => stop());

async function fixture() {
  const server = await startServer(({ body }) =>
    (body as { password?: string }).password === "right"
      ? { status: 200, body: { data: {} } }
      : { status: 422, body: { message: "The password is wrong.", code: "password.wrong" } },
  );
  stop = server.stop;
  const tab = openTab(server.base);
  tab.tokens.keep({ access_token: accessToken(Date.now() + 900_000), refresh_token: "r" });
  const proof = createProof(() => tab.call);
  return { proof, reported: tab.reported, tries: () => server.to(routes.stepUp.path).length };
}

test("all waiting calls share one question and continue together", async () => {
  const { proof, tries } = await fixture();
  const waiting = [proof.ask(), proof.ask(), proof.ask()];
  expect(proof.store.getState()).toBe(true);
  await proof.give({ password: "right" });
  expect(await Promise.all(waiting)).toEqual([true, true, true]);
  expect([proof.store.getState(), tries()]).toEqual([false, 1]);
});

test("a wrong proof keeps the question open, without a toast beside it", async () => {
  const { proof, reported } = await fixture();
  const waiting = proof.ask();
  await expect(proof.give({ password: "wrong" })).rejects.toMatchObject({ code: "password.wrong" });
  expect([proof.store.getState(), reported.length]).toEqual([true, 0]);
  await proof.give({ password: "right" });
  expect(await waiting).toBe(true);
});

test("cancelling ends every waiting call, and the next one asks again", async () => {
  const { proof } = await fixture();
  const waiting = [proof.ask(), proof.ask()];
  proof.dismiss();
  expect(await Promise.all(waiting)).toEqual([false, false]);
  const next = proof.ask();
  expect(proof.store.getState()).toBe(true);
  proof.dismiss();
  expect(await next).toBe(false);
});
