import type { PreferencesKeeper } from "../api/preferences.ts";
import type { MessageLog } from "../kit/messages/message-log.ts";
import { text } from "../kit/texts/texts.ts";

/** Reports once, by a toast that stays in the message log, that the server refuses the user's preferences. */
export function reportRefusedPreferences({ store }: Pick<PreferencesKeeper, "store">, { toast }: Pick<MessageLog, "toast">): () => void {
  let before = store.getState().saveState;
  return store.subscribe(({ saveState }) => {
    if (saveState === "refused" && before !== "refused")
      toast({ title: text("preferences.refused.title"), text: text("preferences.refused"), tone: "warn" });
    // "waiting" only says that another change is on its way
    if (saveState !== "waiting") before = saveState;
  });
}
