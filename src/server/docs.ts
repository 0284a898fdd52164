import { readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { idempotencyHours } from "../contract/wire.ts";
import { oldSignaturesUntil } from "../contract/merchant-api.ts";
import { commonProblems, merchantProblems, problems, staffProblems } from "../contract/problems.ts";
import type { ProblemCode } from "../contract/problems.ts";
import { routes } from "../contract/index.ts";
import { isSigned, refusalsOf } from "../contract/route.ts";
import type { Route } from "../contract/route.ts";
import { filePart } from "../contract/uploads.ts";
import type { Deps } from "./call.ts";
import { guide } from "./docs/guide.ts";
import { escape, page } from "./docs/html.ts";
import { schemaOf } from "./docs/schema.ts";
import { findTryIt } from "./docs/try-it.ts";
import { problemText } from "./texts.ts";

/** A file served as it is. */
const files = {
  "/docs/tokens.css": ["text/css; charset=utf-8", "../console/kit/look/tokens.css"],
  "/docs/docs.css": ["text/css; charset=utf-8", "docs/docs.css"],
  "/docs/try.js": ["text/javascript; charset=utf-8", "docs/try.js"],
} as const;

/**
 * Serves the guide of the merchant API at /docs, all routes at /docs/all, and OpenAPI 3.1 at /docs/openapi.json, made from the contract.
 * With demo data the guide has a form with the credentials of one of its merchants.
 */
export function mountDocs(app: FastifyInstance, deps: Deps): void {
  const html = "text/html; charset=utf-8";
  app.get("/docs/openapi.json", openApi);
  app.get("/docs/all", async (_, reply) => reply.type(html).send(await allRoutes()));
  const most = deps.config.requestsPerMinute;
  const plain = kept(async () => guide(most, null));
  app.get("/docs", async (_, reply) => {
    const tryIt = await findTryIt(deps);
    // credentials are in no cache
    return tryIt ? reply.type(html).header("cache-control", "no-store").send(guide(most, tryIt)) : reply.type(html).send(await plain());
  });
  for (const [path, [type, file]] of Object.entries(files)) {
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    app.get(path, async (_, reply) => reply.type(type).send(text));
  }
}

/** Made when it is first asked for, because few servers ever are and the schemas of all routes take a second. */
function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** A part for each route; other requests have their turns in between. */
async function ofRoutes<T>(make: (name: string, route: Route) => T): Promise<T[]> {
  const parts: T[] = [];
  for (const [name, route] of Object.entries<Route>(routes)) {
    parts.push(make(name, route));
    await turn(); // oxlint-disable-line no-await-in-loop -- one after the other is what it is for
  }
  return parts;
}

const fileSchema = {
  type: "object",
  required: [filePart],
  properties: { [filePart]: { type: "string", contentMediaType: "application/octet-stream" } },
};

const bytes = { "application/octet-stream": {} };
/** Merchants sign the body, so that theirs is the file itself. */
const fileContent = (route: Route): object => (isSigned(route) ? bytes : { "multipart/form-data": { schema: fileSchema } });

/** The refusals of a route by status. */
function refusals(route: Route): Map<number, ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of refusalsOf(route)) {
    const status = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function security(route: Route): object[] {
  if (route.permission === "public") return [];
  return isSigned(route) ? [{ merchantKey: [], merchantTimestamp: [], merchantSignature: [] }] : [{ bearer: [] }];
}

function rightText(route: Route): string {
  const { permission } = route;
  if (permission === "public") return "public";
  if (permission === "signed-in") return "signed in";
  if (isSigned(route)) return `${String(permission)}, signed request`;
  return (typeof permission === "string" ? [permission] : permission).join(" or ");
}

function headersOf(route: Route): { name: string; required: boolean; text: string }[] {
  if (route.permission === "public" || route.tenant === "none") return [];
  const list: { name: string; required: boolean; text: string }[] = [];
  if (!isSigned(route)) list.push({ name: "X-Tenant-ID", required: route.tenant !== "optional", text: "id of the current tenant" });
  if (route.currency) list.push({ name: "X-Currency", required: true, text: "code of the selected currency" });
  if (route.money || route.method !== "GET") {
    list.push({
      name: "Idempotency-Key",
      required: route.money === true,
      text: `8 to 128 printable characters; for ${idempotencyHours} hours the same key gives the same answer and one effect`,
    });
  }
  return list;
}

function parametersOf(route: Route): object[] {
  const of = (schema: z.ZodObject | undefined, place: "path" | "query") =>
    Object.entries(schema?.shape ?? {}).map(([name, inner]) => ({
      name,
      in: place,
      required: place === "path" || !(inner as z.ZodType).safeParse(undefined).success, // a ZodObject's shape holds schemas
      schema: schemaOf(inner as z.ZodType, "input"),
    }));
  return [
    ...of(route.params, "path"),
    ...of(route.query, "query"),
    ...headersOf(route).map(({ name, required, text }) => ({
      name,
      in: "header",
      required,
      description: text,
      schema: { type: "string" },
    })),
  ];
}

const signingText =
  "Merchants sign six parts joined by line feeds with HMAC-SHA256 by the decoded bytes of their secret: v2, the timestamp, the METHOD, the path with its query, the Idempotency-Key (empty where none is sent), the exact body (empty where there is none). " +
  "Headers: x-api-key, x-timestamp (seconds; decimals tell equal requests of one second apart), x-signature (v2= and the hex digits). A request is good within five minutes, once. " +
  `Until ${oldSignaturesUntil} a signature by the text of the secret is taken, too, and one without v2=, by that text over timestamp.METHOD.path.body. /docs says it step by step.`;

/** The OpenAPI 3.1 document of every route. */
const openApi = kept(async (): Promise<object> => {
  const paths: Record<string, Record<string, object>> = {};
  await ofRoutes((name, route) => {
    const { meta } = route;
    (paths[route.path] ??= {})[route.method.toLowerCase()] = {
      operationId: name,
      tags: [route.path.split("/")[2] ?? "service"],
      description: `Right: ${rightText(route)}`,
      security: security(route),
      parameters: parametersOf(route),
      ...(route.body && { requestBody: { required: true, content: { "application/json": { schema: schemaOf(route.body, "input") } } } }),
      ...(route.file && { requestBody: { required: true, content: fileContent(route) } }),
      responses: {
        "200": {
          description: "Done",
          content: route.download
            ? bytes
            : {
                "application/json": {
                  schema: {
                    type: "object",
                    required: meta ? ["data", "meta"] : ["data"],
                    properties: { data: schemaOf(route.answer, "output"), ...(meta && { meta: schemaOf(meta, "output") }) },
                  },
                },
              },
        },
        ...Object.fromEntries(
          [...refusals(route)]
            .sort(([a], [b]) => a - b)
            .map(([status, codes]) => [
              String(status),
              {
                description: codes.map((code) => `${code}: ${problemText(code)}`).join("\n"),
                content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
              },
            ]),
        ),
      },
    };
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "Countinghouse",
      version: "1",
      description: `Answers come as {data, meta?}, refusals as {message, code, data?}. ${signingText}`,
    },
    paths,
    components: {
      schemas: {
        Problem: {
          type: "object",
          required: ["message", "code"],
          properties: { message: { type: "string" }, code: { enum: Object.keys(problems) }, data: {} },
        },
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        merchantKey: { type: "apiKey", in: "header", name: "x-api-key" },
        merchantTimestamp: { type: "apiKey", in: "header", name: "x-timestamp" },
        merchantSignature: { type: "apiKey", in: "header", name: "x-signature" },
      },
    },
  };
});

const allRoutes = kept(async (): Promise<string> => {
  const entries = Object.entries<Route>(routes);
  const json = (schema: z.ZodType | undefined, io: "input" | "output") =>
    schema ? `<pre>${escape(JSON.stringify(schemaOf(schema, io), null, 1))}</pre>` : "";
  const section = (name: string, route: Route) => `<section id="${name}">
<h2><b>${route.method}</b> <code>${escape(route.path)}</code></h2>
<dl><dt>Name</dt><dd>${name}</dd><dt>Right</dt><dd>${escape(rightText(route))}</dd>
${headersOf(route)
  .map(
    ({ name: header, required, text }) =>
      `<dt><code>${header}</code></dt><dd>${required ? "required: " : "optional: "}${escape(text)}</dd>`,
  )
  .join("\n")}
<dt>Refuses with</dt><dd>${(route.refuses ?? []).map((code) => `<code>${problems[code]} ${code}</code> ${escape(problemText(code))}`).join("<br>") || "the common refusals only"}</dd></dl>
${route.query ? `<details><summary>Query</summary>${json(route.query, "input")}</details>` : ""}
${route.body ? `<details><summary>Body</summary>${json(route.body, "input")}</details>` : ""}
<details><summary>Answer: data</summary>${json(route.answer, "output")}</details>
${route.meta ? `<details><summary>Answer: meta</summary>${json(route.meta, "output")}</details>` : ""}</section>`;
  const list = (whose: string, codes: readonly ProblemCode[]) =>
    `<h2>Refusals of ${whose}</h2><p>${codes.map((code) => `<code>${problems[code]} ${code}</code> ${escape(problemText(code))}`).join("<br>")}</p>`;
  const nav = `<p><a href="/docs">Merchant API</a><br><a href="/docs/openapi.json">openapi.json</a></p><ul>
${entries.map(([name, route]) => `<li><a href="#${name}"><b>${route.method}</b> ${name}</a></li>`).join("\n")}</ul>`;
  return page(
    "All routes",
    nav,
    `<h1>All routes</h1><p>Answers come as <code>{data, meta?}</code>, refusals as <code>{message, code, data?}</code>. Amounts are decimal strings, times RFC 3339 in UTC. ${escape(signingText)}</p>
${list("every route", commonProblems)}${list("routes for signed-in people", staffProblems)}${list("the merchant API", merchantProblems)}
${(await ofRoutes(section)).join("\n")}`,
  );
});
