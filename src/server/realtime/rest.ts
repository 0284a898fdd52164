import type { FastifyPluginCallback, FastifyReply } from "fastify";
import { z } from "zod";
import { notificationLimit } from "./fanout.ts";
import { isChangeEvent, isSignedRequest, isSocketId, tenantOfChannel } from "./protocol.ts";

/** One event on its way to the sockets of one channel. */
export const Message = z.object({
  channel: z.string(),
  event: z.string(),
  /** The data as JSON text, as the protocol carries it. */
  data: z.string(),
  /** The socket that must not receive it. */
  except: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

const channel = z.string().refine((name) => tenantOfChannel(name) !== null);
const name = z.string().refine(isChangeEvent);
const socketId = z.string().refine(isSocketId).optional();
const Trigger = z.object({ name, data: z.string(), channels: z.array(channel).min(1).max(10), socket_id: socketId });
const Batch = z.object({
  batch: z
    .array(z.object({ name, channel, data: z.string(), socket_id: socketId }))
    .min(1)
    .max(10),
});

const readTrigger = (body: unknown): Message[] => {
  const { name: event, data, channels, socket_id: except } = Trigger.parse(body);
  return channels.map((to) => ({ channel: to, event, data, except }));
};
const readBatch = (body: unknown): Message[] =>
  Batch.parse(body).batch.map((one) => ({ channel: one.channel, event: one.name, data: one.data, except: one.socket_id }));

interface RestDeps {
  readonly service: { readonly appId: string; readonly key: string; readonly secret: string };
  send(messages: readonly string[]): Promise<void>;
}

/** The protocol's HTTP API as far as publishers need it: signed events and batches. */
export function restPlugin(deps: RestDeps): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("application/json", { parseAs: "buffer", bodyLimit: 64 * 1024 }, (_request, body, parsed) =>
      parsed(null, body),
    );
    const refuse = (reply: FastifyReply, status: number, error: string) => reply.code(status).send({ error });
    for (const [path, read] of [
      ["/apps/:appId/events", readTrigger],
      ["/apps/:appId/batch_events", readBatch],
    ] as const) {
      app.post<{ Params: { appId: string } }>(path, { config: { unlimited: true } }, async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const signed = isSignedRequest({ method: "POST", url: request.raw.url ?? "", body }, deps.service.key, deps.service.secret);
        if (!signed || request.params.appId !== deps.service.appId) return refuse(reply, 401, "not signed by this app");
        let messages: string[];
        try {
          messages = read(JSON.parse(body.toString("utf8"))).map((message) => JSON.stringify(message));
        } catch {
          return refuse(reply, 400, "not an event of a tenant's channel");
        }
        if (messages.some((message) => Buffer.byteLength(message) > notificationLimit)) return refuse(reply, 413, "data too long");
        try {
          await deps.send(messages);
        } catch (error) {
          request.log.warn({ err: error }, "realtime event not sent");
          return refuse(reply, 503, "not sent; try again");
        }
        return reply.send({});
      });
    }
    done();
  };
}
