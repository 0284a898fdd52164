import type { Rolldown } from "vite";

type Modules = Parameters<Rolldown.CodeSplittingNameFunction>[1];

/** A module, what imports it statically, and what imports that. */
function bringersOf(id: string, modules: Modules): string[] {
  const seen = new Set([id]);
  for (const one of seen) for (const importer of modules.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  return [...seen];
}

const screen = /\/screens\/.*-screen\.tsx$/;
const otherLibrary = /\/node_modules\/(?!@tanstack\/)/;
/** So many screens are most: the lists of records. */
const most = 24;

/** The first that a module is brought by names its file. Each has what those before it have not. */
const files = [
  { name: "fields", broughtBy: /\/frame\/sign-in\/.*-page\.tsx$/ },
  { name: "reading", broughtBy: /\/dashboard-screen\.tsx$/ },
  { name: "grid", broughtBy: /\/kit\/grid\/grid\.tsx$/ },
  { name: "lists", broughtBy: /\/withdrawals-screen\.tsx$/ },
  { name: "entities", broughtBy: screen },
] as const;

/**
 * Names the file of a module that most screens bring, so that these come in a handful of files instead of fifty, each of which a browser asks
 * for by itself. Nothing a module imports is brought by less than itself, so that it is in the same file or in one named before, and no two
 * files need each other.
 * @returns a function for the bundler, which answers null for modules of fewer screens, and of libraries other than the grid's: which parts of
 * those are used where, the bundler knows better
 */
export function sharedChunks(): Rolldown.CodeSplittingNameFunction {
  return (id, modules) => {
    if (otherLibrary.test(id)) return null;
    const bringers = bringersOf(id, modules);
    if (bringers.filter((one) => screen.test(one)).length < most) return null;
    return files.find(({ broughtBy }) => bringers.some((one) => broughtBy.test(one)))?.name ?? null;
  };
}
