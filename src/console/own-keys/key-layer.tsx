import "./own-keys.css";
import { useMemo } from "react";
import type { Registry } from "../kit/commands/registry.ts";
import { usePart } from "../kit/loading/chunk.ts";
import { PartWaiting } from "../kit/sheets/part-waiting.tsx";
import { needTexts } from "../kit/texts/texts.ts";
import type { Texts } from "../kit/texts/texts.ts";
import { needOverlayTexts, needRecordTexts } from "../kit/texts/late-texts.ts";
import { useKit, useStore } from "../kit/use-kit.ts";
import { CoachHint } from "./coach-hint.tsx";
import type { OwnKeys } from "./own-keys.ts";

const practiceTexts = import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=practice", import: "default" });

const commandTexts = import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=commands", import: "default" });

/** With the commands of all screens, and what they are called. */
const editorOf = (registry: Registry) => async () =>
  (await Promise.all([import("./key-editor.tsx"), registry.need("all"), needTexts("commands", commandTexts), needOverlayTexts()]))[0]
    .KeyEditor;

/** With the commands that are practised. */
const practiceOf = (registry: Registry) => async () =>
  (
    await Promise.all([
      import("./practice/practice.tsx"),
      registry.need("withdrawals"),
      needTexts("practice", practiceTexts),
      needOverlayTexts(),
      needRecordTexts(),
    ])
  )[0].Practice;

/** The coach, and the key editor and practice queue over the page. Must be within <KitProvider>. */
export function KeyLayer({ ownKeys }: { ownKeys: OwnKeys }) {
  const { sheet, services, registry } = useKit();
  const shown = useStore(sheet);
  const close = () => sheet.set(null);
  const absent = () => {
    close();
    services.say("page.chunk.text", {}, "fail");
  };
  const [loadEditor, loadPractice] = useMemo(() => [editorOf(registry), practiceOf(registry)], [registry]);
  const editor = usePart(loadEditor, { wanted: shown === "keys", absent });
  const practice = usePart(loadPractice, { wanted: shown === "practice", absent });
  return (
    <>
      {shown !== "practice" && <CoachHint coach={ownKeys.coach} />}
      {shown === "keys" && (editor === null ? <PartWaiting close={close} /> : editor({ ownKeys }))}
      {shown === "practice" && (practice === null ? <PartWaiting close={close} /> : practice({ ownKeys }))}
    </>
  );
}
