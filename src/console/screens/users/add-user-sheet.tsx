import { useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import type { z } from "zod";
import { isAllowed } from "../../../contract/permissions.ts";
import { userRoutes as routes } from "../../../contract/users.ts";
import type { User } from "../../../contract/users.ts";
import { refusalOf } from "../../api/refusal.ts";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { usePlace } from "../../api/place.ts";
import { entityWords } from "../../entity/form-words.ts";
import { bodyForm } from "../../kit/form/body-form.ts";
import { FormBody } from "../../kit/form/form-body.tsx";
import { useHeldForm } from "../../kit/form/leaving.ts";
import { ruleSayer } from "../../kit/form/rules.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { discardQuestion } from "../../kit/sheets/questions.ts";
import { SheetButtons, SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { text, useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { users } from "./users-entity.ts";

/** What the look-up has answered; null: an e-mail is asked for. */
type Found =
  | { readonly email: string; readonly as: "account" | "nobody" }
  | { readonly email: string; readonly as: "member"; readonly uuid: string };

/**
 * Adds a user in steps: whose e-mail it is, and then an invitation for who has an account, or an account for who has none. `onEnd`: all is
 * over, with the password of a new one shown.
 */
export function AddUserSheet({ onClose: hide, onEnd }: { onClose(): void; onEnd(): void }) {
  const { permissions } = useSignedIn().context;
  const [found, setFound] = useState<Found | null>(null);
  const [last, setLast] = useState("");
  const back = () => {
    setLast(found?.email ?? "");
    setFound(null);
  };
  const onClose = () => {
    hide();
    onEnd();
  };
  if (found === null) return <LookUp email={last} onFound={setFound} onClose={onClose} />;
  const step = { email: found.email, onBack: back, onClose };
  if (found.as === "member") return <Member {...step} hide={hide} uuid={found.uuid} />;
  if (found.as === "account") {
    return isAllowed(permissions, routes.inviteUser.permission) ? <Invite {...step} /> : <Ended {...step} lines={["user.add.no-invite"]} />;
  }
  if (isAllowed(permissions, routes.createUser.permission)) return <Create {...step} hide={hide} onEnd={onEnd} />;
  return <Ended {...step} lines={["user.add.not-found", "user.add.no-create"]} />;
}

interface StepProps {
  readonly email: string;
  onBack(): void;
  onClose(): void;
}

/** A form of one step. */
function useStepForm(
  schema: z.ZodType,
  values: Readonly<Record<string, string>>,
  send: (body: Readonly<Record<string, unknown>>, key: string) => Promise<void>,
) {
  const { services } = useKit();
  const words = entityWords(users, text);
  const first = useRef<HTMLElement>(null);
  const [{ fields, session }] = useState(() =>
    bodyForm({ schema, values, isNew: true, say: ruleSayer(text, () => null), labelOf: words.label, refusalOf, send }),
  );
  useHeldForm(session);
  /** Nothing typed is lost unasked. */
  const leave = async (go: () => void): Promise<void> => {
    if (session.getState().saving) return;
    if (session.isChanged && (await services.ask("confirm", discardQuestion)) !== true) return;
    go();
  };
  return { fields, session, first, words, leave };
}

function LookUp({ email, onFound, onClose }: { email: string; onFound(found: Found): void; onClose(): void }) {
  const t = useText();
  const { call } = useApi();
  const { fields, session, first, words } = useStepForm(routes.lookUpUser.body, { email }, async (body) => {
    const sent = body as { email: string }; // the route's own schema has just read it
    const { data } = await call(routes.lookUpUser, { body: sent }, { quiet: true });
    const { member } = data;
    onFound(member ? { email: sent.email, as: "member", uuid: member.uuid } : { email: sent.email, as: data.found ? "account" : "nobody" });
  });
  const next = () => void session.save();
  return (
    <SheetFrame
      first={first}
      dialog={{ name: "form", aimless: true, acts: { accept: next, confirm: next, close: onClose, toggle: () => undefined } }}
      title={t("user.add.title")}
      foot={<SheetButtons label={t("user.add.look-up")} chord="Enter" onConfirm={next} onCancel={onClose} />}
    >
      <FormBody session={session} groups={[{ title: t("user.add.whose"), fields }]} words={words} first={first} />
    </SheetFrame>
  );
}

/** One step after the look-up: whose e-mail it is stands above it. */
function Step({
  title,
  email,
  said,
  first,
  confirm,
  label,
  onBack,
  onClose,
  children,
}: StepProps & {
  readonly title: string;
  readonly said: ReactNode;
  readonly first?: RefObject<HTMLElement | null>;
  readonly label?: string;
  confirm?(): void;
  readonly children?: ReactNode;
}) {
  const t = useText();
  return (
    <SheetFrame
      wide
      {...(first && { first })}
      dialog={{ name: "form", aimless: true, acts: { ...(confirm && { confirm }), close: onClose, toggle: () => undefined } }}
      title={title}
      foot={
        <>
          <button type="button" className="btn bare" onClick={onBack}>
            {t("user.add.other-email")}
          </button>
          <span className="grow" />
          {confirm && label !== undefined ? (
            <SheetButtons label={label} chord="$mod+Enter" onConfirm={confirm} onCancel={onClose} />
          ) : (
            <button type="button" className="btn" onClick={onClose}>
              {t("sheet.close")}
            </button>
          )}
        </>
      }
    >
      <p className="add-whose">
        <bdi className="strong">{email}</bdi>
        <span className="t2" role="status">
          {said}
        </span>
      </p>
      {children}
    </SheetFrame>
  );
}

function Ended({ lines, ...step }: StepProps & { lines: readonly ("user.add.no-invite" | "user.add.not-found" | "user.add.no-create")[] }) {
  const t = useText();
  return (
    <Step {...step} title={t("user.add.title")} said="">
      <div className="add-refused" role="alert">
        <Icon name="warn" size="s" />
        {lines.map((line) => (
          <p key={line}>{t(line)}</p>
        ))}
      </div>
    </Step>
  );
}

function Member({ uuid, hide, ...step }: StepProps & { uuid: string; hide(): void }) {
  const t = useText();
  const place = usePlace();
  const open = () => {
    hide();
    place.set({ record: uuid });
  };
  return <Step {...step} title={t("user.add.title")} said={t("user.add.member")} confirm={open} label={t("user.add.open")} />;
}

function Invite({ email, ...step }: StepProps) {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  const schema = routes.inviteUser.body.omit({ email: true });
  const { fields, session, first, words, leave } = useStepForm(schema, {}, async (body, idempotencyKey) => {
    const sent = { body: { ...schema.parse(body), email } };
    const { data } = await call(routes.inviteUser, sent, { quiet: true, idempotencyKey });
    services.changed("user", [data]);
    services.say("user.said.invited", { email }, "done");
  });
  const confirm = async () => {
    if ((await session.save()) !== "open") step.onClose();
  };
  return (
    <Step
      title={t("user.add.invite")}
      email={email}
      said={t("user.add.found")}
      first={first}
      label={t("user.add.send")}
      confirm={() => void confirm()}
      onBack={() => void leave(step.onBack)}
      onClose={() => void leave(step.onClose)}
    >
      <FormBody session={session} groups={[{ title: t("user.section.rights"), fields }]} words={words} first={first} />
      <p className="t2">{t("user.add.pending")}</p>
    </Step>
  );
}

function Create({ email, hide, onEnd, ...step }: StepProps & { hide(): void; onEnd(): void }) {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  const schema = routes.createUser.body.omit({ email: true });
  const made = useRef<{ row: User; password: string | null } | null>(null);
  const { fields, session, first, words, leave } = useStepForm(schema, {}, async (body, idempotencyKey) => {
    const sent = { body: { ...schema.parse(body), email } };
    made.current = (await call(routes.createUser, sent, { quiet: true, idempotencyKey })).data;
  });
  const confirm = async () => {
    if ((await session.save()) === "open" || made.current === null) return;
    const { row, password } = made.current;
    services.changed("user", [row]);
    services.say("user.said.created", { name: row.name ?? email }, "done");
    hide();
    if (password !== null)
      await services.ask("secret", {
        title: "user.ask.password",
        text: "user.ask.password-text",
        words: { name: row.name ?? email },
        secret: password,
      });
    onEnd();
  };
  const named = (names: readonly string[]) => fields.filter(({ name }) => names.includes(name));
  return (
    <Step
      title={t("user.add.create")}
      email={email}
      said={t("user.add.not-found")}
      first={first}
      label={t("user.add.create-submit")}
      confirm={() => void confirm()}
      onBack={() => void leave(step.onBack)}
      onClose={() => void leave(step.onClose)}
    >
      <FormBody
        session={session}
        groups={[
          { title: t("user.section.identity"), fields: named(["name", "delivery"]) },
          { title: t("user.section.rights"), fields: named(["groups"]) },
        ]}
        words={words}
        first={first}
      />
      <p className="t2">{t("user.add.forced")}</p>
    </Step>
  );
}
