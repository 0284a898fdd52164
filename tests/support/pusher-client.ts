import pusherJs from "pusher-js";

/** Its types describe a default export; in Node the module itself is the class. */
const PusherClient = pusherJs as unknown as typeof pusherJs.default;
export type PusherClient = InstanceType<typeof PusherClient>;

/** A client as the console's, over a plain socket. `authorize` answers the server's word on a channel, and rejects where it refuses. */
export function pusherClient(
  key: string,
  { host, port }: { readonly host: string; readonly port: number },
  authorize: (asked: { readonly socketId: string; readonly channelName: string }) => Promise<{ auth: string }>,
): PusherClient {
  return new PusherClient(key, {
    cluster: "",
    wsHost: host,
    wsPort: port,
    forceTLS: false,
    enabledTransports: ["ws"],
    enableStats: false,
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler: (asked, answer) => {
        authorize(asked).then(
          (signed) => answer(null, signed),
          (error: Error) => answer(error, null),
        );
      },
    },
  });
}
