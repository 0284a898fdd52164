import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { readConfig } from "./config.ts";
import type { Config } from "./config.ts";
import { migrate } from "./db/migrate.ts";
import { audit } from "./audit/command.ts";
import { createTenant } from "./tenants/create-tenant.ts";
import { openInstallation, withClient } from "./installation.ts";
import { startServer } from "./start.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);

/** What a first demo start leaves in the data folder, so that later starts know and can say the logins again. */
const demoFile = "demo.json";

async function main(command: string | undefined, args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  switch (command) {
    case undefined:
      return serve(config);
    case "migrate":
      return withOwner(config, async (owner) => {
        const run = await migrate(owner);
        print(run.length > 0 ? `applied ${run.join(", ")}` : "nothing to apply");
      });
    case "create-tenant":
      return withOwner(config, async (owner) => {
        await migrate(owner);
        await createTenant(owner, args, print);
      });
    case "audit":
      return withOwner(config, async (owner, dataDir) => {
        if (!(await audit(owner, dataDir, print))) process.exitCode = 1;
      });
    case "db": {
      const installation = await openInstallation(config, () => undefined, true);
      print(installation.connectionString);
      return;
    }
    default:
      throw new Error(`no command ${command}; there are: migrate, create-tenant, audit, db, or none to start`);
  }
}

async function withOwner(config: Config, work: (owner: pg.Client, dataDir: string) => Promise<void>): Promise<void> {
  const installation = await openInstallation(config, () => undefined);
  try {
    await withClient(installation.ownerConfig(), (owner) => work(owner, installation.dataDir));
  } finally {
    await installation.stop();
  }
}

async function serve(config: Config): Promise<void> {
  const began = performance.now();
  let demo: { logins: readonly string[] } | null = null;
  const running = await startServer(config, {
    print,
    withConsole: true,
    async prepare(installation, owner, secrets) {
      const known = await readFile(join(installation.dataDir, demoFile), "utf8").catch(() => null);
      if (known !== null) {
        demo = config.demo === false ? null : (JSON.parse(known) as { logins: string[] }); // written below
        return demo !== null;
      }
      // the default on an empty embedded database; never with DATABASE_URL unless asked
      if (!(config.demo ?? installation.embedded)) return false;
      const { prepareDemo } = await import("./demo/demo.ts");
      const logins = await prepareDemo(owner, secrets, print);
      if (logins === null) return false;
      demo = { logins };
      await writeFile(join(installation.dataDir, demoFile), JSON.stringify(demo));
      return true;
    },
  });
  const demoOf = demo as { logins: readonly string[] } | null; // assigned in a callback, which the checker does not see
  const traffic = demoOf && (await (await import("./demo/demo.ts")).startDemoTraffic(running.house, running.installation, running.url));
  print(`ready in ${((performance.now() - began) / 1000).toFixed(1)} s: ${running.url}`);
  for (const line of demoOf?.logins ?? []) print(line);

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    print(`${signal}: finishing what runs`);
    await traffic?.stop();
    await running.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(signal));
}

main(process.argv[2], process.argv.slice(3)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
