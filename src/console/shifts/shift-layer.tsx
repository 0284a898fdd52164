import { useEffect, useRef } from "react";
import { useStore as useSession } from "zustand";
import { useApi } from "../api/use-api.ts";
import { usePart } from "../kit/loading/chunk.ts";
import { PartWaiting } from "../kit/sheets/part-waiting.tsx";
import { needRecordTexts, needShiftTexts } from "../kit/texts/late-texts.ts";
import { useKit, useStore } from "../kit/use-kit.ts";

const load = async () => (await Promise.all([import("./shifts.tsx"), needShiftTexts(), needRecordTexts()]))[0].Shifts;

/** The sheets of shifts over every page. What others left is shown once to whoever comes: as soon as the counters tell of it. */
export function ShiftLayer() {
  const tenant = useSession(useApi().session.store, ({ at }) => at?.tenant.id ?? null);
  return tenant === null ? null : <OfTenant key={tenant} />;
}

function OfTenant() {
  const { sheet, services, context } = useKit();
  const { counters } = useApi();
  const open = useStore(sheet);
  const unread = useSession(counters.store, ({ details }) => details?.unreadHandOverCount ?? 0);
  const told = useRef(false);
  useEffect(() => {
    if (unread === 0) return undefined;
    // not over another sheet or under somebody's typing: it would take the keys meant for them
    const tell = (): void => {
      const { dialogs, typing } = context.getState();
      if (told.current || dialogs.length > 0 || typing || sheet.getState() !== null) return;
      told.current = true;
      sheet.set("hand-overs");
    };
    tell();
    return context.subscribe(tell);
  }, [unread, sheet, context]);
  const which = open === "shift" || open === "hand-overs" ? open : null;
  const close = () => sheet.set(null);
  const shifts = usePart(load, {
    wanted: which !== null,
    absent() {
      close();
      services.say("page.chunk.text", {}, "fail");
    },
  });
  if (which === null) return null;
  return shifts === null ? <PartWaiting close={close} /> : shifts({ which, onClose: close });
}
