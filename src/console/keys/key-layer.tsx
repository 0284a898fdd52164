import "./keys.css";
import { lazy, Suspense } from "react";
import { useKit, useStore } from "../kit/use-kit.ts";
import { CoachHint } from "./coach-hint.tsx";
import type { KeyDesk } from "./desk.ts";

const KeyEditor = lazy(async () => ({ default: (await import("./key-editor.tsx")).KeyEditor }));
const Practice = lazy(async () => ({ default: (await import("./practice/practice.tsx")).Practice }));

/** The coach, and over the page the key editor and the practice queue. Stands inside <KitProvider>, beside the page. */
export function KeyLayer({ desk }: { desk: KeyDesk }) {
  const sheet = useStore(useKit().sheet);
  return (
    <>
      {sheet !== "practice" && <CoachHint coach={desk.coach} />}
      <Suspense>
        {sheet === "keys" && <KeyEditor desk={desk} />}
        {sheet === "practice" && <Practice desk={desk} />}
      </Suspense>
    </>
  );
}
