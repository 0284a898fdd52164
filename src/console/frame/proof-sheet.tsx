import { useEffect, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { needStepTexts } from "../identity/step-texts.ts";
import { useApi } from "../api/use-api.ts";
import { usePart } from "../kit/loading/chunk.ts";
import { PartWaiting } from "../kit/sheets/part-waiting.tsx";
import { useKit } from "../kit/use-kit.ts";
import type { Proof } from "./proof.ts";

const load = async () => (await Promise.all([import("./proof-question.tsx"), needStepTexts()]))[0].ProofQuestion;

export function ProofSheet({ proof }: { proof: Proof }) {
  const { services } = useKit();
  const asked = useSyncExternalStore(proof.store.subscribe, proof.store.getState);
  const user = useStore(useApi().session.store, ({ at }) => at?.user);
  // signed out while the sheet was open, so there is nobody left to prove anything
  const gone = asked && user === undefined;
  useEffect(() => {
    if (gone) proof.dismiss();
  }, [gone, proof]);
  const question = usePart(load, {
    wanted: asked,
    absent() {
      proof.dismiss();
      services.say("page.chunk.text", {}, "fail");
    },
  });
  if (!asked || user === undefined) return null;
  return question === null ? <PartWaiting close={proof.dismiss} /> : question({ proof, user });
}
