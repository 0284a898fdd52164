import { readAnchors } from "../../src/server/audit/anchors.ts";
import type { Anchor } from "../../src/server/audit/anchors.ts";

/** Every anchor of a folder that is one. */
export async function allAnchors(folder: string): Promise<Anchor[]> {
  const all: Anchor[] = [];
  for await (const batch of readAnchors(folder)) all.push(...batch.filter((anchor) => anchor !== null));
  return all;
}
