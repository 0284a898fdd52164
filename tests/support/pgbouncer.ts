import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { droppedAccount } from "../../src/server/db/embedded-host.ts";
import { freePort } from "./free-port.ts";

const places = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"];
const found = () => [process.env["PGBOUNCER"], ...places].find((path) => path && existsSync(path)) ?? null;

/** A PgBouncer to test with: PGBOUNCER, the system's; else (as root on a Debian) the distribution's is installed. null: none can be had. */
export function findPgBouncer(): string | null {
  const there = found();
  if (there !== null || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return there;
  try {
    execFileSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "pgbouncer"], {
      stdio: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  } catch {
    process.stderr.write("PgBouncer cannot be installed here\n");
  }
  return found();
}

interface Pooled {
  readonly port: number;
  stop(): Promise<void>;
}

/** A pooler before one database of a cluster on the loopback; it drops the start-up options it is sent. */
export async function pgBouncer(
  program: string,
  mode: "session" | "transaction",
  behind: { port: number; database: string; user: string; password: string },
): Promise<Pooled> {
  const account = droppedAccount();
  const dir = mkdtempSync(join(tmpdir(), "countinghouse-pooler-"));
  const port = await freePort();
  const users = join(dir, "users");
  const settings = join(dir, "pgbouncer.ini");
  writeFileSync(users, `"${behind.user}" "${behind.password}"\n`);
  writeFileSync(
    settings,
    `[databases]
${behind.database} = host=127.0.0.1 port=${behind.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
ignore_startup_parameters = options, extra_float_digits
`,
  );
  chmodSync(dir, 0o700);
  if (account) for (const path of [dir, users, settings]) chownSync(path, account.uid, account.gid);
  const child = spawn(program, [settings], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "ignore", "pipe"],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("process up")) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`PgBouncer ended with ${code}:\n${said}`)));
  });
  return {
    port,
    async stop() {
      const gone = new Promise((over) => child.once("exit", over));
      child.kill("SIGKILL");
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
