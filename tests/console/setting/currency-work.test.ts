import { QueryClient } from "@tanstack/react-query";
import { beforeAll, describe, expect, test } from "vitest";
import type { Api } from "../../../src/console/api/api.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import { CurrencyWork } from "../../../src/console/screens/setting/currency-work.ts";
import { defaultZone } from "../../../src/values/zones.ts";
import { inLanguage } from "../in-language.ts";
import { notingServices } from "../kit/fakes.ts";

beforeAll(() => inLanguage("de"));

/** The form before a server that refuses as told, and then takes the currency. */
function open(refusals: CallFailure[] = []) {
  const sent: { body: object; key: string }[] = [];
  const { services, deeds } = notingServices();
  const call = async (_: object, { body }: { body: object }, { idempotencyKey }: { idempotencyKey: string }) => {
    sent.push({ body, key: idempotencyKey });
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    return { data: [] };
  };
  const api = { call, session: { reloadConfig: () => undefined } } as unknown as Api; // all that the form asks of it
  const work = new CurrencyWork({ api, services, queries: new QueryClient(), keys: [] });
  return { work, sent, deeds };
}

function writeDong(work: CurrencyWork): void {
  work.write("code", " vnd");
  work.write("country", "Viet Nam");
  work.write("zone", "+07:00");
}

describe("a currency being added", () => {
  test("takes its name from its code while none was written", () => {
    const { work } = open();
    work.write("code", "vnd");
    expect(work.getState().values).toMatchObject({ code: "VND", name: "Vietnamese Dong" });
    work.write("code", "thb");
    expect(work.getState().values["name"]).toBe("Thai Baht");
    work.write("name", "Baht");
    work.write("code", "vnd");
    expect(work.getState().values["name"]).toBe("Baht");
  });

  test("goes out as it was written; then the form is empty again", async () => {
    const { work, sent, deeds } = open();
    expect(work.draft).toBeNull();
    writeDong(work);
    expect(work.draft).toEqual({ code: "VND", name: "Vietnamese Dong", country: "Viet Nam", zone: "+07:00" });
    let tellings = 0;
    work.subscribe(() => tellings++);
    await work.add();
    expect(sent.map(({ body }) => body)).toEqual([{ code: "VND", name: "Vietnamese Dong", country: "Viet Nam", zone: "+07:00" }]);
    expect(deeds).toEqual([["say", "setting.said.currency-added", { code: "VND" }, "done"]]);
    expect([work.draft, work.getState().values["zone"], tellings > 0]).toEqual([null, defaultZone, true]);
  });

  test("what is missing stands at its field and is not sent", async () => {
    const { work, sent } = open();
    work.write("code", "vnd");
    await work.add();
    expect([Object.keys(work.getState().lines), sent]).toEqual([["country"], []]);
  });

  test("a 422 stands at its field in the present language, and nothing typed is lost", async () => {
    const { work } = open([new CallFailure("refused", { status: 422, data: { code: ["Already taken"] } })]);
    writeDong(work);
    await work.add();
    expect(work.getState()).toMatchObject({ lines: { code: ["Ist vergeben"] }, refusals: 1, saving: false });
    expect(work.draft?.code).toBe("VND");
  });

  test("without an answer the same goes out again under the same key", async () => {
    const { work, sent } = open([new CallFailure("no-response")]);
    writeDong(work);
    await work.add();
    expect(work.getState().others).toHaveLength(1);
    await work.add();
    expect([sent.length, new Set(sent.map(({ key }) => key)).size]).toEqual([2, 1]);
  });
});
