import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { formatCount } from "../../../values/counts.ts";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { CreditChecks } from "./credit-checks.ts";
import "./master-accounts.css";

/** The checks of a screen while it is mounted. */
export function useCreditChecks(): CreditChecks {
  const { services } = useKit();
  const [checks] = useState(() => new CreditChecks(services));
  useEffect(() => {
    checks.open();
    return () => checks.close();
  }, [checks]);
  return checks;
}

/** How far the newest job of checks is; nothing where none runs. */
export function CheckProgress({ checks }: { readonly checks: CreditChecks }) {
  const t = useText();
  const run = useStore(checks.shown, (shown) => shown.run);
  if (run === null) return null;
  const words = { done: formatCount(run.done), total: formatCount(run.total) };
  return (
    <span className="check-progress">
      <span id="check-progress">{t("master-account.progress", words)}</span>
      <progress aria-labelledby="check-progress" value={run.done} max={Math.max(1, run.total)} />
      <button type="button" className="btn bare" onClick={() => void checks.cancel()}>
        {t("sheet.cancel")}
      </button>
    </span>
  );
}
