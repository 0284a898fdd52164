import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { twoFactorRoutes } from "../../contract/two-factor.ts";
import type { TwoFactorSetUp as SetUp } from "../../contract/two-factor.ts";
import { spanText } from "../api/formats.ts";
import { useApi } from "../api/use-api.ts";
import { useSecond } from "../api/use-second.ts";
import { useKit } from "../kit/use-kit.ts";
import { useText } from "../kit/texts/texts.ts";
import { CodeField } from "./code-field.tsx";
import { StepError } from "./field.tsx";
import { QrCode } from "./qr-code.tsx";
import { useStep } from "./step.ts";

/**
 * Turns two-factor on: a secret by QR code or by hand, and one code as its proof. What it leads to is kept by whoever shows it,
 * since the recovery codes are never told again. `eager`: takes the focus at once.
 */
export function TwoFactorSetUp({ eager, onCodes }: { eager?: boolean; onCodes(codes: readonly string[]): void }) {
  const t = useText();
  const { call, time } = useApi();
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const { form, busy, wrong, send } = useStep([]);
  const beginning = useRef<HTMLButtonElement>(null);
  const leaving = useRef(false);
  useSecond();
  useEffect(() => {
    if (eager === true || (leaving.current && setUp === null)) beginning.current?.focus();
    leaving.current = setUp !== null;
  }, [eager, setUp]);

  async function begin(event: FormEvent) {
    event.preventDefault();
    await send(async () => setSetUp((await call(twoFactorRoutes.beginTwoFactor, {}, { quiet: true })).data));
  }

  const left = setUp === null ? 0 : Date.parse(setUp.expires_at) - time.now();
  if (setUp !== null && left > 0) return <Confirm setUp={setUp} left={left} onCodes={onCodes} onCancel={() => setSetUp(null)} />;
  const over = setUp !== null;
  return (
    <form ref={form} className="step" noValidate aria-busy={busy} onSubmit={(event) => void begin(event)}>
      <StepError>{wrong["all"]}</StepError>
      <p className="say">{t(over ? "two-factor.over" : "two-factor.text")}</p>
      <button ref={beginning} type="submit" className="btn go" aria-disabled={busy}>
        {t(over ? "two-factor.begin-again" : "two-factor.begin")}
      </button>
    </form>
  );
}

interface ConfirmProps {
  readonly setUp: SetUp;
  /** Milliseconds the secret is still good for. */
  readonly left: number;
  onCodes(codes: readonly string[]): void;
  onCancel(): void;
}

function Confirm({ setUp, left, onCodes, onCancel }: ConfirmProps) {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  const [code, setCode] = useState("");
  const { form, busy, wrong, clear, send } = useStep([]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  async function confirm(given: string) {
    if (given.length < 6) return field.current?.focus();
    const done = await send(async () =>
      onCodes((await call(twoFactorRoutes.confirmTwoFactor, { body: { code: given } }, { quiet: true })).data.recovery_codes),
    );
    if (done) return;
    setCode("");
    field.current?.focus();
  }

  return (
    <form
      ref={form}
      className="step set-up"
      noValidate
      aria-busy={busy}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void confirm(code);
      }}
    >
      <p className="say">{t("two-factor.scan")}</p>
      <QrCode text={setUp.uri} label={t("two-factor.qr")} />
      <p className="manual">
        {t("two-factor.manual")}
        <button
          type="button"
          className="mono key"
          dir="ltr"
          title={t("recovery.copy")}
          onClick={() => void services.copy(setUp.secret, "secret")}
        >
          {setUp.secret.match(/.{1,4}/g)?.join(" ")}
        </button>
      </p>
      <StepError>{wrong["all"]}</StepError>
      <CodeField
        value={code}
        invalid={wrong["all"] !== undefined}
        fieldRef={field}
        onChange={(text) => {
          setCode(text);
          clear();
          if (text.length === 6 && !busy) void confirm(text);
        }}
      />
      <p className="tick">{t("two-factor.left", { span: spanText(left) })}</p>
      <p className="alt">
        <button className="btn go" type="submit" aria-disabled={busy}>
          {t("two-factor.confirm")}
          <kbd>↵</kbd>
        </button>
        <button type="button" className="btn" onClick={onCancel}>
          {t("sheet.cancel")}
        </button>
      </p>
    </form>
  );
}
