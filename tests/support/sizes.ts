import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const statically = /(?:^|[;}\s])(?:import|export)(?:[^"'()]*?from)?\s*["'](\.\/[^"']+)["']/g;
const lazily = /import\(["'`](\.\/[^"'`]+)["'`]\)/g;

function closure(files: readonly string[], known: ReadonlySet<string> = new Set()): Set<string> {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || known.has(file)) return;
    seen.add(file);
    if (!file.endsWith(".js")) return;
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(statically)) visit(join(dirname(file), path));
  };
  for (const file of files) visit(file);
  return seen;
}

const gzipped = (files: Iterable<string>, end: string): number =>
  [...files].filter((file) => file.endsWith(end)).reduce((total, file) => total + gzipSync(readFileSync(file)).length, 0);

export interface Sizes {
  /** Bytes, gzip. */
  readonly script: number;
  readonly style: number;
}

/** What the page loads before its first screen: what index.html names, and what that imports statically. */
function firstFiles(dist: string): Set<string> {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  return closure([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, path = ""]) => join(dist, path)));
}

export function firstScreen(dist: string): Sizes {
  const files = firstFiles(dist);
  return { script: gzipped(files, ".js"), style: gzipped(files, ".css") };
}

/** Lazy chunks by their name without hash: what each adds to the first screen. */
export function lazyChunks(dist: string): Map<string, Sizes> {
  const first = firstFiles(dist);
  const assets = join(dist, "assets");
  const styles = readdirSync(assets).filter((name) => name.endsWith(".css"));
  const chunks = new Map<string, Sizes>();
  for (const file of first) {
    if (!file.endsWith(".js")) continue;
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(lazily)) {
      const chunk = join(dirname(file), path);
      const name = basename(chunk).replace(/-[^-]{8}\.js$/, "");
      const added = closure([chunk], first);
      const own = styles.filter((style) => style.replace(/-[^-]{8}\.css$/, "") === name).map((style) => join(assets, style));
      chunks.set(name, { script: gzipped(added, ".js"), style: gzipped(own, ".css") });
    }
  }
  return chunks;
}
