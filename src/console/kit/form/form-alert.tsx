import { useEffect, useRef } from "react";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";

/** How many fields need attention, and what is wrong beside them; read out at once. */
export function FormAlert({ wrong, others }: { readonly wrong: number; readonly others: readonly string[] }) {
  const t = useText();
  if (wrong === 0 && others.length === 0) return null;
  return (
    <div className="alert" role="alert">
      <Icon name="warn" size="s" />
      <span>
        {wrong > 0 && <b>{t("record.form.wrong", { count: wrong })}</b>}
        {others.map((line) => (
          <span key={line} className="other">
            {line}
          </span>
        ))}
      </span>
    </div>
  );
}

/** After each refusal the focus goes to the first field that is wrong, with what is wrong beneath it in view. */
export function useFirstWrong(body: { readonly current: HTMLElement | null }, refusals: number): void {
  const toldAt = useRef(refusals);
  useEffect(() => {
    if (refusals === toldAt.current) return;
    toldAt.current = refusals;
    const field = body.current?.querySelector(".field.bad");
    const target =
      field?.querySelector<HTMLElement>("[aria-invalid=true]:not([role=group])") ?? field?.querySelector<HTMLElement>("input, button");
    target?.focus();
    field?.scrollIntoView({ block: "nearest" });
  }, [body, refusals]);
}
