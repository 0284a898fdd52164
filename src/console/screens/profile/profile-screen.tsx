import { useEffect, useRef } from "react";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { Pane } from "../../kit/panes/panes.tsx";
import { usePane } from "../../kit/panes/use-pane.ts";
import { useText } from "../../kit/texts/texts.ts";
import { Instant } from "../../api/instant.tsx";
import { useSignedIn } from "../../api/use-api.ts";
import { ChangePassword } from "../../identity/change-password.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { TwoFactor } from "./two-factor.tsx";
import "./profile.css";

const scopes = ["screen", "pane"] as const;
const none: readonly [] = [];

/** Oneself: who one is here, password, second factor, and where one is signed in. */
export function Component() {
  const t = useText();
  const pane = useRef<HTMLElement>(null);
  usePane(pane, { id: "profile", scopes, subject: null, cursor: null, marked: none, grid: null, queue: null, detail: null });
  // the screen begins with who one is
  useEffect(() => {
    if (!pane.current?.contains(document.activeElement)) pane.current?.querySelector<HTMLElement>("[data-pane-focus]")?.focus();
  }, []);
  return (
    <Pane name="list" className="profile" innerRef={pane} label={t("screen.profile")}>
      <div className="profile-columns">
        <div>
          <Self />
          <OwnSessions />
        </div>
        <div>
          <TwoFactor />
          <section className="sec last">
            <h2>{t("profile.password")}</h2>
            <ChangePassword />
          </section>
        </div>
      </div>
    </Pane>
  );
}

function Self() {
  const t = useText();
  const { user, context } = useSignedIn();
  const lines = [
    ["profile.name", user.name],
    ["profile.email", user.email],
    ["profile.groups", context.user_groups.join(", ")],
    ["profile.last-login", user.last_login_at, "time"],
    ["profile.last-login-ip", user.last_login_ip],
    ["profile.created", user.created_at, "time"],
    ["profile.updated", user.updated_at, "time"],
  ] as const;
  return (
    <section className="sec">
      <h2 tabIndex={-1} data-pane-focus>
        {t("profile.self")}
        <span className="end">
          <CommandButton id="profile.edit">{t("profile.edit")}</CommandButton>
        </span>
      </h2>
      {lines.map(([label, value, as]) => (
        <div key={label} className="ln">
          <span className="t2 cut name">{t(label)}</span>
          <span className="value cut">
            {value === null || value === "" ? (
              <span className="t3">–</span>
            ) : as === "time" ? (
              <Instant at={value} />
            ) : (
              <bdi title={value}>{value}</bdi>
            )}
          </span>
        </div>
      ))}
    </section>
  );
}
