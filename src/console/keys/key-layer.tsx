import "./keys.css";
import { usePart } from "../kit/chunk.ts";
import { PartWaiting } from "../kit/part-waiting.tsx";
import { useKit, useStore } from "../kit/use-kit.ts";
import { CoachHint } from "./coach-hint.tsx";
import type { KeyDesk } from "./desk.ts";

const loadEditor = async () => (await import("./key-editor.tsx")).KeyEditor;
const loadPractice = async () => (await import("./practice/practice.tsx")).Practice;

/** The coach, and over the page the key editor and the practice queue. Stands inside <KitProvider>, beside the page. */
export function KeyLayer({ desk }: { desk: KeyDesk }) {
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
      {shown !== "practice" && <CoachHint coach={desk.coach} />}
      {shown === "keys" && (editor === null ? <PartWaiting close={close} /> : editor({ desk }))}
      {shown === "practice" && (practice === null ? <PartWaiting close={close} /> : practice({ desk }))}
    </>
  );
}
