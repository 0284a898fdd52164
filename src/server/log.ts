/** Structured logging as the sweeps and services need it; Fastify's pino logger is one. Never hand it a secret or a body. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
