import "./own-keys.css";
import { usePart } from "../kit/loading/chunk.ts";
import { PartWaiting } from "../kit/sheets/part-waiting.tsx";
import { needTexts } from "../kit/texts/texts.ts";
import type { Texts } from "../kit/texts/texts.ts";
import { needOverlayTexts, needRecordTexts } from "../kit/texts/late-texts.ts";
import { useKit, useStore } from "../kit/use-kit.ts";
import { CoachHint } from "./coach-hint.tsx";
import type { OwnKeys } from "./own-keys.ts";

const practiceTexts = import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=practice", import: "default" });

const loadEditor = async () => (await Promise.all([import("./key-editor.tsx"), needOverlayTexts()]))[0].KeyEditor;
const loadPractice = async () =>
  (await Promise.all([import("./practice/practice.tsx"), needTexts("practice", practiceTexts), needOverlayTexts(), needRecordTexts()]))[0]
    .Practice;

/** The coach, and the key editor and practice queue over the page. Must be within <KitProvider>. */
export function KeyLayer({ ownKeys }: { ownKeys: OwnKeys }) {
  const { sheet, services } = useKit();
  const shown = useStore(sheet);
  const close = () => sheet.set(null);
  const absent = () => {
    close();
    services.say("page.chunk.text", {}, "fail");
  };
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
