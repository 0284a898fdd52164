import type { FastifyReply, FastifyRequest } from "fastify";
import { sessionSeconds } from "./tokens.ts";

/** Over plain http (a loopback install) browsers refuse the prefix __Host-, because it requires Secure. */
function cookieName(request: FastifyRequest): string {
  return request.protocol === "https" ? "__Host-binding" : "binding";
}

export function readBinding(request: FastifyRequest): string | null {
  return request.cookies[cookieName(request)] ?? null;
}

/** HttpOnly and SameSite=Strict, so that scripts cannot read it and other sites cannot make a browser send it. */
export function setBinding(request: FastifyRequest, reply: FastifyReply, value: string): void {
  reply.setCookie(cookieName(request), value, {
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    secure: request.protocol === "https",
    maxAge: sessionSeconds,
  });
}

export function clearBinding(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(cookieName(request), { path: "/", httpOnly: true, sameSite: "strict", secure: request.protocol === "https" });
}
