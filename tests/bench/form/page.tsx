import i18next from "i18next";
import { useRef } from "react";
import { createRoot } from "react-dom/client";
import { initReactI18next } from "react-i18next";
import { z } from "zod";
import "../../../src/console/layers.css";
import "../../../src/console/kit/look/look.css";
import { commands } from "../../../commands/index.ts";
import { control } from "../../../src/contract/controls.ts";
import type { Linked } from "../../../src/contract/controls.ts";
import { Amount, Name } from "../../../src/contract/wire.ts";
import { emptyText, writtenField } from "../../../src/console/kit/form/codecs.ts";
import { ControlDepsContext } from "../../../src/console/kit/form/control.tsx";
import { checkForm, formFields } from "../../../src/console/kit/form/fields.ts";
import { FormBody } from "../../../src/console/kit/form/form-body.tsx";
import { ruleSayer } from "../../../src/console/kit/form/rules.ts";
import type { FormWords } from "../../../src/console/kit/form/rules.ts";
import { FormSession } from "../../../src/console/kit/form/session.ts";
import type { Refusal } from "../../../src/console/kit/form/session.ts";
import { createKit } from "../../../src/console/kit/kit.ts";
import type { OuterServices } from "../../../src/console/kit/kit.ts";
import { KitProvider } from "../../../src/console/kit/kit-provider.tsx";
import { StatusBar } from "../../../src/console/kit/messages/status-bar.tsx";
import { SheetFrame } from "../../../src/console/kit/sheets/sheet-frame.tsx";
import { text } from "../../../src/console/kit/texts/texts.ts";

// A sheet with a control of every kind; `?lng=ar&only=references` chooses the language and one field.

declare global {
  interface Window {
    saved: object[];
    beside: object[];
    session: FormSession;
    /** Records are found once this is. */
    found: Promise<void>;
  }
}
window.saved = [];
window.beside = [];
window.found = Promise.resolve();

const asked = new URLSearchParams(window.location.search);
const lng = asked.get("lng") ?? "en";
const files = import.meta.glob<{ default: Record<string, string> }>("../../../locales/*.json", { eager: true });
await i18next.use(initReactI18next).init({
  lng,
  fallbackLng: "en",
  resources: Object.fromEntries(["en", lng].map((one) => [one, { translation: files[`../../../locales/${one}.json`]?.default ?? {} }])),
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
});
document.documentElement.lang = lng;
document.documentElement.dir = lng === "ar" ? "rtl" : "ltr";

const colours = ["red", "green", "blue"] as const;
const Row = z.strictObject({
  name: Name(40),
  type: z.enum(["text", "number", "options"]).meta(control("choice")),
  options: z.array(z.string()).meta(control("list")),
  required: z.boolean().meta(control("switch")),
});
const Body = z.strictObject({
  text: Name(40),
  lines: z.string().meta(control("lines")),
  email: z.email().meta(control("email")),
  url: z.string().meta(control("url")),
  password: z.string().meta(control("password")),
  code: z.string().meta(control("code")),
  amount: Amount,
  rate: z.string().meta(control("rate")),
  count: z.int().min(1).max(20).nullable().meta(control("count")),
  minutes: z.int().min(1).max(60).meta(control("minutes")),
  moment: z.iso.datetime().nullable().meta(control("moment")),
  switch: z.boolean().meta(control("switch")),
  choice: z.enum(colours).meta(control("choice")),
  choices: z.array(z.enum(colours)).meta(control("choices")),
  reference: z.uuid().nullable().meta(control("reference", "merchants")),
  references: z.array(z.uuid()).meta(control("references", "payment-accounts")),
  list: z.array(z.string().max(5)).meta(control("list")),
  json: z.string().meta(control("json")),
  secret: z.string().meta(control("secret")),
  file: z.string().meta(control("file")),
  image: z.string().meta(control("image")),
  permissions: z.array(z.string()).meta(control("permissions")),
  rows: z.array(Row).meta(control("rows")),
});

const uuid = (digit: number): string => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`;
const records: readonly Linked[] = [1, 2, 3, 4, 5, 6].map((digit) => ({
  uuid: uuid(digit),
  code: `PA-0${digit}`,
  name: `${digit < 5 ? "Lim Wei" : "Tan Mei"} ${digit}`,
}));

const only = asked.get("only")?.split(",");
const fields = [...formFields(Body).values()].filter(({ name }) => only?.includes(name) ?? true);
const words: FormWords = { label: (path) => path, hint: (path) => (path === "text" ? "40 letters" : null), choice: (_, value) => value };
const noWork: Refusal = { kind: "refused", lines: {}, words: "refused", judged: true };
const present: Readonly<Record<string, unknown>> = { references: records.slice(0, 2), rows: [] };
const session = new FormSession(
  {
    check: (typed) => checkForm(Body.partial(), typed, fields, ruleSayer(text, words.hint), 2),
    send: async (body) => {
      window.saved.push(body);
      return { uuid: uuid(9), version: 2 };
    },
    current: () => Promise.reject(new Error("nobody else is here")),
    valuesOf: () => ({}),
    shows: () => true,
    labelOf: (name) => name,
    refusalOf: () => noWork,
  },
  Object.fromEntries(
    fields.map((field) => [field.name, present[field.name] === undefined ? emptyText(field) : writtenField(field, present[field.name])]),
  ),
  1,
);
session.linked.take(records.slice(0, 2));
window.session = session;

const services = {
  call: () => new Promise(() => {}),
  go() {},
  changed() {},
  shell: { splitScreen: (screen: string, to: { readonly search: object }) => void window.beside.push({ screen, ...to.search }) },
} as unknown as OuterServices; // nothing here calls out
const kit = createKit({
  commands,
  routedScreens: new Set(["merchants", "payment-accounts"]),
  services,
  sources: {
    async findLinked(_, typed) {
      await window.found;
      return records.filter((record) => `${record.code} ${record.name}`.toLowerCase().includes(typed.trim().toLowerCase()));
    },
    readMoment: (typed) => (typed === "2026-11-20 14:30" ? "2026-11-20T06:30:00.000Z" : null),
    writeMoment: (instant) => (instant.startsWith("2026-11-20T06:30") ? "2026-11-20 02:30 PM" : instant),
  },
});
kit.context.setSession({ tenant: "t", currency: "MYR", user: "u", permissions: {} });

function FormPage() {
  const first = useRef<HTMLElement>(null);
  return (
    <SheetFrame
      wide
      first={first}
      title="Form"
      dialog={{ name: "form", acts: { confirm: () => void session.save(), close: () => (document.title = "closed") } }}
    >
      <FormBody session={session} groups={[{ title: "All", fields }]} words={words} first={first} />
    </SheetFrame>
  );
}

const root = document.querySelector("#root");
if (root)
  createRoot(root).render(
    <KitProvider kit={kit}>
      <ControlDepsContext value={{ reveal: async () => "s3cret", upload: async (file) => ({ name: file.name }) }}>
        <FormPage />
      </ControlDepsContext>
      <StatusBar />
    </KitProvider>,
  );
