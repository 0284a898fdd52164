import { useKit, useStore } from "../use-kit.ts";

/** Announces what the status bar says; toasts announce themselves. */
export function LiveRegion() {
  const newest = useStore(useKit().messages).find((message) => !message.toast);
  const assertive = newest?.tone === "fail";
  return (
    <div className="sr of-page">
      <div role="status" aria-live="polite" aria-atomic="true">
        {newest !== undefined && !assertive && <span key={newest.id}>{newest.text}</span>}
      </div>
      <div role="alert" aria-live="assertive" aria-atomic="true">
        {newest !== undefined && assertive && <span key={newest.id}>{newest.text}</span>}
      </div>
    </div>
  );
}
