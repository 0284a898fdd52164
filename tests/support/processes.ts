import type { ChildProcess } from "node:child_process";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { timed } from "./times.ts";

const project = resolve(import.meta.dirname, "../..");
const main = join(project, "src/server/main.ts");

/** A server as `npm start` runs it, in a process of its own over a data folder of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly dataDir: string;
  /** Of the process that runs now; throws before the first start. */
  readonly pid: number;
  /** ms from the last start to "ready". */
  readonly readyAfter: number;
  start(): Promise<void>;
  /** kill −9, and waits until it is gone. */
  kill(): Promise<void>;
  /** kill −9 of PostgreSQL's postmaster. */
  killPostgres(): void;
  /** How to reach the database. */
  connectionString(): Promise<string>;
  /** Ends it in order; answers its exit code, and what it logged since its start. */
  stop(): Promise<{ code: number | null; logged: string }>;
  /** Ends it in order and removes its folder. */
  end(): Promise<void>;
}

/** Not started yet. `environment` beside a port, a folder, and no demo data. */
export async function serverProcess(environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), "countinghouse-process-"));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMO: "false",
    LOG_LEVEL: "error",
    REQUESTS_PER_MINUTE: "100000000",
    ...environment,
  };
  let child: ChildProcess | null = null;
  let readyAfter = 0;
  let logged = "";

  const gone = (one: ChildProcess): Promise<void> =>
    one.exitCode !== null || one.signalCode !== null ? Promise.resolve() : new Promise((over) => one.once("exit", () => over()));

  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    get pid() {
      if (child?.pid === undefined) throw new Error("the server was not started");
      return child.pid;
    },
    get readyAfter() {
      return readyAfter;
    },
    start() {
      const began = performance.now();
      const started = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
      child = started;
      const isReady = new Promise<void>((ready, failed) => {
        let said = "";
        logged = "";
        started.stderr.on("data", (chunk: Buffer) => {
          said += chunk.toString();
          logged += chunk.toString();
        });
        started.stdout.on("data", (chunk: Buffer) => {
          said += chunk.toString();
          if (!said.includes("ready in")) return;
          readyAfter = performance.now() - began;
          ready();
        });
        started.once("exit", (code, signal) => {
          // one that ends unasked says why
          if (signal !== "SIGKILL" && code !== 0) process.stderr.write(`the server ended with ${code ?? signal}:\n${said}\n`);
          failed(new Error(`the server ended with ${code ?? signal}:\n${said}`));
        });
      });
      return timed("server", () => isReady);
    },
    async kill() {
      child?.kill("SIGKILL");
      if (child) await gone(child);
    },
    killPostgres() {
      process.kill(Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");
    },
    async connectionString() {
      const { stdout } = await promisify(execFile)(process.execPath, [main, "db"], { env });
      return stdout.trim();
    },
    async stop() {
      child?.kill("SIGTERM");
      if (child) await gone(child);
      return { code: child?.exitCode ?? null, logged };
    },
    async end() {
      child?.kill("SIGTERM");
      if (child) await gone(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
