import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** Serves the built console: hashed assets are cached for a year, the page is revalidated each time. */
export async function mountConsole(app: FastifyInstance, folder: string | null): Promise<void> {
  if (folder === null) return;
  await app.register(fastifyStatic, {
    root: folder,
    index: ["index.html"],
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, path) {
      reply.header("cache-control", /\/assets\//.test(path) ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
}
