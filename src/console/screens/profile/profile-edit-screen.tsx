import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { isAllowed } from "../../../contract/permissions.ts";
import { screens } from "../../../contract/screens.ts";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { FormBody } from "../../kit/form/form-body.tsx";
import { FormButtons } from "../../kit/form/form-buttons.tsx";
import { useHeldForm } from "../../kit/form/leaving.ts";
import { Pane } from "../../kit/panes/panes.tsx";
import { usePane } from "../../kit/panes/use-pane.ts";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { emailField, profileForm, profileWords } from "./profile-form.ts";
import "./profile.css";

const scopes = ["screen", "pane"] as const;
const none: readonly [] = [];

/** One's own name. The e-mail is one's identity over all tenants, and an administrator's to change. */
export function Component() {
  const t = useText();
  const api = useApi();
  const { services } = useKit();
  const { user, context } = useSignedIn();
  const [{ fields, session }] = useState(() => profileForm(api, user));
  const pane = useRef<HTMLElement>(null);
  const first = useRef<HTMLElement>(null);
  usePane(pane, { id: "profile-edit", scopes, subject: null, cursor: null, marked: none, grid: null, queue: null, detail: null });
  useHeldForm(session);
  // the name is what one came to write anew
  useEffect(() => {
    first.current?.focus();
    if (first.current instanceof HTMLInputElement) first.current.select();
  }, []);

  /** Whoever may write their name and not see the profile stays here. */
  function leave() {
    if (isAllowed(context.permissions, screens.profile.permission)) services.go("profile");
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    const saved = await session.save();
    if (saved === "open") return;
    services.say(saved === "unchanged" ? "record.said.unchanged" : "profile.saved");
    leave();
  }

  return (
    <Pane name="list" className="profile" innerRef={pane} label={t("screen.profile-edit")}>
      <form className="profile-form" noValidate onSubmit={(event) => void save(event)}>
        <h1>{t("screen.profile-edit")}</h1>
        <FormBody
          session={session}
          groups={[{ title: t("profile.self"), fields }]}
          words={profileWords(t)}
          fixed={[{ field: emailField, value: user.email, note: t("profile.email.fixed") }]}
          first={first}
        />
        <div className="ends">
          <FormButtons session={session} chord="Enter" leaveChord={null} onLeave={leave} />
        </div>
      </form>
    </Pane>
  );
}
