import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { formerOf } from "./console-build.ts";
import { consolePages } from "./console-page.ts";

/**
 * Serves the built console: hashed assets are cached for a year, the page is fetched each time. A part that only the build before has is
 * served from there, because pages stay open, and other processes serve their pages, after a build is replaced. Answers how a path that is
 * no file is answered with the page.
 */
export async function mountConsole(
  app: FastifyInstance,
  folder: string,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>> {
  const pageOf = consolePages(folder);
  // read once, so that there is one to answer while the folder is replaced
  await pageOf("/", { isSignedIn: false, language: "en" });
  await app.register(fastifyStatic, {
    root: [folder, formerOf(folder)],
    suppressWarning: true, // the first build has none before it
    index: ["index.html"],
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, path) {
      reply.header("cache-control", /\/assets\//.test(path) ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  return async ({ url, cookies }, reply) => {
    const isSignedIn = cookies["refresh_token"] !== undefined;
    const page = await pageOf(url.split("?", 1)[0] ?? "", { isSignedIn, language: cookies["language"] ?? "en" });
    // a language or a session makes another page of the same address
    return reply.header("cache-control", "no-cache").header("vary", "cookie").type("text/html; charset=utf-8").send(page);
  };
}
