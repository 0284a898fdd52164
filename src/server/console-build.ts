import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const sources = [
  "index.html",
  "vite.config.ts",
  "package-lock.json",
  "src/console",
  "src/contract",
  "src/values",
  "commands",
  "locales",
  "src/server/console-build.ts",
];
const stamp = ".built-from";
/** The build before `folder`, which pages opened from it ask for parts until they are loaded anew. */
export const formerOf = (folder: string): string => `${folder}.former`;
/** Texts below this size are not compressed. */
const compressFrom = 1024;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/**
 * Builds the console into `dist` when its sources have changed since the last build; answers the folder. It builds in another folder and
 * renames it, so that several processes can start at once; the build before is kept beside it. Throws with the builder's output.
 */
export async function buildConsole(project: string, log: (line: string) => void): Promise<string> {
  const folder = join(project, "dist");
  const hash = await hashSources(project);
  const isBuilt = async () => (await readFile(join(folder, stamp), "utf8").catch(() => "")) === hash;
  if (await isBuilt()) return folder;
  log("building the console");
  const beside = `${folder}.${process.pid}`;
  await bundle(project, beside);
  await compressFiles(beside);
  await writeFile(join(beside, stamp), hash);
  if (await isBuilt()) {
    // another process was faster with the same sources: its build is in use and must not be replaced
    await rm(beside, { recursive: true, force: true });
    return folder;
  }
  await rm(formerOf(folder), { recursive: true, force: true });
  await rename(folder, formerOf(folder)).catch(() => undefined); // the first build finds none
  await rename(beside, folder).catch(async (error: unknown) => {
    // another process was faster with the same sources
    if (!existsSync(join(folder, stamp))) throw error;
    await rm(beside, { recursive: true, force: true });
  });
  return folder;
}

/** Writes a .br and a .gz beside each text and font of the build, so that requests need no compression (console-files.ts). */
async function compressFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:html|js|css|json|svg|otf)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path); // oxlint-disable-line no-await-in-loop -- one file in memory at a time
    if (text.length < compressFrom) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const [br, gz] = await Promise.all([promisify(brotliCompress)(text, brotliOptions), promisify(gzip)(text, { level: 9 })]);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
  }
}

async function hashSources(project: string): Promise<string> {
  const files: string[] = [];
  for (const source of sources) {
    const path = join(project, source);
    if (/\.\w+$/.test(source)) files.push(path);
    else
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
  }
  const hash = createHash("sha256");
  for (const file of files.sort()) hash.update(`${relative(project, file)}\n`).update(await readFile(file).catch(() => ""));
  return hash.digest("hex");
}

/** Builds the console as it is sent, without what is compressed beforehand. Rejects with the builder's output. */
export function bundle(project: string, outDir: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const vite = join(project, "node_modules/vite/bin/vite.js");
    const child = spawn(process.execPath, [vite, "build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"], {
      cwd: project,
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (data: Buffer) => (output += data.toString()));
    child.stderr.on("data", (data: Buffer) => (output += data.toString()));
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`the console does not build:\n${output}`))));
  });
}
