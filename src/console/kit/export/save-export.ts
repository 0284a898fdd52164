import type { Export } from "../../../contract/exports.ts";
import { ownExportRoutes } from "../../../contract/exports.ts";
import type { Services } from "../commands/services.ts";

/** Saves the file of an export that is done. */
export async function saveExport({ call, saveFile, say }: Services, { uuid }: Pick<Export, "uuid">): Promise<void> {
  const { data } = await call(ownExportRoutes.downloadExport, { params: { uuid } });
  const { name, type, bytes } = data;
  if (!(bytes instanceof Uint8Array)) throw new Error("a downloaded file is bytes");
  await saveFile({ name, type, bytes });
  say("export.said.saved", { file: name }, "done");
}
