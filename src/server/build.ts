import { buildConsole } from "./console-build.ts";

/** `npm run build`: the console as a start builds it, so that a server which serves the folder, or starts on it, finds it whole. */
await buildConsole(process.cwd(), (line) => process.stdout.write(`${line}\n`));
