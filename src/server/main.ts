import { setFlagsFromString } from "node:v8";
import type pg from "pg";
import { readConfig } from "./config.ts";
import type { Config } from "./config.ts";
import { migrate, sqlFolders } from "./db/migrate.ts";
import { audit } from "./audit/command.ts";
import type { Verdict } from "./audit/command.ts";
import { backup, restore } from "./backup/command.ts";
import { addCurrency } from "./tenants/add-currency.ts";
import { openDatabase } from "./db/scope.ts";
import { requireMasterKey } from "./secrets/master-key.ts";
import { createMerchant } from "./tenants/create-merchant.ts";
import { createTenant } from "./tenants/create-tenant.ts";
import { openInstallation, withClient } from "./installation.ts";
import type { Installation } from "./installation.ts";
import { rotateKey } from "./secrets/rotate-key.ts";
import { startServer } from "./start.ts";

/**
 * %: how far the heap may grow over what is in use before it is swept. Left to itself it doubles: an export of a million rows, of which
 * half a thousand are held at a time, left 293 MB of them lying about, and 98 MB so.
 */
const heapGrowth = 60;
setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);

const print = (line: string) => process.stdout.write(`${line}\n`);

const exitCodes: Record<Verdict, number> = { whole: 0, broken: 1, unverified: 2 };

/** Stored in the database by the first demo start, so that later starts can print the logins again. */
interface Demo {
  readonly logins: readonly string[];
}

async function main(command: string | undefined, args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  switch (command) {
    case undefined:
      return serve(config);
    case "migrate":
      return withOwner(config, async (owner) => {
        const run = await migrate(owner, sqlFolders, print);
        print(run.length > 0 ? `applied ${run.join(", ")}` : "nothing to apply");
      });
    case "create-tenant":
      return withOwner(config, async (owner) => {
        await migrate(owner, sqlFolders, print);
        await createTenant(owner, args, print);
      });
    case "add-currency":
      return withOwner(config, async (owner) => {
        await migrate(owner, sqlFolders, print);
        await addCurrency(owner, args, print);
      });
    case "create-merchant":
      return withOwner(config, async (owner, { secrets, connectAs }) => {
        await migrate(owner, sqlFolders, print);
        await requireMasterKey(owner, secrets);
        const database = openDatabase(connectAs, 2);
        await createMerchant(database, secrets, config, args, print).finally(() => database.close());
      });
    case "audit":
      return withOwner(config, async (owner, { secrets, dataDir }) => {
        process.exitCode = exitCodes[await audit(owner, secrets, dataDir, print)];
      });
    case "backup":
      process.exitCode = exitCodes[await backup(config, args, print)];
      return;
    case "restore":
      return restore(config, args, print);
    case "rotate-key":
      return withOwner(config, async (owner, installation) => {
        await migrate(owner, sqlFolders, print);
        await rotateKey(owner, config, installation, print);
      });
    case "db": {
      const installation = await openInstallation(config, () => undefined, true);
      print(installation.connectionString);
      return;
    }
    default:
      throw new Error(
        `no command ${command}; there are: migrate, create-tenant, create-merchant, add-currency, audit, backup, restore, rotate-key, db, or none to start`,
      );
  }
}

async function withOwner(config: Config, work: (owner: pg.Client, installation: Installation) => Promise<void>): Promise<void> {
  const installation = await openInstallation(config, () => undefined);
  try {
    await withClient(installation.ownerConfig(), (owner) => work(owner, installation));
  } finally {
    await installation.stop();
  }
}

async function serve(config: Config): Promise<void> {
  const began = performance.now();
  let demo: Demo | null = null;
  const running = await startServer(config, {
    print,
    withConsole: true,
    async prepare(installation, owner, secrets) {
      const known = await owner.query<{ demo: Demo | null }>("select demo from installation");
      if (known.rows[0]?.demo) {
        demo = config.demo === false ? null : known.rows[0].demo;
        return demo !== null;
      }
      // by default for an empty embedded database; with DATABASE_URL only on request
      if (!(config.demo ?? installation.embedded)) return false;
      const { prepareDemo } = await import("./demo/demo.ts");
      const logins = await prepareDemo(owner, secrets, print);
      if (logins === null) return false;
      demo = { logins };
      await owner.query("update installation set demo = $1", [JSON.stringify(demo)]);
      return true;
    },
  });
  const demoOf = demo as Demo | null; // assigned in the callback, which the type checker does not see
  const traffic = demoOf && (await (await import("./demo/demo.ts")).startDemoTraffic(running.deps, running.installation, running.url));
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
  // printed last, because whoever reads it may stop the server at once
  print(`ready in ${((performance.now() - began) / 1000).toFixed(1)} s: ${running.url}`);
  for (const line of demoOf?.logins ?? []) print(line);
}

main(process.argv[2], process.argv.slice(3)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
