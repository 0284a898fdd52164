import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import postcssRTLCSS from "postcss-rtlcss";
import { Mode } from "postcss-rtlcss/options";
import { defineConfig } from "vite";

const api = process.env["API"] ?? "http://127.0.0.1:8080";

/** Class family of Blueprint's CSS → the components that need it. Families not named here always stay. */
const families: Readonly<Record<string, readonly string[]>> = {
  alert: ["Alert"],
  blockquote: ["Blockquote"],
  breadcrumb: ["Breadcrumb"],
  breadcrumbs: ["Breadcrumb"],
  "button-group": ["ButtonGroup", "SegmentedControl", "NumericInput", "ControlGroup"],
  callout: ["Callout"],
  card: ["Card", "CardList", "ControlCard", "SwitchCard", "CheckboxCard", "RadioCard", "Section"],
  "card-list": ["CardList"],
  "control-card": ["ControlCard", "SwitchCard", "CheckboxCard", "RadioCard"],
  code: ["Code"],
  "code-block": ["Pre"],
  pre: ["Pre"],
  collapse: ["Collapse", "Section", "Tree"],
  control: ["Checkbox", "Radio", "RadioGroup", "Switch", "ControlCard", "SwitchCard", "CheckboxCard", "RadioCard"],
  "control-group": ["ControlGroup", "NumericInput"],
  "context-menu": ["ContextMenu", "showContextMenu"],
  "dialog-step": ["MultistepDialog"],
  "multistep-dialog": ["MultistepDialog"],
  drawer: ["Drawer"],
  "editable-text": ["EditableText"],
  "entity-title": ["EntityTitle"],
  "file-input": ["FileInput"],
  "file-upload": ["FileInput"],
  "form-group": ["FormGroup"],
  "form-content": ["FormGroup"],
  "form-helper": ["FormGroup"],
  hotkey: ["HotkeysProvider", "useHotkeys"],
  key: ["KeyComboTag"],
  "key-combo": ["KeyComboTag"],
  "html-select": ["HTMLSelect"],
  "html-table": ["HTMLTable"],
  input: ["InputGroup", "TextArea", "NumericInput", "FileInput", "TagInput", "SearchInput"],
  "input-group": ["InputGroup", "NumericInput", "SearchInput"],
  "input-action": ["InputGroup"],
  "input-left": ["InputGroup", "TagInput"],
  menu: ["Menu", "ContextMenu"],
  submenu: ["Menu", "ContextMenu"],
  navbar: ["Navbar"],
  "non-ideal-state": ["NonIdealState"],
  "numeric-input": ["NumericInput"],
  "panel-stack": ["PanelStack", "PanelStack2"],
  "panel-stack2": ["PanelStack2"],
  popover: ["Popover", "PopoverNext", "Tooltip", "Menu", "ContextMenu", "Breadcrumb"],
  "progress-bar": ["ProgressBar"],
  section: ["Section"],
  "segmented-control": ["SegmentedControl"],
  slider: ["Slider", "RangeSlider", "MultiSlider"],
  tab: ["Tabs"],
  tabs: ["Tabs"],
  tag: ["Tag", "CompoundTag", "TagInput", "EntityTitle"],
  "compound-tag": ["CompoundTag"],
  "tag-input": ["TagInput"],
  tooltip: ["Tooltip"],
  tree: ["Tree"],
};

/** Families whose components no file of the console imports. */
function unusedFamilies(): string[] {
  const used = new Set<string>();
  for (const file of globSync(join(import.meta.dirname, "src/console/**/*.{ts,tsx}"))) {
    for (const [, names = ""] of readFileSync(file, "utf8").matchAll(/import \{([^}]*)\} from "@blueprintjs\/core"/g)) {
      for (const name of names.split(",")) used.add(name.trim().split(" ")[0] ?? "");
    }
  }
  const needed = Object.keys(families).filter((family) => families[family]?.some((name) => used.has(name)));
  // "control" stays for "control-group": one name begins the other's classes
  return Object.keys(families).filter((family) => !needed.some((other) => other === family || other.startsWith(`${family}-`)));
}

/** Blueprint's CSS is physical; ours is logical and must not be turned a second time. */
const mirror = postcssRTLCSS({ mode: Mode.override });

export default defineConfig(({ command }) => {
  // in development everything stays, so that a component just imported looks right
  const unused = command === "build" ? unusedFamilies() : [];
  const unneeded = unused.length > 0 ? new RegExp(`\\.bp6-(?:${unused.join("|")})(?![a-z0-9])`) : null;
  return {
    plugins: [react()],
    css: {
      postcss: {
        plugins: [
          {
            postcssPlugin: "blueprint-as-used",
            Once(root, helpers) {
              if (!root.source?.input.file?.includes("@blueprintjs")) return;
              if (unneeded)
                root.walkRules((rule) => {
                  const kept = rule.selectors.filter((selector) => !unneeded.test(selector.replace(/:not\([^)]*\)/g, "")));
                  if (kept.length === 0) rule.remove();
                  else if (kept.length < rule.selectors.length) rule.selectors = kept;
                });
              mirror.Once?.(root, helpers);
            },
          },
        ],
      },
    },
    worker: { format: "es" },
    build: { outDir: "dist", emptyOutDir: true, target: "es2023" },
    server: {
      host: "127.0.0.1",
      proxy: {
        "/service": api,
        "/docs": api,
        "/healthz": api,
        "/readyz": api,
        "/app": { target: api, ws: true },
      },
    },
  };
});
