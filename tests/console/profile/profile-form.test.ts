import { beforeAll, describe, expect, test } from "vitest";
import type { Api } from "../../../src/console/api/api.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import { startTexts } from "../../../src/console/kit/texts/start-texts.ts";
import { emailField, profileForm } from "../../../src/console/screens/profile/profile-form.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: { lang: "", dir: "" } } });
  await startTexts("en");
});

/** The form before a server that refuses as told, and then takes the name. */
function open(refusals: CallFailure[] = []) {
  const sent: string[] = [];
  const taken: unknown[] = [];
  const call = async (_: object, { body }: { body: { name: string } }) => {
    sent.push(body.name);
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    return { data: { user: { uuid: "u", name: body.name } } };
  };
  const api = { call, session: { setUser: (user: unknown) => taken.push(user) } } as unknown as Api; // all that the form asks of it
  return { ...profileForm(api, { name: "Farah Aziz" }), sent, taken };
}

describe("one's own profile", () => {
  test("is the form of its route: the name browsers may fill in, and the e-mail as what it is", () => {
    expect(open().fields).toMatchObject([{ name: "name", control: "text", required: true, maximum: 120, autoComplete: "name" }]);
    expect(emailField).toMatchObject({ name: "email", control: "email", fixed: true });
  });

  test("a 422 stands at its field; once mended it goes out, trimmed, and is known at once", async () => {
    const { session, sent, taken } = open([new CallFailure("refused", { status: 422, data: { name: ["Already taken"] } })]);
    session.write("name", " Farah binti Aziz ");
    expect(await session.save()).toBe("open");
    expect(session.getState()).toMatchObject({ lines: { name: ["Already taken"] }, others: [], refusals: 1 });
    expect([session.isChanged, taken]).toEqual([true, []]);
    await session.save();
    expect([sent, taken, session.isChanged]).toEqual([
      ["Farah binti Aziz", "Farah binti Aziz"],
      [{ uuid: "u", name: "Farah binti Aziz" }],
      false,
    ]);
  });

  test("an empty name, or one without a letter, is not sent", async () => {
    const { session, sent } = open();
    session.write("name", " ");
    await session.save();
    expect(session.getState().lines).toEqual({ name: ["Must be filled in"] });
    session.write("name", "--");
    await session.save();
    expect(session.getState().lines).toEqual({ name: ["Must have a letter or digit"] });
    expect(sent).toEqual([]);
  });

  test("a name that was not changed is not sent either", async () => {
    const { session, sent } = open();
    expect(await session.save()).toBe("unchanged");
    expect(sent).toEqual([]);
  });

  test("a refusal without a field is told above it", async () => {
    const { session } = open([new CallFailure("refused", { status: 409, code: "record.stale" })]);
    session.write("name", "Farah");
    expect(await session.save()).toBe("open");
    expect(session.getState().others).toHaveLength(1);
  });
});
