import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { idempotencyHours } from "../contract/wire.ts";
import { oldSignaturesUntil } from "../contract/merchant-api.ts";
import { commonProblems, merchantProblems, problems, staffProblems } from "../contract/problems.ts";
import type { ProblemCode } from "../contract/problems.ts";
import { routes } from "../contract/index.ts";
import { refusalsOf } from "../contract/route.ts";
import type { Route } from "../contract/route.ts";
import { problemText } from "./texts.ts";

/** Serves OpenAPI 3.1 made from the contract at /docs/openapi.json, and a page without scripts at /docs. */
export function mountDocs(app: FastifyInstance): void {
  const document = openApi();
  const page = docsPage();
  app.get("/docs/openapi.json", async () => document);
  app.get("/docs", async (_, reply) => reply.type("text/html; charset=utf-8").send(page));
  app.get("/docs/docs.css", async (_, reply) => reply.type("text/css; charset=utf-8").send(styles));
}

/** Leaves out controls (contract/controls.ts), which do not concern API callers. */
const withoutControls = z.registry<Record<string, never>>();

function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any", metadata: withoutControls });
  return json;
}

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
  return route.permission === "merchant" ? [{ merchantKey: [], merchantTimestamp: [], merchantSignature: [] }] : [{ bearer: [] }];
}

function rightText(route: Route): string {
  const { permission } = route;
  if (permission === "public") return "public";
  if (permission === "signed-in") return "signed in";
  if (permission === "merchant") return "merchant, signed request";
  return (typeof permission === "string" ? [permission] : permission).join(" or ");
}

function headersOf(route: Route): { name: string; required: boolean; text: string }[] {
  if (route.permission === "public" || route.tenant === "none") return [];
  const list: { name: string; required: boolean; text: string }[] = [];
  if (route.permission !== "merchant")
    list.push({ name: "X-Tenant-ID", required: route.tenant !== "optional", text: "id of the current tenant" });
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
  "Merchants sign six parts joined by line feeds with HMAC-SHA256 and their secret: v2, the timestamp, the METHOD, the path with its query, the Idempotency-Key (empty where none is sent), the exact body (empty where there is none). " +
  "Headers: x-api-key, x-timestamp (seconds; decimals tell equal requests of one second apart), x-signature (v2= and the hex digits). A request is good within five minutes, once. " +
  `Until ${oldSignaturesUntil} a signature without v2= is taken, too, made over timestamp.METHOD.path.body.`;

const signingExample = `x-signature: v2=HEX(HMAC-SHA256(secret, "v2\\n1795300000.125\\nPOST\\n/service/payment/api/merchant/v1/deposits\\n0f8fad5b-d9cb-469f-a165-70867728950e\\n{\\"amount\\":\\"120.00\\", …}"))`;

/** The OpenAPI 3.1 document of every route. */
function openApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const { meta } = route;
    (paths[route.path] ??= {})[route.method.toLowerCase()] = {
      operationId: name,
      tags: [route.path.split("/")[2] ?? "service"],
      description: `Right: ${rightText(route)}`,
      security: security(route),
      parameters: parametersOf(route),
      ...(route.body && { requestBody: { required: true, content: { "application/json": { schema: schemaOf(route.body, "input") } } } }),
      responses: {
        "200": {
          description: "Done",
          content: {
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
  }
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
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function docsPage(): string {
  const entries = Object.entries<Route>(routes);
  const json = (schema: z.ZodType | undefined, io: "input" | "output") =>
    schema ? `<pre>${escape(JSON.stringify(schemaOf(schema, io), null, 1))}</pre>` : "";
  const section = ([name, route]: [string, Route]) => `<section id="${name}">
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
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API – Countinghouse</title>
<link rel="stylesheet" href="/docs/docs.css"></head><body><nav><h1>Countinghouse API</h1><p><a href="/docs/openapi.json">openapi.json</a></p><ul>
${entries.map(([name, route]) => `<li><a href="#${name}"><b>${route.method}</b> ${name}</a></li>`).join("\n")}</ul></nav><main>
<p>Answers come as <code>{data, meta?}</code>, refusals as <code>{message, code, data?}</code>. Amounts are decimal strings, times RFC 3339 in UTC. ${escape(signingText)}</p>
<pre>${escape(signingExample)}</pre>
${list("every route", commonProblems)}${list("routes for signed-in people", staffProblems)}${list("the merchant API", merchantProblems)}
${entries.map(section).join("\n")}</main></body></html>`;
}

const styles = `:root{color-scheme:light dark}body{margin:0;display:grid;grid-template-columns:280px minmax(0,1fr);font:13px/20px system-ui,sans-serif}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:16px;box-sizing:border-box;border-inline-end:1px solid #8886}nav ul{list-style:none;padding:0}nav a{color:inherit;text-decoration:none}nav a:hover{text-decoration:underline}nav b{display:inline-block;width:44px;font-size:11px;opacity:.7}
main{padding:16px 32px;max-width:1000px}h1{font-size:16px}h2{font-size:14px;margin:0 0 8px}section{border-top:1px solid #8886;padding:16px 0}dl{display:grid;grid-template-columns:140px 1fr;gap:2px 12px;margin:0 0 8px}dd{margin:0}code,pre{font:12px/18px ui-monospace,monospace}pre{overflow:auto;max-height:400px;background:#8881;padding:8px;border-radius:4px}summary{cursor:pointer}
@media(max-width:800px){body{display:block}nav{position:static;height:auto}}`;
