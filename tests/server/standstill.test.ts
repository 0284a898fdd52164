import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../../src/contract/index.ts";
import type { ServerProcess } from "../support/processes.ts";
import { serverProcess } from "../support/processes.ts";

let server: ServerProcess;

beforeAll(async () => {
  server = await serverProcess({ LOG_LEVEL: "silent" });
  await server.start();
});
afterAll(() => server.end());

/** PostgreSQL's postmaster and all its children. */
function everyProcess(): number[] {
  const postmaster = Number(readFileSync(join(server.dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  const children = readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === postmaster;
    } catch {
      return false; // gone meanwhile
    }
  });
  return [postmaster, ...children.map(Number)];
}

test("while PostgreSQL hangs every request is answered with 503 and when to retry, and the server recovers with it", async () => {
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: "Bearer not-a-token", ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return [answer.status, answer.headers.get("retry-after")];
  };
  // of somebody else each time: one who is guessed at is slowed
  let people = 0;
  const login = () => ask("POST", routes.login.path, { email: `nobody-${people++}@example.com`, password: "whatever it is" });
  const all = () => [
    // more than there are connections: some wait for one
    ...Array.from({ length: 24 }, login),
    ...Array.from({ length: 4 }, () => ask("POST", routes.forgotPassword.path, { email: "nobody@example.com" })),
    ...Array.from({ length: 4 }, () => ask("POST", routes.refreshToken.path, { refresh_token: "x".repeat(43) })),
  ];
  const calm = await Promise.all(all());
  expect(calm.map(([status]) => status)).not.toContain(503);

  const frozen = everyProcess();
  for (const pid of frozen) process.kill(pid, "SIGSTOP");
  let answers: Awaited<ReturnType<typeof ask>>[];
  try {
    answers = await Promise.all(all());
    await expect.poll(() => ask("GET", "/readyz")).toEqual([503, "2"]);
    expect((await ask("GET", "/healthz"))[0]).toBe(200);
  } finally {
    for (const pid of frozen) process.kill(pid, "SIGCONT");
  }
  expect(new Set(answers.map(String))).toEqual(new Set(["503,2"]));
  await expect.poll(async () => (await ask("GET", "/readyz"))[0]).toBe(200);
  expect((await login())[0]).toBe(401);
});
