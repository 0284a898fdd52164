import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { profileRoutes } from "../../../contract/profile.ts";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { Field, StepError } from "../../identity/field.tsx";
import { useStep } from "../../identity/step.ts";
import { Pane } from "../../kit/panes.tsx";
import { useKit } from "../../kit/use-kit.ts";
import { usePane } from "../../kit/use-pane.ts";
import { useText } from "../../kit/texts.ts";
import "./profile.css";

const scopes = ["screen", "pane"] as const;
const none: readonly [] = [];

/** One's own name. The e-mail is one's identity over all tenants, and an administrator's to change. */
export function Component() {
  const t = useText();
  const { call, session } = useApi();
  const { services } = useKit();
  const { user } = useSignedIn();
  const [name, setName] = useState(user.name);
  const { form, busy, wrong, refuse, mend, send } = useStep(["name"]);
  const pane = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  usePane(pane, { id: "profile-edit", scopes, subject: null, cursor: null, marked: none, grid: null, queue: null, detail: null });
  useEffect(() => field.current?.select(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === "") return refuse({ name: t("profile.name-missing") });
    const done = await send(async () => {
      const { data } = await call(profileRoutes.updateProfile, { body: { name: name.trim() } }, { quiet: true });
      session.took(data.user);
    });
    if (!done) return field.current?.focus();
    services.say("profile.saved");
    services.go("profile");
  }

  return (
    <Pane name="list" className="profile" innerRef={pane} label={t("screen.profile-edit")}>
      <form ref={form} className="step narrow" noValidate aria-busy={busy} onSubmit={(event) => void submit(event)}>
        <h1>{t("screen.profile-edit")}</h1>
        <StepError>{wrong["all"]}</StepError>
        <Field
          label={`${t("profile.name")} *`}
          autoComplete="name"
          value={name}
          error={wrong["name"]}
          fieldRef={field}
          onChange={(value) => {
            setName(value);
            mend("name");
          }}
        />
        <Field
          label={t("profile.email")}
          autoComplete="off"
          value={user.email}
          hint={t("profile.email.fixed")}
          readOnly
          onChange={() => undefined}
        />
        <p className="alt">
          <button type="submit" className="btn go" aria-disabled={busy}>
            {t("sheet.save")}
            <kbd>↵</kbd>
          </button>
          <button type="button" className="btn" onClick={() => services.go("profile")}>
            {t("sheet.cancel")}
          </button>
        </p>
      </form>
    </Pane>
  );
}
