import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const statically = /(?:^|[;}\s])(?:import|export)(?:[^"'()]*?from)?\s*["'](\.\/[^"']+)["']/g;
/** `import("./a.js")`, and the numbers of all the files the build fetches with it. */
const lazily = /import\(["'`](\.\/[^"'`]+)["'`]\)(?:(?:(?!import\()[^])*?__vite__mapDeps\(\[([\d,]*)\]\))?/g;
/** The list those numbers count in. */
const fetched = /__vite__mapDeps=.*?\[((?:"[^"]*",?)*)\]/;

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

interface Sizes {
  /** Bytes, gzip. */
  readonly script: number;
  readonly style: number;
}

/** What the page loads before its first screen: what index.html names, and what that imports statically. */
function firstFiles(dist: string): Set<string> {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  return closure([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, path = ""]) => join(dist, path)));
}

const scriptIn = (files: Iterable<string>): number => gzipped(files, ".js");

export function firstScreen(dist: string): Sizes {
  const files = firstFiles(dist);
  return { script: scriptIn(files), style: gzipped(files, ".css") };
}

/** Bytes, gzip, of the fonts that the page names. */
export function firstFonts(dist: string): number {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  return gzipped(
    [...html.matchAll(/href="\/(assets\/[^"]+\.otf)"/g)].map(([, path = ""]) => join(dist, path)),
    ".otf",
  );
}

/** They may be fetched before the sheets every page fetches. */
const beforeOverlays = ["overlays", "login-page"];

/** What comes after the first screen, by its chunk's name without hash. */
interface Later {
  /** Bytes, gzip, that each lazy chunk brings and no other screen does, beside the first screen and the sheets every page fetches after it. */
  readonly own: ReadonlyMap<string, number>;
  /** All that each brings, whoever else does. */
  readonly whole: ReadonlyMap<string, number>;
  /** Of files that several screens bring, each fetched with the first of them; those of one name together. */
  readonly shared: ReadonlyMap<string, number>;
  /** How many files each brings. */
  readonly files: ReadonlyMap<string, number>;
}

export function laterChunks(dist: string): Later {
  const first = firstFiles(dist);
  const assets = join(dist, "assets");
  const plain = (file: string) => basename(file).replace(/-[\w-]{8}\.(?:js|css)$/, "");
  const files = readdirSync(assets).map((name) => join(assets, name));
  const overlays = files.filter((file) => file.endsWith(".js") && plain(file) === "overlays");
  const everywhere = new Set([...first, ...closure(overlays)]);
  const brought = new Map<string, Set<string>>();
  for (const file of first) {
    if (!file.endsWith(".js")) continue;
    const text = readFileSync(file, "utf8");
    const names = (JSON.parse(`[${fetched.exec(text)?.[1] ?? ""}]`) as string[]).map((name) => join(dist, name)); // written by the build
    for (const [, path = "", numbers = ""] of text.matchAll(lazily)) {
      const chunk = join(dirname(file), path);
      const known = beforeOverlays.includes(plain(chunk)) ? first : everywhere;
      const with_ = numbers === "" ? [] : numbers.split(",").map((number) => names[Number(number)] ?? "");
      brought.set(plain(chunk), new Set([...closure([chunk], known), ...with_.filter((each) => !known.has(each))]));
    }
  }
  const screens = [...brought].filter(([name]) => name.endsWith("-screen")).map(([, added]) => added);
  const common = new Set(
    [...new Set(screens.flatMap((added) => [...added]))].filter((file) => screens.filter((added) => added.has(file)).length > 1),
  );
  return {
    own: new Map([...brought].map(([name, added]) => [name, scriptIn([...added].filter((file) => !common.has(file)))])),
    shared: new Map(
      [...new Set([...common].map(plain))].map((name) => [name, scriptIn([...common].filter((file) => plain(file) === name))]),
    ),
    whole: new Map([...brought].map(([name, added]) => [name, scriptIn(added)])),
    files: new Map([...brought].map(([name, added]) => [name, added.size])),
  };
}

/** Chunks whose text holds this, by name without hash; and whether a page may load them before it shows its first screen. */
export function chunksHolding(dist: string, text: string): { readonly name: string; readonly first: boolean }[] {
  const first = firstFiles(dist);
  const assets = join(dist, "assets");
  return readdirSync(assets, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js") && readFileSync(join(assets, name), "utf8").includes(text))
    .map((name) => ({ name: basename(name).replace(/-[\w-]{8}\.js$/, ""), first: first.has(join(assets, name)) }));
}
