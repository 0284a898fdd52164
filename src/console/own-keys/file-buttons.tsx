import { useRef } from "react";
import { commandName, useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { chordText } from "../kit/keys/chord-text.ts";
import type { OwnKeys } from "./own-keys.ts";
import type { KeyFault } from "./key-file.ts";
import { mostChords } from "./key-store.ts";

/** Exports keys to a file, imports them, and resets all. */
export function FileButtons({ ownKeys, onTrouble }: { ownKeys: OwnKeys; onTrouble: (lines: readonly string[]) => void }) {
  const t = useText();
  const { services } = useKit();
  const input = useRef<HTMLInputElement>(null);
  const { keys } = ownKeys;

  function save(): void {
    const url = URL.createObjectURL(new Blob([keys.write()], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = "countinghouse-keys.json";
    link.click();
    URL.revokeObjectURL(url);
    services.say("keys.said.exported", {}, "done");
  }

  const faultText = ({ id, chord, why, other }: KeyFault): string => {
    const words = {
      keys: chordText(chord),
      name: commandName(t, id),
      other: other === undefined ? "" : commandName(t, other),
      count: mostChords,
    };
    const reason = why === "equal" || why === "prefix" ? t(`keys.import.${why}`, words) : t(`keys.fault.${why}`, words);
    return t("keys.import.fault", { name: words.name, reason });
  };

  async function load(file: File): Promise<void> {
    const read = keys.read(await file.text());
    if ("unreadable" in read) return onTrouble([t("keys.import.unreadable", { file: file.name })]);
    if ("faults" in read) return onTrouble([t("keys.import.refused"), ...read.faults.map(faultText)]);
    onTrouble([]);
    services.say("keys.said.imported", { count: Object.keys(read.keys).length }, "done");
  }

  async function resetAll(): Promise<void> {
    const answer = await services.ask("confirm", { title: "keys.reset-all", text: "keys.reset-all.text", words: {} });
    if (answer === null) return;
    keys.resetAll();
    onTrouble([]);
    services.say("keys.said.reset-all", {}, "done");
  }

  return (
    <span className="key-files">
      <button type="button" className="btn" onClick={save}>
        {t("keys.export")}
      </button>
      <button type="button" className="btn" onClick={() => input.current?.click()}>
        {t("keys.import")}
      </button>
      <button type="button" className="btn" onClick={() => void resetAll()}>
        {t("keys.reset-all.button")}
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file !== undefined) void load(file);
        }}
      />
    </span>
  );
}
