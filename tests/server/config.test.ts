import { describe, expect, test } from "vitest";
import { isDevelopment, readConfig } from "../../src/server/config.ts";

const hosted = { REALTIME_APP_ID: "1", REALTIME_KEY: "k", REALTIME_SECRET: "s" };
const faultOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
    return "";
  } catch (error) {
    return String(error);
  }
};

describe("TRUST_PROXY", () => {
  test.each(["10.0.0.1", "10.0.0.0/8, 192.168.0.0/16", "::1", "fd00::/8", ""])("takes %j", (value) => {
    expect(faultOf({ TRUST_PROXY: value })).toBe("");
  });

  test.each(["proxy.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0", "true", "*", "fd00::/129", "10.0.0.1,all"])(
    "refuses %j by name, before anything listens",
    (value) => {
      expect(faultOf({ TRUST_PROXY: value })).toContain("TRUST_PROXY");
    },
  );
});

describe("a hosted realtime service", () => {
  test("is refused until it is acknowledged that it sends every event to all subscribers", () => {
    expect(faultOf(hosted)).toContain("REALTIME_SHARED_EVENTS");
    expect(faultOf({ ...hosted, REALTIME_SHARED_EVENTS: "false" })).toContain("REALTIME_SHARED_EVENTS");
    expect(faultOf({ ...hosted, REALTIME_SHARED_EVENTS: "true" })).toBe("");
    expect(faultOf({})).toBe("");
  });

  test("is named by its cluster or by its host, not by both; by neither it is the service's own default", () => {
    const accepted = { ...hosted, REALTIME_SHARED_EVENTS: "true" };
    expect(faultOf({ ...accepted, REALTIME_CLUSTER: "ap1", REALTIME_HOST: "realtime.example" })).toContain(
      "REALTIME_CLUSTER, REALTIME_HOST",
    );
    expect(readConfig({ ...accepted, REALTIME_CLUSTER: "ap1" }).realtimeService).toMatchObject({
      cluster: "ap1",
      host: "api-ap1.pusher.com",
    });
    expect(readConfig(accepted).realtimeService).toMatchObject({ cluster: "mt1", host: "api-mt1.pusher.com" });
    const own = readConfig({ ...accepted, REALTIME_HOST: "realtime.example", REALTIME_TLS: "false" }).realtimeService;
    expect([own?.cluster, own?.host, own?.port]).toEqual([undefined, "realtime.example", 80]);
  });
});

test("callbacks to the machine itself are for servers that say they are for development, and for demo data", () => {
  const real = { DATABASE_URL: "postgresql://owner@db.example/pay", MASTER_KEY: Buffer.alloc(32, 1).toString("base64") };
  const opened = (env: Parameters<typeof readConfig>[0]) => isDevelopment(readConfig(env));
  expect([{}, { DEMO: "false" }, real, { ...real, DEMO: "false" }, { ...real, DEVELOPMENT: "false" }].filter(opened)).toEqual([]);
  expect([{ DEMO: "true" }, { DEVELOPMENT: "true" }, { ...real, DEVELOPMENT: "true" }].every(opened)).toBe(true);
  expect(() => readConfig({ DEVELOPMENT: "perhaps" })).toThrow(/DEVELOPMENT/);
});

test.each(["?options=-c%20role%3Downer", "?sslmode=disable&options=-cstatement_timeout%3D0", "?options="])(
  "start-up options in the database's address are refused by name: %s",
  (query) => {
    const MASTER_KEY = Buffer.alloc(32, 1).toString("base64");
    expect(faultOf({ DATABASE_URL: `postgresql://owner@db.example/pay${query}`, MASTER_KEY })).toMatch(/DATABASE_URL: .*options/);
    expect(faultOf({ DATABASE_URL: "postgresql://owner@db.example/pay?sslmode=disable", MASTER_KEY })).toBe("");
    expect(faultOf({ PGOPTIONS: "-c role=owner" })).toContain("PGOPTIONS");
  },
);

test("more connections than the embedded PostgreSQL has are refused by name", () => {
  expect(faultOf({ DATABASE_POOL: "80" })).toContain("DATABASE_POOL: at most 79 without DATABASE_URL");
  expect(faultOf({ DATABASE_POOL: "79" })).toBe("");
  const own = { DATABASE_URL: "postgresql://owner@db.example/pay", MASTER_KEY: Buffer.alloc(32, 1).toString("base64") };
  expect(faultOf({ ...own, DATABASE_POOL: "200" })).toBe("");
});

describe("DATABASE_REPLICA_URL", () => {
  const primary = { DATABASE_URL: "postgresql://a@b/c", MASTER_KEY: Buffer.alloc(32).toString("base64") };
  const replica = "postgresql://a@d/c";

  test("is left out, or one beside DATABASE_URL", () => {
    expect(readConfig(primary).databaseReplicaUrl).toBeUndefined();
    expect(readConfig({ ...primary, DATABASE_REPLICA_URL: replica }).databaseReplicaUrl).toBe(replica);
  });

  test.each([
    [{ DATABASE_REPLICA_URL: replica }, "needs DATABASE_URL"],
    [{ ...primary, DATABASE_REPLICA_URL: `${replica}?options=-c%20role%3Da` }, "no options="],
    [{ ...primary, DATABASE_REPLICA_URL: "http://d" }, "DATABASE_REPLICA_URL"],
  ])("is refused by name: %j", (environment, why) => {
    expect(faultOf(environment)).toContain(why);
    expect(faultOf(environment)).toContain("DATABASE_REPLICA_URL");
  });
});
