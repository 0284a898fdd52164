import { useStore } from "zustand";
import { useApi } from "../api/use-api.ts";
import { text } from "../kit/texts.ts";

/** "Screen – Countinghouse", with what waits in front so that a tab in the background tells. */
export function Title({ screen }: { screen: string }) {
  const waiting = useStore(useApi().counters.store, ({ counts }) => counts.withdraw);
  const product = text("shell.product");
  return <title>{`${waiting ? `(${waiting}) ` : ""}${screen} – ${product}`}</title>;
}
