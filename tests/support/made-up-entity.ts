import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Text that only this entity has, in its screen, its commands and its contract. */
export const marksOfMadeUp = { texts: "Sails past the harbour master", commands: "ferry.moor", contract: "tenant/v1/ferries" } as const;

const fields = ["name", "harbour", "tonnage", "captain", "draught", "beam", "berth", "signal", "flag", "cargo", "pilot", "remark"] as const;
const acts = ["moor", "launch", "inspect"] as const;
const noun = (act: string) => act.charAt(0).toUpperCase() + act.slice(1);

const contract = `import { z } from "zod";
import { control } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

export const Ferry = z.object({
  uuid: Uuid,
  version: Version,
${fields.map((field) => `  ${field}: z.string(),`).join("\n")}
  created_at: Instant,
  updated_at: Instant,
});
export type Ferry = z.infer<typeof Ferry>;

const FerryDetail = z.object({ row: Ferry, history: z.array(RecordEvent) });

const FerryForm = z.strictObject({
${fields.map((field, at) => `  ${field}: Name(${100 + at}).meta(control("${at % 2 === 0 ? "text" : "lines"}")),`).join("\n")}
});

export const ferryColumns = defineColumns({
${fields.map((field) => `  ${field}: { filter: "part", most: 120, sort: true, find: "part" },`).join("\n")}
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

const act = <const P extends string, const Q extends string>(path: P, permission: Q) => ({
  method: "POST" as const,
  path: \`/service/vendor/api/tenant/v1/ferries/{uuid}/\${path}\` as const,
  permission: \`vs.vendor.ferries.\${permission}\` as const,
  params: z.strictObject({ uuid: Uuid }),
  body: z.strictObject({ version: Version, reason: z.string().max(500) }),
  answer: Ferry,
  refuses: ["record.stale" as const],
});

export const ferryRoutes = defineRoutes({
  ...recordRoutes("/service/vendor/api/tenant/v1/ferries", "vs.vendor.ferries", {
    one: "Ferry",
    many: "Ferries",
    columns: ferryColumns,
    row: Ferry,
    detail: FerryDetail,
    create: FerryForm,
    update: FerryForm,
    remove: true,
  }),
${acts.map((act) => `  ${act}Ferry: act("${act}", "${act}"),`).join("\n")}
});
`;

const entity = `import { ferryColumns, ferryRoutes as routes } from "../../../contract/ferries.ts";
import { defineEntity } from "../../entity/entity.ts";

export const ferries = defineEntity({
  screen: "ferries",
  subject: "ferry",
  routes: { list: routes.listFerries, read: routes.readFerry, create: routes.createFerry, update: routes.updateFerry, remove: routes.deleteFerry },
  titleOf: ({ name }) => name,
  codeOf: ({ name }) => name,
  order: "name",
  columns: [
${fields.map((field, at) => `    { field: "${field}", width: ${120 + at * 8}, minWidth: 90 },`).join("\n")}
  ],
  columnMap: ferryColumns,
  sections: [{ name: "identity", lines: ${JSON.stringify(fields)} }],
  form: { groups: [{ name: "identity", fields: ${JSON.stringify(fields)} }] },
});
`;

const screen = `import { EntityScreen } from "../../entity/entity-screen.tsx";
import { ferries } from "./ferries-entity.ts";

export function Component() {
  return <EntityScreen entity={ferries} />;
}
`;

const commandsFile = `import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import { ferryRoutes as routes } from "../src/contract/ferries.ts";
import { newUuid } from "../src/values/uuid.ts";
import { runAct } from "./run-act.ts";

export const ferryCommands: readonly AnyCommand[] = [
${[...acts, "sound-horn"]
  .map((act, at) => {
    const route = act === "sound-horn" ? "inspect" : act;
    return `  defineCommand({
    scope: "pane",
    subject: "ferry",
    takes: "one",
    id: "ferry.${act}",
    permission: routes.${route}Ferry.permission,
    keys: ["Shift+${at + 1}"],
    refuse: ([row]) => (row.flag === "" ? "ferry.refuse.${act}" : null),
    async run([row], services) {
      const reason = await services.ask("text", { title: "ferry.ask.${act}", words: { name: row.name }, initial: "", maximum: 500 });
      if (reason === null) return;
      const sent = { params: { uuid: row.uuid }, body: { version: row.version, reason } };
      await runAct("ferry", row, services, async () => {
        const { data } = await services.call(routes.${route}Ferry, sent, { idempotencyKey: newUuid() });
        services.changed("ferry", [data]);
        services.say("ferry.said.${act}", { name: row.name }, "done");
      });
    },
  }),`;
  })
  .join("\n")}
];
`;

const texts: Readonly<Record<string, string>> = {
  "screen.ferries": "Ferries",
  "command.go.ferries.words": "go, open, boats, crossings",
  "command.record.create.ferry": "Commission a ferry",
  ...Object.fromEntries(fields.map((field) => [`ferry.field.${field}`, `The ${field} of the ferry`])),
  "ferry.field.created_at": "Commissioned",
  "ferry.field.updated_at": "Overhauled",
  "ferry.section.identity": "Papers of the ferry",
  ...Object.fromEntries(
    [...acts, "sound-horn"].flatMap((act) => [
      [`command.ferry.${act}`, `${noun(act)} this ferry`],
      [`command.ferry.${act}.words`, `${act}, quay, anchor`],
      [`ferry.ask.${act}`, `Why ${act} {{name}}? Tell the crew at the quay.`],
      [`ferry.said.${act}`, `{{name}}: ${act} was done. Sails past the harbour master.`],
      [`ferry.refuse.${act}`, `Without its flag no one may ${act} it.`],
      [`problem.ferry.${act}`, `The ferry does not ${act} now, because it is at sea.`],
    ]),
  ),
};

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`there is no place for the made-up entity in ${file}`);
  await writeFile(file, after);
}

/**
 * The project in another folder with one more plain entity, made as the README says: 8 routes, 12 fields, 4 commands and its texts. What
 * the server needs of it is left out.
 */
export async function withMadeUpEntity(project: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of ["src", "commands", "locales", "index.html", "vite.config.ts", "tsconfig.json", "package.json", "package-lock.json"])
    await cp(join(project, name), join(folder, name), { recursive: true }); // oxlint-disable-line no-await-in-loop -- a few folders
  await symlink(join(project, "node_modules"), join(folder, "node_modules"));
  const added = {
    "src/contract/ferries.ts": contract,
    "src/console/screens/ferries/ferries-entity.ts": entity,
    "src/console/screens/ferries/ferries-screen.tsx": screen,
    "commands/ferries.ts": commandsFile,
  };
  for (const [file, text] of Object.entries(added)) {
    await mkdir(dirname(join(folder, file)), { recursive: true }); // oxlint-disable-line no-await-in-loop -- a few files
    await writeFile(join(folder, file), text); // oxlint-disable-line no-await-in-loop -- as above
  }
  await edit(join(folder, "src/contract/permissions.ts"), (text) =>
    text.replace(
      '  "vs.vendor.items":',
      `  "vs.vendor.ferries": ["view", "create", "update", "delete", "export", ${acts.map((act) => `"${act}"`).join(", ")}],\n  "vs.vendor.items":`,
    ),
  );
  await edit(join(folder, "src/contract/screens.ts"), (text) =>
    text.replace(
      '  "vendor-items": {',
      `  ferries: {
    path: "/ferries",
    permission: "vs.vendor.ferries.view",
    subject: "ferry",
    key: "1",
    codes: ["fy"],
    exports: "vs.vendor.ferries.export",
    icon: "box",
    group: "administration",
    found: 8,
  },
  "vendor-items": {`,
    ),
  );
  await edit(join(folder, "src/contract/index.ts"), (text) =>
    text
      .replace(
        "import type { Vendor }",
        'import type { Ferry } from "./ferries.ts";\nimport { ferryRoutes } from "./ferries.ts";\nimport type { Vendor }',
      )
      .replace("  ...vendorRoutes,", "  ...vendorRoutes,\n  ...ferryRoutes,")
      .replace("  vendor: Vendor;", "  vendor: Vendor;\n  ferry: Ferry;"),
  );
  await edit(join(folder, "commands/index.ts"), (text) =>
    text.replace(
      "  ...listCommands,",
      '  comingWith("ferries", async () => (await import("./ferries.ts")).ferryCommands),\n  ...listCommands,',
    ),
  );
  const locales = await readdir(join(folder, "locales"));
  for (const name of locales)
    // oxlint-disable-next-line no-await-in-loop -- eight files
    await edit(join(folder, "locales", name), (text) => JSON.stringify({ ...(JSON.parse(text) as object), ...texts }, null, 2));
}
