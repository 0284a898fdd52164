import { useEffect, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { useStore } from "zustand";
import { invitationRoutes as routes } from "../../../contract/invitations.ts";
import type { Invitation } from "../../../contract/invitations.ts";
import { CallFailure, describeFailure } from "../../api/failure.ts";
import { problemText } from "../../kit/messages/problem-text.ts";
import { useApi } from "../../api/use-api.ts";
import { FormAlert } from "../../kit/form/form-alert.tsx";
import { text, useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { NewPasswordFields, newPasswordFields, passwordFaults } from "../../identity/new-password.tsx";
import { StepField } from "../../identity/step-field.tsx";
import { stepField } from "../../identity/step-session.ts";
import { useStep } from "../../identity/step.ts";
import { loginPath } from "../redirect.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

const { shape } = routes.acceptWithPassword.body;
const nameField = stepField("name", shape.name);
const emailField = stepField("email", routes.acceptWithPassword.answer.shape.email.meta({ control: "email" }));

const said = (error: unknown): string =>
  describeFailure(error instanceof CallFailure ? error : new CallFailure("unexpected"), { text, problem: problemText }).text;

type Read = { readonly invitation: Invitation } | { readonly refused: string } | null;

/** Where the mail's link leads: into the tenant with the account one has, or with a password one chooses. */
export function InvitationPage() {
  const t = useText();
  const { call, session } = useApi();
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const [read, setRead] = useState<Read>(null);
  useEffect(() => {
    let gone = false;
    const ask = async () => {
      // whoever is signed in already is told so
      await session.start().catch(() => undefined);
      try {
        const { data } = await call(routes.readInvitation, { body: { token } }, { quiet: true });
        if (!gone) setRead({ invitation: data });
      } catch (error) {
        if (!gone) setRead({ refused: said(error) });
      }
    };
    void ask();
    return () => {
      gone = true;
    };
  }, [call, session, token]);

  if (read === null) {
    return (
      <Page title={t("invitation.title")}>
        <p className="say" role="status">
          {t("shell.loading")}
        </p>
      </Page>
    );
  }
  if ("refused" in read) {
    return (
      <Page title={t("invitation.over")}>
        <p className="say" role="alert">
          {read.refused}
        </p>
        <p className="alt">
          <Link to="/login">{t("forgot.back")}</Link>
        </p>
      </Page>
    );
  }
  const { invitation } = read;
  return invitation.way === "password" ? (
    <Choose invitation={invitation} token={token} />
  ) : (
    <SignedIn invitation={invitation} token={token} onRefused={(refused) => setRead({ refused })} />
  );
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SignInFrame title={title}>
      <div className="step">
        <h1>{title}</h1>
        {children}
      </div>
    </SignInFrame>
  );
}

interface WayProps {
  readonly invitation: Invitation;
  readonly token: string;
}

const Who = ({ invitation: { by, tenant } }: Pick<WayProps, "invitation">) => {
  const t = useText();
  return <p className="say">{t("invitation.by", { name: by, tenant: tenant.name })}</p>;
};

/** For who has no account, or none that lets them in. */
function Choose({ invitation, token }: WayProps) {
  const t = useText();
  const { call } = useApi();
  const { toast } = useKit();
  const navigate = useNavigate();
  const isNamed = invitation.name !== null;
  const { form, ...step } = useStep({
    fields: isNamed ? [nameField, ...newPasswordFields] : newPasswordFields,
    begun: { name: invitation.name ?? "" },
    check: (values) => ({
      ...(isNamed && !shape.name.safeParse(values["name"]).success && { name: [t("invitation.name-missing")] }),
      ...passwordFaults(values, t),
    }),
    async send({ name, ...values }) {
      const secrets = values as { password: string; password_confirmation: string }; // the names of its fields
      await call(
        routes.acceptWithPassword,
        { body: { token, ...secrets, ...(isNamed && name !== undefined && { name }) } },
        { quiet: true },
      );
    },
  });
  const field = useRef<HTMLElement>(null);
  useEffect(() => field.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if ((await step.submit()) !== "done") return;
    toast({ title: t("invitation.done.title"), text: t("invitation.done.text", { email: invitation.email }), tone: "done" });
    await navigate("/login", { replace: true });
  }

  const take = (element: HTMLElement | null) => void (field.current = element);
  return (
    <SignInFrame title={t("invitation.title")}>
      <form ref={form} className="step" noValidate aria-busy={step.busy} onSubmit={(event) => void submit(event)}>
        <h1>{t("invitation.title")}</h1>
        <Who invitation={invitation} />
        <FormAlert wrong={0} others={step.others} />
        <StepField field={emailField} value={invitation.email} label={t("login.email")} readOnly />
        {isNamed && <StepField {...step.propsOf(nameField)} label={t("invitation.name")} takeRef={take} />}
        <NewPasswordFields step={step} {...(!isNamed && { takeFirst: take })} />
        <button className="btn go wide" type="submit" aria-disabled={step.busy}>
          {t(step.busy ? "invitation.busy" : "invitation.accept")}
          <kbd>↵</kbd>
        </button>
      </form>
    </SignInFrame>
  );
}

/** For who works elsewhere already: with their own session. */
function SignedIn({ invitation, token, onRefused }: WayProps & { onRefused(said: string): void }) {
  const t = useText();
  const { call, session } = useApi();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const user = useStore(session.store, ({ at }) => at?.user ?? null);
  const act = useRef<HTMLButtonElement & HTMLAnchorElement>(null);
  const here = loginPath(`/invitation?${new URLSearchParams({ token })}`);
  const isTheirs = user?.email.toLowerCase() === invitation.email.toLowerCase();
  useEffect(() => act.current?.focus(), [isTheirs]);

  async function accept() {
    if (busy) return;
    setBusy(true);
    try {
      const { data } = await call(routes.acceptInvitation, { body: { token } }, { quiet: true });
      // the new tenant is among those the context names, and work goes on there
      if (await session.reloadContext()) await session.switchTenant(data.id);
      await navigate("/", { replace: true });
    } catch (error) {
      onRefused(said(error));
    }
  }
  async function leave() {
    await session.signOut();
    await navigate(here, { replace: true });
  }

  return (
    <Page title={t("invitation.title")}>
      <Who invitation={invitation} />
      <p className="say">
        {user === null
          ? t("invitation.as-invited", { email: invitation.email })
          : isTheirs
            ? t("invitation.as", { email: invitation.email })
            : t("invitation.as-another", { email: invitation.email, other: user.email })}
      </p>
      {user === null ? (
        <Link ref={act} className="btn go wide" to={here}>
          {t("login.submit")}
          <kbd>↵</kbd>
        </Link>
      ) : isTheirs ? (
        <button ref={act} type="button" className="btn go wide" aria-disabled={busy} onClick={() => void accept()}>
          {t(busy ? "invitation.busy" : "invitation.accept")}
          <kbd>↵</kbd>
        </button>
      ) : (
        <button ref={act} type="button" className="btn go wide" onClick={() => void leave()}>
          {t("invitation.leave")}
          <kbd>↵</kbd>
        </button>
      )}
    </Page>
  );
}
