import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { twoFactorRoutes } from "../../contract/two-factor.ts";
import type { TwoFactorSetUp as SetUp } from "../../contract/two-factor.ts";
import { CallFailure } from "../api/failure.ts";
import { spanText } from "../api/formats.ts";
import { useApi } from "../api/use-api.ts";
import { useSecond } from "../api/use-second.ts";
import { FormAlert } from "../kit/form/form-alert.tsx";
import { useKit } from "../kit/use-kit.ts";
import { useText } from "../kit/texts/texts.ts";
import { QrCode } from "./qr-code.tsx";
import { StepField } from "./step-field.tsx";
import { stepField } from "./step-session.ts";
import { useStep } from "./step.ts";

const code = stepField("code", twoFactorRoutes.confirmTwoFactor.body.shape.code);

/**
 * Turns two-factor on: a secret by QR code or by hand, and one code as its proof. What it leads to is kept by whoever shows it,
 * since the recovery codes are never told again. `eager`: takes the focus at once.
 */
export function TwoFactorSetUp({ eager, onCodes }: { eager?: boolean; onCodes(codes: readonly string[]): void }) {
  const t = useText();
  const { call, time } = useApi();
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const { form, ...step } = useStep({
    fields: [],
    send: async () => setSetUp((await call(twoFactorRoutes.beginTwoFactor, {}, { quiet: true })).data),
  });
  const beginning = useRef<HTMLButtonElement>(null);
  const leaving = useRef(false);
  useSecond();
  useEffect(() => {
    if (eager === true || (leaving.current && setUp === null)) beginning.current?.focus();
    leaving.current = setUp !== null;
  }, [eager, setUp]);

  function begin(event: FormEvent) {
    event.preventDefault();
    void step.submit();
  }

  const left = setUp === null ? 0 : Date.parse(setUp.expires_at) - time.now();
  if (setUp !== null && left > 0) return <Confirm setUp={setUp} left={left} onCodes={onCodes} onCancel={() => setSetUp(null)} />;
  const over = setUp !== null;
  return (
    <form ref={form} className="step" noValidate aria-busy={step.busy} onSubmit={begin}>
      <FormAlert wrong={0} others={step.others} />
      <p className="say">{t(over ? "two-factor.over" : "two-factor.text")}</p>
      <button ref={beginning} type="submit" className="btn go" aria-disabled={step.busy}>
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
  const { call, session } = useApi();
  const { services } = useKit();
  const { form, ...step } = useStep({
    fields: [code],
    async send(values) {
      const body = values as { code: string }; // its one field
      try {
        onCodes((await call(twoFactorRoutes.confirmTwoFactor, { body }, { quiet: true })).data.recovery_codes);
      } catch (error) {
        // it may be on although its answer was lost: then the page shows that, and offers new recovery codes
        if (error instanceof CallFailure && error.status === 0) void session.reloadProfile().catch(() => undefined);
        throw error;
      }
    },
  });
  const { value } = step.propsOf(code);
  const field = useRef<HTMLElement>(null);
  useEffect(() => field.current?.focus(), []);

  async function confirm(given: string) {
    if (given.length < 6) return field.current?.focus();
    if ((await step.submit()) !== "refused") return;
    step.clear(code);
    field.current?.focus();
  }

  return (
    <form
      ref={form}
      className="step set-up"
      noValidate
      aria-busy={step.busy}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void confirm(value);
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
      <FormAlert wrong={0} others={step.others} />
      <StepField
        {...step.propsOf(code)}
        label={t("login.code")}
        invalid={step.others.length > 0}
        takeRef={(element) => void (field.current = element)}
        onWrite={(text) => {
          step.type(code, text);
          if (text.length === 6) void confirm(text);
        }}
      />
      <p className="tick">{t("two-factor.left", { span: spanText(left) })}</p>
      <p className="alt">
        <button className="btn go" type="submit" aria-disabled={step.busy}>
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
