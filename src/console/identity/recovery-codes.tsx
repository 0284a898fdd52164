import { useEffect, useRef } from "react";
import { useSignedIn } from "../api/use-api.ts";
import { useHeldPage } from "../kit/form/leaving.ts";
import { useKit } from "../kit/use-kit.ts";
import { useText } from "../kit/texts/texts.ts";

const warning = { title: "recovery.leave", text: "recovery.leave.text", words: {} } as const;

/** Shown once, after which only their number is known: whoever leaves without them is asked. To be copied, kept as a file, or printed. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const t = useText();
  const { services } = useKit();
  const { user } = useSignedIn();
  useHeldPage(warning);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const text = [t("recovery.file", { email: user.email }), ...codes, ""].join("\n");

  function download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = "countinghouse-recovery-codes.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return (
    <div className="step recovery">
      <h2>{t("recovery.title")}</h2>
      <p className="say">{t("recovery.text")}</p>
      <ol className="mono" dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p className="alt">
        <button ref={first} type="button" className="btn" onClick={() => void services.copy(codes.join("\n"), "secret")}>
          {t("recovery.copy")}
        </button>
        <button type="button" className="btn" onClick={download}>
          {t("recovery.download")}
        </button>
        <button type="button" className="btn" onClick={() => window.print()}>
          {t("recovery.print")}
        </button>
        <button type="button" className="btn go end" onClick={onKept}>
          {t("recovery.kept")}
        </button>
      </p>
    </div>
  );
}
