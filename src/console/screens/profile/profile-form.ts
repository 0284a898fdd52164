import { profileRoutes } from "../../../contract/profile.ts";
import { Profile } from "../../../contract/session.ts";
import type { Api } from "../../api/api.ts";
import { refusalOf } from "../../api/refusal.ts";
import { bodyForm } from "../../kit/form/body-form.ts";
import { formField } from "../../kit/form/fields.ts";
import type { FormWords } from "../../kit/form/rules.ts";
import { ruleSayer } from "../../kit/form/rules.ts";
import { text } from "../../kit/texts/texts.ts";

/** What only an administrator changes: the e-mail is one's identity over all tenants. */
export const emailField = formField("email", Profile.shape.email, true);

export const profileWords = (t: typeof text): FormWords => ({
  label: (name) => (name === "name" ? t("profile.name") : name === "email" ? t("profile.email") : name),
  hint: () => null,
  choice: (_, value) => value,
});

/** One's own profile being written. */
export function profileForm({ call, session }: Pick<Api, "call" | "session">, user: Pick<Profile, "name">) {
  return bodyForm({
    schema: profileRoutes.updateProfile.body,
    values: { name: user.name },
    isNew: false,
    say: ruleSayer(text, () => null),
    labelOf: profileWords(text).label,
    refusalOf,
    async send(body, idempotencyKey) {
      const sent = { body: body as { name: string } }; // the route's own schema has just read it
      const { data } = await call(profileRoutes.updateProfile, sent, { quiet: true, idempotencyKey });
      session.setUser(data.user);
    },
  });
}
