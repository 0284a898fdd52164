import { describe, expect, test } from "vitest";
import { routes } from "../../src/contract/index.ts";
import { holdsAny, isAllowed, permissionMap, permissions } from "../../src/contract/permissions.ts";
import { problems } from "../../src/contract/problems.ts";
import type { Route } from "../../src/contract/route.ts";
import { screens } from "../../src/contract/screens.ts";

const all = Object.entries<Route>(routes);

describe("the contract", () => {
  test("no two routes share a method and path", () => {
    const seen = all.map(([, route]) => `${route.method} ${route.path.replace(/\{\w+\}/g, "{}")}`);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("every permission a route or screen names exists", () => {
    const named = [...all.map(([, route]) => route.permission), ...Object.values(screens).map((screen) => screen.permission)]
      .flat()
      .filter((name) => !["public", "signed-in", "merchant", "forwarder"].includes(name));
    expect(named.filter((name) => !(permissions as string[]).includes(name))).toEqual([]);
  });

  test("every path parameter has a schema and the other way round", () => {
    for (const [name, route] of all) {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(route.params?.shape ?? {}), name).toEqual(inPath);
    }
  });

  test("every refusal a route names has a status of the error catalogue or one of its kin", () => {
    for (const [, route] of all)
      for (const code of route.refuses ?? []) expect([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]).toContain(problems[code]);
  });

  test("bodies are closed: an unknown field is refused", () => {
    for (const [name, route] of all) {
      if (!route.body) continue;
      const read = route.body.safeParse({ "no such field": 1 });
      expect(read.success, name).toBe(false);
      expect(
        read.error?.issues.some((issue) => issue.code === "unrecognized_keys"),
        name,
      ).toBe(true);
    }
  });
});

describe("permissions", () => {
  test("each has an area and an action, at least two dotted parts", () => {
    expect(permissions.filter((permission) => permission.split(".").length < 2)).toEqual([]);
    expect(new Set(permissions).size).toBe(permissions.length);
  });

  test("the area is everything before the last dot", () => {
    expect(permissionMap(["pas.transaction.deposits.view", "pas.transaction.deposits.approve", "profile.view"])).toEqual({
      "pas.transaction.deposits": ["view", "approve"],
      profile: ["view"],
    });
  });

  test("the map and the set judge alike, for each permission alone", () => {
    for (const held of permissions) {
      for (const needed of permissions) {
        expect(isAllowed(permissionMap([held]), needed)).toBe(held === needed);
        expect(holdsAny(new Set([held]), needed)).toBe(held === needed);
      }
    }
  });

  test("of several, any one is enough; none is not", () => {
    expect(isAllowed({ profile: ["view"] }, ["dashboard.view", "profile.view"])).toBe(true);
    expect(isAllowed({ profile: ["view"] }, ["dashboard.view", "profile.update"])).toBe(false);
    expect(isAllowed({}, "profile.view")).toBe(false);
  });

  test("an inherited name is no area", () => {
    expect(isAllowed(Object.create({ profile: ["view"] }), "profile.view")).toBe(false);
  });
});
