import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { twoFactorRoutes } from "../../../contract/two-factor.ts";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { RecoveryCodes } from "../../identity/recovery-codes.tsx";
import { useRenewSelf } from "../../identity/renew-self.ts";
import { StepField } from "../../identity/step-field.tsx";
import { stepField } from "../../identity/step-session.ts";
import { useStep } from "../../identity/step.ts";
import { TwoFactorSetUp } from "../../identity/two-factor-set-up.tsx";
import { FormAlert } from "../../kit/form/form-alert.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { useKit } from "../../kit/use-kit.ts";
import { useText } from "../../kit/texts/texts.ts";

const password = stepField("password", twoFactorRoutes.disableTwoFactor.body.shape.password);

type Doing = "renew" | "disable" | null;

/** The second factor: off, or on with the recovery codes left. Turning it off, or new codes, asks for the password. */
export function TwoFactor() {
  const t = useText();
  const { two_factor } = useSignedIn().user;
  const [doing, setDoing] = useState<Doing>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const renewSelf = useRenewSelf();
  const heading = useRef<HTMLHeadingElement>(null);
  /** They are told this once; what is on from now on is said beside them. */
  const show = (fresh: readonly string[]) => {
    setCodes(fresh);
    void renewSelf({ two_factor: { ...two_factor, enabled: true, recovery_left: fresh.length } });
  };
  // what had the focus goes with it
  const close = () => {
    heading.current?.focus();
    setDoing(null);
    setCodes(null);
  };

  return (
    <section className="sec">
      <h2 ref={heading} tabIndex={-1}>
        {t("profile.two-factor")}
      </h2>
      <div className="ln">
        <span className={two_factor.enabled ? "st approved" : "st pending"}>
          <Icon name={two_factor.enabled ? "approved" : "pending"} />
          {t(two_factor.enabled ? "profile.two-factor.on" : "profile.two-factor.off")}
        </span>
        {two_factor.required && <span className="tag">{t("profile.two-factor.required")}</span>}
        {two_factor.enabled && <span className="end t2">{t("profile.two-factor.left", { count: two_factor.recovery_left })}</span>}
      </div>
      {codes !== null && <RecoveryCodes codes={codes} onKept={close} />}
      {!two_factor.enabled && codes === null && <TwoFactorSetUp onCodes={show} />}
      {doing !== null && (
        <Prove
          key={doing}
          doing={doing}
          onCancel={close}
          onCodes={(fresh) => {
            close();
            show(fresh);
          }}
          onDone={() => void renewSelf({ two_factor: { ...two_factor, enabled: false, recovery_left: 0 } }).then(close)}
        />
      )}
      {two_factor.enabled && doing === null && codes === null && (
        <p className="alt">
          <button type="button" className="btn" onClick={() => setDoing("renew")}>
            {t("profile.two-factor.renew")}
          </button>
          {!two_factor.required && (
            <button type="button" className="btn no" onClick={() => setDoing("disable")}>
              {t("profile.two-factor.disable")}
            </button>
          )}
        </p>
      )}
    </section>
  );
}

interface ProveProps {
  readonly doing: "renew" | "disable";
  onCancel(): void;
  onCodes(codes: readonly string[]): void;
  onDone(): void;
}

function Prove({ doing, onCancel, onCodes, onDone }: ProveProps) {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  const { form, ...step } = useStep({
    fields: [password],
    blames: { "password.wrong": password.name },
    check: (values) => ({ ...(values["password"] === "" && { password: [t("login.password-missing")] }) }),
    async send(values) {
      const body = values as { password: string }; // its one field
      if (doing === "renew") onCodes((await call(twoFactorRoutes.renewRecoveryCodes, { body }, { quiet: true })).data.recovery_codes);
      else {
        await call(twoFactorRoutes.disableTwoFactor, { body }, { quiet: true });
        services.say("profile.two-factor.disabled");
        onDone();
      }
    },
  });
  const field = useRef<HTMLElement>(null);
  // opened by a press: the field is what comes next
  useEffect(() => field.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const outcome = await step.submit();
    if (outcome === "refused" && field.current instanceof HTMLInputElement) field.current.select();
  }

  return (
    <form ref={form} className="step" noValidate aria-busy={step.busy} onSubmit={(event) => void submit(event)}>
      <p className="say">{t(doing === "renew" ? "profile.two-factor.renew-text" : "profile.two-factor.disable-text")}</p>
      <FormAlert wrong={0} others={step.others} />
      <StepField {...step.propsOf(password)} label={t("password.current")} takeRef={(element) => void (field.current = element)} />
      <p className="alt">
        <button type="submit" className={doing === "renew" ? "btn go" : "btn no"} aria-disabled={step.busy}>
          {t(doing === "renew" ? "profile.two-factor.renew" : "profile.two-factor.disable")}
          <kbd>↵</kbd>
        </button>
        <button type="button" className="btn" onClick={onCancel}>
          {t("sheet.cancel")}
        </button>
      </p>
    </form>
  );
}
