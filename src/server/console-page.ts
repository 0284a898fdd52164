import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { screenAt } from "../contract/addresses.ts";
import { languages } from "../contract/languages.ts";
import type { ScreenName } from "../contract/screens.ts";

/** A file of the build, as the bundler's manifest has it by its source. */
interface Built {
  readonly file: string;
  /** Other entries of the manifest, without which it does not run. */
  readonly imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Built>>;

/** Who asks for a page, and in which language. */
interface Asker {
  readonly isSignedIn: boolean;
  readonly language: string;
}

/** The texts that any screen waits for besides its own (console/kit/texts/late-texts.ts). */
const commonTexts = ["first", "record"];

/**
 * The built page for a path. For a user who is signed in it names the files of the path's screen, so that the browser fetches them beside
 * the main script instead of after it has run. The page is read each time, because a newer process may have built the folder anew, and its
 * last text is answered while the folder is being replaced.
 */
export function consolePages(folder: string): (path: string, asker: Asker) => Promise<string> {
  let built = { page: "", manifest: {} as Manifest, pages: new Map<string, string>() };
  return async (path, { isSignedIn, language }) => {
    const page = await readFile(join(folder, "index.html"), "utf8").catch(() => built.page);
    if (page !== built.page) built = { page, manifest: await readManifest(folder), pages: new Map() };
    const { manifest, pages } = built;
    const screen = isSignedIn ? screenAt(path)?.screen : undefined;
    if (screen === undefined) return page;
    const of = languages.find((one) => one === language) ?? "en";
    const name = `${screen} ${of}`;
    const known = pages.get(name) ?? page.replace("</head>", `${linksTo(filesOf(manifest, screen, of), page)}</head>`);
    pages.set(name, known);
    return known;
  };
}

/** Empty where the folder was not built by our bundler. */
async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, "manifest.json"), "utf8").catch(() => "{}");
  return JSON.parse(text) as Manifest; // by the bundler
}

/** The files a screen is drawn with, in the order they need one another. */
function filesOf(manifest: Manifest, screen: ScreenName, language: string): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (source: string): void => {
    const built = manifest[source];
    if (built === undefined || seen.has(source)) return;
    seen.add(source);
    for (const needed of built.imports ?? []) add(needed);
    files.add(built.file);
  };
  const own = Object.keys(manifest).find((source) => source.endsWith(`/${screen}-screen.tsx`));
  if (own === undefined) return files;
  // a screen's texts are called like its folder, or like itself where it stands in none
  const [, part = screen] = /\/screens\/([^/]+)\//.exec(own) ?? [];
  // in English, too, which stands in for a text that is missing
  for (const texts of [...commonTexts, part]) for (const spoken of new Set([language, "en"])) add(`locales/${spoken}.json?part=${texts}`);
  add(own);
  // those of its commands that are called like it
  for (const commands of [`commands/${screen}.ts`, `commands/${screen}/commands.ts`]) add(commands);
  return files;
}

/** Those the page does not name itself. */
const linksTo = (files: ReadonlySet<string>, page: string): string =>
  [...files]
    .filter((file) => !page.includes(`/${file}"`))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
    .join("");
