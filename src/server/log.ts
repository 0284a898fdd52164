/** The structured log of sweeps and services; Fastify's pino logger is one. Never log a secret or a body. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
