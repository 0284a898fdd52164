import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { droppedAccount } from "../db/embedded-host.ts";
import { contentOf, copyFile } from "./copy.ts";
import type { Content } from "./copy.ts";
import { parts } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";

/** Where a backup goes. */
interface Places {
  /** The data folder, which is there. */
  readonly data: string;
  /** The folder of uploaded files, which is not there yet; null: they are read and compared, and not copied. */
  readonly files: string | null;
}

/**
 * Copies a backup, each file compared with the manifest, the cluster for the account PostgreSQL runs as. Answers the paths it has made,
 * which are on disk only after `syncAll`. Throws naming a file that is not as it was written; what it has copied by then is left to the
 * caller.
 */
export async function layOut(dir: string, { folders, files }: Manifest, places: Places, signal: AbortSignal): Promise<readonly string[]> {
  const account = droppedAccount();
  const ownerOf = (path: string) => (partOf(path) === parts.cluster ? account : undefined);
  const made = [places.data];
  // a parent's name is shorter, so it comes before what it holds
  for (const path of folders.toSorted()) {
    const place = placeOf(path, places);
    if (place === null || place === places.data) continue;
    await mkdir(place, { mode: 0o700 });
    const owner = ownerOf(path);
    if (owner) await chown(place, owner.uid, owner.gid);
    made.push(place);
  }
  for (const file of files) {
    const [from, place] = [join(dir, file.path), placeOf(file.path, places)];
    const found = place === null ? await contentOf(from, signal) : await copyFile(from, place, { signal, owner: ownerOf(file.path) });
    refuseOther(from, file, found);
    if (place !== null) made.push(place);
  }
  return made;
}

const partOf = (path: string): string => path.split("/", 1)[0] ?? "";

/** The cluster is a folder of the data folder, and anchors lie in the data folder itself. */
function placeOf(path: string, { data, files }: Places): string | null {
  const below = path.slice(partOf(path).length + 1);
  switch (partOf(path)) {
    case parts.cluster:
      return join(data, path);
    case parts.anchors:
      return join(data, below);
    case parts.files:
      return files && join(files, below);
    default:
      throw new Error(`the backup has ${path}, of which this version does not know where it belongs`);
  }
}

function refuseOther(path: string, expected: Content, found: Content | undefined): void {
  if (!found) throw new Error(`the backup is damaged: ${path} is missing`);
  if (found.size !== expected.size || found.sha256 !== expected.sha256) {
    throw new Error(`the backup is damaged: ${path} is not as it was written`);
  }
}
