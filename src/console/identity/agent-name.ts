const browsers = [
  ["Edge", /Edg\//],
  ["Opera", /OPR\//],
  ["Firefox", /Firefox\//],
  ["Chrome", /Chrom(e|ium)\//],
  ["Safari", /Safari\//],
] as const;
const systems = [
  ["Android", /Android/],
  ["iOS", /iPhone|iPad/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

/** "Firefox · Windows" of a User-Agent; null where it says neither. The first that fits counts: they all claim to be the later ones. */
export function agentName(agent: string | null): string | null {
  const [browser, system] = [browsers, systems].map((names) => names.find(([, pattern]) => pattern.test(agent ?? ""))?.[0]);
  return [browser, system].filter(Boolean).join(" · ") || null;
}
