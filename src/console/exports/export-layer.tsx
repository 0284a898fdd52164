import { useMemo } from "react";
import { useStore as useSession } from "zustand";
import { useApi, useChanged } from "../api/use-api.ts";
import { usePart } from "../kit/loading/chunk.ts";
import { PartWaiting } from "../kit/sheets/part-waiting.tsx";
import { needExportTexts, needRecordTexts } from "../kit/texts/late-texts.ts";
import { useKit, useStore } from "../kit/use-kit.ts";
import { createAwaited } from "./awaited.ts";

const load = async () => (await Promise.all([import("./exports.tsx"), needExportTexts(), needRecordTexts()]))[0].Exports;

/** The user's exports over every page: how far they are, that one is done, and the sheet that lists them. Comes with the first of them. */
export function ExportLayer() {
  const tenant = useSession(useApi().session.store, ({ at }) => at?.tenant.id ?? null);
  return tenant === null ? null : <OfTenant key={tenant} tenant={tenant} />;
}

function OfTenant({ tenant }: { tenant: string }) {
  const { sheet, services } = useKit();
  const awaited = useMemo(() => createAwaited(localStorage, tenant), [tenant]);
  const isOpen = useStore(sheet) === "exports";
  useChanged("export", (rows) => rows.forEach(({ uuid }) => awaited.add(uuid)));
  const close = () => sheet.set(null);
  const isAwaited = useStore(awaited).length > 0;
  const exports = usePart(load, {
    wanted: isOpen || isAwaited,
    absent() {
      if (!isOpen) return;
      close();
      services.say("page.chunk.text", {}, "fail");
    },
  });
  if (exports !== null) return exports({ awaited, isOpen, onClose: close });
  return isOpen ? <PartWaiting close={close} /> : null;
}
