import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import { useStore } from "zustand";
import { Email } from "../../contract/session.ts";
import { CallFailure, describeFailure } from "../api/failure.ts";
import { createFormats } from "../api/formats.ts";
import { useApi } from "../api/use-api.ts";
import { isApple } from "../kit/chord.ts";
import { Icon } from "../kit/icon.tsx";
import { hasText, text, useText } from "../kit/texts.ts";
import type { MessageKey } from "../kit/messages.ts";
import { Brand } from "./brand.tsx";
import { LanguageChoice, ThemeChoice } from "./preferences.tsx";
import { Title } from "./title.tsx";
import { useSecond } from "../api/use-second.ts";

const lessons: readonly { keys: readonly string[]; what: MessageKey; when: MessageKey }[] = [
  { keys: [isApple ? "⌘" : "Ctrl", "K"], what: "login.lesson.palette", when: "login.lesson.palette.when" },
  { keys: ["g", "w"], what: "login.lesson.withdrawals", when: "login.lesson.withdrawals.when" },
  { keys: ["a"], what: "login.lesson.approve", when: "login.lesson.approve.when" },
  { keys: ["r"], what: "login.lesson.reject", when: "login.lesson.reject.when" },
  { keys: ["z"], what: "login.lesson.undo", when: "login.lesson.undo.when" },
  { keys: ["?"], what: "login.lesson.help", when: "login.lesson.help.when" },
];

/** Sign-in. Credentials are the first step; a challenge of the server's would be the next in the same column. */
export function LoginPage({ onSignedIn }: { onSignedIn(): void }) {
  const t = useText();
  return (
    <div className="lg">
      <Title screen={t("login.title")} />
      <section className="lg-left" aria-label={t("shell.product")}>
        <Brand name={t("shell.product")} />
        <div className="lg-book">
          <h1>{t("login.motto")}</h1>
          <table>
            <tbody>
              {lessons.map(({ keys, what, when }) => (
                <tr key={what}>
                  <td>
                    <span className="kk">
                      {keys.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </span>
                  </td>
                  <td>{t(what)}</td>
                  <td>{t(when)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Foot />
      </section>
      <main className="lg-right">
        <CredentialsStep onDone={onSignedIn} />
        <div className="lg-fx">
          <LanguageChoice />
          <span className="t3" aria-hidden="true">
            ·
          </span>
          <ThemeChoice />
        </div>
      </main>
    </div>
  );
}

interface Wrong {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  /** Not of one field. */
  readonly all?: string | undefined;
}

/** A field typed in is no longer wrong; the other's error stays. */
const without = (field: keyof Wrong) => (wrong: Wrong) => ({ ...wrong, [field]: undefined });

function CredentialsStep({ onDone }: { onDone(): void }) {
  const t = useText();
  const { session } = useApi();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Wrong>({});
  const id = useId();
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  useEffect(() => emailField.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const found: Wrong = {
      ...(!Email.safeParse(email).success && { email: t("login.invalid-email") }),
      ...(password === "" && { password: t("login.password-missing") }),
    };
    setWrong(found);
    if (found.email) return emailField.current?.focus();
    if (found.password) return passwordField.current?.focus();
    setBusy(true);
    try {
      await session.signIn(email.trim(), password);
      onDone();
    } catch (error) {
      const failure = error instanceof CallFailure ? error : new CallFailure("unexpected");
      const { title, text: said } = describeFailure(failure, { text, problem });
      setWrong({ all: said || title });
      setBusy(false);
      passwordField.current?.select();
    }
  }

  return (
    <form className="step" noValidate aria-busy={busy} onSubmit={(event) => void submit(event)}>
      <h2>{t("login.title")}</h2>
      {wrong.all !== undefined && (
        <p className="err all" role="alert">
          <Icon name="warn" size="xs" />
          {wrong.all}
        </p>
      )}
      <div className="f">
        <label htmlFor={`${id}e`}>{t("login.email")}</label>
        <input
          ref={emailField}
          id={`${id}e`}
          type="email"
          autoComplete="username"
          inputMode="email"
          spellCheck={false}
          autoCapitalize="none"
          value={email}
          aria-invalid={wrong.email !== undefined}
          aria-describedby={wrong.email === undefined ? undefined : `${id}ee`}
          onChange={(event) => {
            setEmail(event.target.value);
            setWrong(without("email"));
          }}
        />
        {wrong.email !== undefined && (
          <p className="err" id={`${id}ee`} role="alert">
            <Icon name="warn" size="xs" />
            {wrong.email}
          </p>
        )}
      </div>
      <div className="f">
        <label htmlFor={`${id}p`}>{t("login.password")}</label>
        <div className="secret">
          <input
            ref={passwordField}
            id={`${id}p`}
            type={shown ? "text" : "password"}
            autoComplete="current-password"
            spellCheck={false}
            autoCapitalize="none"
            value={password}
            aria-invalid={wrong.password !== undefined}
            aria-describedby={wrong.password === undefined ? undefined : `${id}pe`}
            onChange={(event) => {
              setPassword(event.target.value);
              setWrong(without("password"));
            }}
          />
          <button type="button" aria-pressed={shown} aria-label={t("login.show-password")} onClick={() => setShown(!shown)}>
            <Icon name="eye" />
          </button>
        </div>
        {wrong.password !== undefined && (
          <p className="err" id={`${id}pe`} role="alert">
            <Icon name="warn" size="xs" />
            {wrong.password}
          </p>
        )}
      </div>
      <button className="btn go wide" type="submit" aria-disabled={busy}>
        {busy ? t("login.busy") : t("login.submit")}
        <kbd>↵</kbd>
      </button>
    </form>
  );
}

/** The refusal in the page's language; the form shows the same words as the toast. */
function problem(code: string, data: unknown): string | null {
  const key = `problem.${code}`;
  return code !== "" && document.documentElement.lang !== "en" && hasText(key)
    ? text(key, typeof data === "object" && data !== null ? { ...data } : {})
    : null;
}

const formats = createFormats(null);

function Foot() {
  const t = useText();
  const { time, link } = useApi();
  const online = useStore(link.store, (state) => state.online);
  useSecond();
  useEffect(() => {
    void link.probe();
    const timer = setInterval(() => void link.probe(), 15_000);
    return () => clearInterval(timer);
  }, [link]);
  return (
    <div className="lg-foot">
      <bdi>{formats.zoneText}</bdi>
      <bdi>{formats.time(time.now())}</bdi>
      <span className="end">
        <i className={online ? "dot" : "dot bad"} />
        {t(online ? "login.services-answer" : "login.services-silent")}
      </span>
    </div>
  );
}
