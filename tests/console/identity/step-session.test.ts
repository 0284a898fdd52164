import { beforeAll, describe, expect, test } from "vitest";
import { profileRoutes } from "../../../src/contract/profile.ts";
import { Proof, sessionRoutes } from "../../../src/contract/session.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import { stepField, stepSession } from "../../../src/console/identity/step-session.ts";
import { startTexts } from "../../../src/console/kit/texts/start-texts.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: { lang: "", dir: "" } } });
  await startTexts("en");
});

const { shape } = profileRoutes.changePassword.body;
const fields = [stepField("current_password", shape.current_password), stepField("password", shape.password)];
const wrongPassword = new CallFailure("refused", { status: 422, code: "password.wrong", message: "The password is wrong." });

/** A change of password before a server that refuses as told, and then takes it. */
function open(refusals: CallFailure[] = []) {
  const sent: object[] = [];
  const { session } = stepSession({
    fields,
    blames: { "password.wrong": "current_password" },
    check: ({ password = "" }) => ({ ...(password.length < 3 && { password: ["Too short"] }) }),
    async send(values) {
      sent.push(values);
      const refusal = refusals.shift();
      if (refusal) throw refusal;
    },
  });
  session.write("current_password", "old");
  session.write("password", "new");
  return { session, sent };
}

describe("a step of sign-in", () => {
  test("names to browsers what they may fill in, as its route declares it", () => {
    const { login, signInTwoFactor } = sessionRoutes;
    const declared = [
      stepField("email", login.body.shape.email),
      stepField("password", login.body.shape.password),
      stepField("password", Proof.shape.password),
      stepField("code", signInTwoFactor.body.shape.code),
      ...fields,
      stepField("password_confirmation", shape.password_confirmation),
    ];
    expect(declared.map(({ control, autoComplete }) => [control, autoComplete])).toEqual([
      ["email", "username"],
      ["password", "current-password"],
      ["password", "current-password"],
      ["code", undefined],
      ["password", "current-password"],
      ["password", "new-password"],
      ["password", "new-password"],
    ]);
    expect(declared.some(({ required }) => required)).toBe(false);
  });

  test("that went through is sent again when the same is typed again: another account may have the same password", async () => {
    const { session, sent } = open();
    await session.save();
    session.write("password", "");
    session.write("password", "new");
    await session.save();
    expect(sent).toHaveLength(2);
  });

  test("is not sent while it is wrong as it stands", async () => {
    const { session, sent } = open();
    session.write("password", "ab");
    expect(await session.save()).toBe("open");
    expect(session.getState()).toMatchObject({ lines: { password: ["Too short"] }, refusals: 1 });
    expect(sent).toEqual([]);
  });

  test("is sent by whoever drew it last", async () => {
    const sent: string[] = [];
    const by = (name: string) => ({ fields, send: async () => void sent.push(name) });
    const { session, draw } = stepSession(by("first"));
    draw(by("last"));
    await session.save();
    expect(sent).toEqual(["last"]);
  });

  test("has a 422 at its field, and one about fields it does not show above them, whole", async () => {
    const data = { password: ["Must not be the e-mail"], token: ["Too long"] };
    const own = open([new CallFailure("refused", { status: 422, code: "request.invalid", data })]);
    await own.session.save();
    expect(own.session.getState()).toMatchObject({ lines: { password: ["Must not be the e-mail"] }, others: [] });

    const foreign = open([new CallFailure("refused", { status: 422, code: "request.invalid", data: { token: ["Too long"] } })]);
    await foreign.session.save();
    expect(foreign.session.getState().lines).toEqual({});
    expect(foreign.session.getState().others.join()).toContain("Too long");
    expect(foreign.session.getState().others.join()).not.toContain("token:");
  });

  test("has a refusal that speaks of a field at that field, in words, and any other above them", async () => {
    const { session } = open([wrongPassword, new CallFailure("refused", { status: 422, code: "code.refused", message: "Not right." })]);
    await session.save();
    expect(session.getState().lines).toEqual({ current_password: ["The password is wrong."] });
    await session.save();
    expect(session.getState()).toMatchObject({ lines: {}, others: ["Not right."] });
  });

  test("says what is wrong with the whole until something is typed, and nothing where one turned back", async () => {
    const { session } = open([new CallFailure("no-response"), new CallFailure("aborted")]);
    await session.save();
    expect(session.getState().others).toHaveLength(1);
    session.dropOthers();
    expect(session.getState().others).toEqual([]);
    expect(await session.save()).toBe("open");
    expect(session.getState()).toMatchObject({ lines: {}, others: [] });
  });
});
