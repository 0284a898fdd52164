import { z } from "zod";
import type { Permission } from "./permissions.ts";
import { commonProblems, merchantProblems, signedProblems, staffProblems } from "./problems.ts";
import type { ProblemCode } from "./problems.ts";
import type { UploadedFile } from "./uploads.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: anyone; anyone signed in; a merchant, or a forwarder of bank notices, with a signed request; or staff who hold the
 * permission (any one of them where several are listed).
 */
type Guard = "public" | "signed-in" | "merchant" | "forwarder" | Permission | readonly [Permission, ...Permission[]];

export interface Route {
  readonly method: Method;
  /** With {name} for each path parameter. */
  readonly path: string;
  readonly permission: Guard;
  /**
   * Signed-in routes only. none: it concerns the user only · optional: without X-Tenant-ID the user's first tenant is used · left out:
   * X-Tenant-ID is required.
   */
  readonly tenant?: "none" | "optional";
  /** Signed-in routes only. Open also to a user who must first set a password or set up two-factor; all other routes refuse them. */
  readonly unready?: true;
  /** Refused with step-up.required when the session's last proof is older than 10 minutes. */
  readonly stepUp?: true;
  /** Open only to members of the group with code owner who also hold the permission. */
  readonly owner?: true;
  /** Requires X-Currency, one of the tenant's currencies. */
  readonly currency?: true;
  /** Not sent again by itself when no answer came: what it answers is kept nowhere, so that a repeat of what was done is refused. */
  readonly unrepeated?: true;
  /** The write is refused without an Idempotency-Key. */
  readonly money?: true;
  /** Merchant API only: how many a key may send per minute, where fewer than of other requests. */
  readonly perMinute?: number;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /**
   * Instead of a JSON body it takes one file of at most so many bytes: as multipart/form-data, from a merchant as the body itself, whose
   * bytes are what is signed.
   */
  readonly file?: { readonly most: number };
  /** Answers the bytes of a file instead of JSON; `answer` is then FileAnswer or LargeFileAnswer. */
  readonly download?: true;
  /** What its address names never changes: a browser may keep it. */
  readonly lasting?: true;
  /** Shape of `data`; a field it does not name is never sent. */
  readonly answer: z.ZodType;
  /** Shape of `meta`, for lists. */
  readonly meta?: z.ZodType;
  /**
   * much: a replica of the database may answer it, as it may every list (`readsReplica`) · audited: its reading is written down, so that
   * the primary answers it although it is a list.
   */
  readonly reads?: "much" | "audited";
  /** Codes in addition to those of every route of its kind (`refusalsOf`). */
  readonly refuses?: readonly ProblemCode[];
}

/** Whether its caller is known by a signature instead of a session. */
export const isSigned = ({ permission }: Pick<Route, "permission">): boolean => permission === "merchant" || permission === "forwarder";

/** Whether it only reads, and may be answered by a replica of the database: every list, and what says so. */
export const readsReplica = ({ method, meta, reads }: Pick<Route, "method" | "meta" | "reads">): boolean =>
  method === "GET" && (reads ?? (meta && "much")) === "much";

export type Routes = Record<string, Route>;

export function defineRoutes<const T extends Routes>(routes: T): T {
  return routes;
}

/** All codes a route can answer with. */
export function refusalsOf({ permission, method, money, refuses = [] }: Route): readonly ProblemCode[] {
  const guards = { public: [], merchant: merchantProblems, forwarder: signedProblems } as const;
  const guard = typeof permission === "string" && permission in guards ? guards[permission as keyof typeof guards] : staffProblems; // by `in`
  const keyed = permission === "public" || method === "GET" ? [] : (["request.idempotency-mismatch", "request.in-progress"] as const);
  return [
    ...new Set([...commonProblems, ...guard, ...(money ? (["request.idempotency-key-missing"] as const) : []), ...keyed, ...refuses]),
  ];
}

type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;
type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a caller sends. */
export type Sent<R extends Route> = (R["params"] extends z.ZodType ? { params: InputOf<R["params"]> } : { params?: undefined }) &
  (R["query"] extends z.ZodType ? { query?: InputOf<R["query"]> } : { query?: undefined }) &
  (R["body"] extends z.ZodType ? { body: InputOf<R["body"]> } : { body?: undefined }) &
  (R["file"] extends { readonly most: number } ? { file: Blob } : { file?: undefined });

/** What a handler receives: parsed and complete. */
export type Received<R extends Route> = {
  params: OutputOf<R["params"]>;
  query: OutputOf<R["query"]>;
  body: OutputOf<R["body"]>;
} & (R["file"] extends { readonly most: number } ? { file: UploadedFile } : { file?: undefined });

/** What a caller receives and a handler must return; the schema then strips fields it does not name. */
export type Answer<R extends Route> = R["meta"] extends z.ZodType
  ? { data: z.output<R["answer"]>; meta: z.output<R["meta"]> }
  : { data: z.output<R["answer"]> };
