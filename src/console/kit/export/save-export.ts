import type { Export } from "../../../contract/exports.ts";
import { ownExportRoutes } from "../../../contract/exports.ts";
import type { Services } from "../commands/services.ts";

/** Saves the file of an export that is done. */
export async function saveExport({ call, saveFile, say }: Services, { uuid, name }: Pick<Export, "uuid" | "name">): Promise<void> {
  const { data } = await call(ownExportRoutes.downloadExport, { params: { uuid } });
  const { type, bytes } = data;
  if (!(bytes instanceof Uint8Array)) throw new Error("a downloaded file is bytes");
  const file = name ?? uuid;
  await saveFile({ name: file, type, bytes });
  say("export.said.saved", { file }, "done");
}
