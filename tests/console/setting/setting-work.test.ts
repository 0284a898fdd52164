import { QueryClient } from "@tanstack/react-query";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { settingRoutes } from "../../../src/contract/settings.ts";
import type { TenantSettingDetail } from "../../../src/contract/settings.ts";
import type { Api } from "../../../src/console/api/api.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import { startTexts } from "../../../src/console/kit/texts/start-texts.ts";
import { settingSections, settingTexts } from "../../../src/console/screens/setting/setting-fields.ts";
import { SettingWork } from "../../../src/console/screens/setting/setting-work.ts";
import { TenantSettings } from "../../../src/server/settings/settings.ts";
import { notingServices } from "../kit/fakes.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: { lang: "", dir: "" } } });
  await startTexts("en");
});

const values = TenantSettings.parse({
  tiers: { MYR: { confirm_from: "5000.00", second_from: "50000.00" } },
  settlement_minimum: { MYR: "100.00" },
});
const uuid = "0190b3c0-0000-7000-8000-000000000001";

/** The server's settings, and what one tab keeps: both outlive a page. */
let inForce: TenantSettingDetail["row"];
let kept: unknown;
beforeEach(() => {
  inForce = { ...values, uuid, version: 3 };
  kept = null;
});

const detail = (): TenantSettingDetail => ({
  row: inForce,
  defaults: values,
  changed: {},
  history: [{ at: "2026-11-23T05:12:00.000Z", by: "Ann Lim", act: "update", changes: [] }] as unknown as TenantSettingDetail["history"], // the conflict reads who and when
  development: false,
});

/** Another person saves. */
function saveElsewhere(change: Partial<typeof inForce>): void {
  inForce = { ...inForce, ...change, version: inForce.version + 1 };
}

/** A page as it is loaded, with the settings on screen. */
function openPage() {
  const { services, deeds } = notingServices();
  const call = async (route: object, input: { body?: { version: number } }) => {
    if (route === settingRoutes.readSettings) return { data: detail() };
    if (input.body?.version !== inForce.version) throw new CallFailure("refused", { status: 409, code: "record.stale" });
    saveElsewhere(input.body);
    return { data: detail() };
  };
  const drafts = { of: () => ({ read: () => kept, keep: (value: object | null) => void (kept = value && structuredClone(value)) }) };
  const api = { call, drafts, session: { reloadConfig: () => undefined } } as unknown as Api; // all that the settings ask of it
  const asking = { text: services.text, say: services.say, ask: () => Promise.resolve(true) } as unknown as typeof services;
  const work = new SettingWork("t", "u", { api, services: asking, queries: new QueryClient(), key: ["s"], currenciesKey: ["c"] });
  work.take(detail());
  const state = () => {
    const now = work.getState();
    if (now === null) throw new Error("nothing was taken");
    return now;
  };
  const write = (name: string, value: string) => state().session.write(name, value);
  const at = (name: string) => state().session.getState().values[name];
  return { work, deeds, state, write, at };
}

describe("what was typed into the settings", () => {
  test("is there again after a reload, marked, with a word on how much it is", () => {
    const before = openPage();
    before.write("deposit_expiry_minutes", "77");
    before.write("tiers.MYR.confirm_from", "6,000");
    before.work.currencies.write("code", "vnd");
    const { work, at, state, deeds } = openPage();
    expect([at("deposit_expiry_minutes"), at("tiers.MYR.confirm_from"), work.currencies.getState().values["code"]]).toEqual([
      "77",
      "6,000",
      "VND",
    ]);
    expect(work.changes().toSorted()).toEqual(["deposit_expiry_minutes", "tiers.MYR.confirm_from"]);
    expect(state().kept).toEqual({ count: 3, moved: 0 });
    work.sayKept();
    work.sayKept();
    expect(deeds).toEqual([["say", "setting.kept", { count: 3 }]]);
  });

  test("is kept no longer once it is saved, thrown away or written back; the note goes with it", async () => {
    const saved = openPage();
    saved.write("claim_limit", "4");
    const again = openPage();
    await again.work.save();
    expect([inForce.claim_limit, kept, again.state().kept]).toEqual([4, null, null]);
    again.write("claim_limit", "5");
    again.work.currencies.write("name", "Dong");
    expect(kept).not.toBeNull();
    await again.work.discard();
    expect(kept).toBeNull();
    again.write("claim_limit", "5");
    again.write("claim_limit", "4");
    expect(kept).toBeNull();
    expect(openPage().state().kept).toBeNull();
  });

  test("stands beside what another saved over the same field meanwhile, and is written over it only as chosen", async () => {
    openPage().write("claim_limit", "4");
    saveElsewhere({ claim_limit: 8, recall_seconds: 9 });
    const { work, state, at } = openPage();
    expect([at("claim_limit"), state().kept]).toEqual(["4", { count: 1, moved: 1 }]);
    await work.save();
    expect(inForce.claim_limit).toBe(8);
    expect(state().session.getState().conflict?.differences).toEqual([{ name: "claim_limit", mine: "4", theirs: "8", take: "mine" }]);
    await work.save();
    expect(inForce).toMatchObject({ claim_limit: 4, recall_seconds: 9 });
  });

  test("is saved over what another changed elsewhere in the settings, and is gone where they wrote the same", async () => {
    openPage().write("claim_limit", "4");
    saveElsewhere({ recall_seconds: 9 });
    const other = openPage();
    expect(other.state().kept).toEqual({ count: 1, moved: 0 });
    await other.work.save();
    expect(inForce).toMatchObject({ claim_limit: 4, recall_seconds: 9 });
    openPage().write("claim_limit", "6");
    saveElsewhere({ claim_limit: 6 });
    const same = openPage();
    expect([same.work.changes(), same.state().kept, kept]).toEqual([[], null, null]);
  });

  test("is left out where there is no such field any more, or another release kept it", () => {
    kept = { version: 3, fields: { "tiers.THB.confirm_from": { was: "1.00", typed: "2.00" } }, currency: null };
    expect(openPage().state().kept).toBeNull();
    kept = { version: "3", fields: [] };
    expect(openPage().state().kept).toBeNull();
  });
});

test("no setting is a secret, because what is typed into them is kept in the browser's storage", () => {
  const names = settingSections(inForce).flatMap(({ fields }) => fields.map(({ name }) => name));
  expect(names.toSorted()).toEqual(Object.keys(settingTexts(inForce)).toSorted());
  expect(names.filter((name) => /passw|secret|token|key|pin\b|credential/i.test(name))).toEqual([]);
});
