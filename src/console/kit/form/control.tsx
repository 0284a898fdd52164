import type { ComponentType } from "react";
import { createContext, lazy, Suspense, useContext } from "react";
import type { ControlKind } from "../../../contract/controls.ts";
import { loadChunk } from "../loading/chunk.ts";
import { ChoiceControl, ChoicesControl, SwitchControl } from "./choice-controls.tsx";
import { CodeControl } from "./code-control.tsx";
import type { ControlProps } from "./control-props.ts";
import { CountControl } from "./count-control.tsx";
import { FileControl } from "./file-control.tsx";
import type { Images, Upload } from "./file-control.tsx";
import { JsonControl, LinesControl } from "./lines-controls.tsx";
import { ListControl } from "./list-control.tsx";
import { MomentControl } from "./moment-control.tsx";
import { ReferenceControl } from "./reference-control.tsx";
import { RowsControl } from "./rows-control.tsx";
import { SecretControl } from "./secret-control.tsx";
import { DecimalControl, EmailControl, PasswordControl, TextControl, UrlControl } from "./text-controls.tsx";

/** What a form's own controls need of its screen; a form without secrets and files gives none. */
export interface ControlDeps {
  /** The kept secret of a field, after the right and a proof were asked for; null: not granted, which has been said. */
  reveal?(name: string): Promise<string | null>;
  readonly upload?: Upload;
  readonly images?: Images;
}
export const ControlDepsContext = createContext<ControlDeps>({});

const SecretOfForm = (props: ControlProps) => <SecretControl {...props} reveal={useContext(ControlDepsContext).reveal} />;
function FileOfForm(props: ControlProps) {
  const { upload, images } = useContext(ControlDepsContext);
  return <FileControl {...props} upload={upload} images={images} />;
}
/** Drawn by two screens alone, with whose texts it comes. */
const Permissions = lazy(async () => ({ default: (await loadChunk(() => import("./permissions-control.tsx"))).PermissionsControl }));
const PermissionsOfForm = (props: ControlProps) => (
  <Suspense>
    <Permissions {...props} />
  </Suspense>
);
const RowsOfForm = (props: ControlProps) => <RowsControl {...props} Cell={DrawnControl} />;

/** Each kind the contract knows, and what draws it. */
const controls: { readonly [K in ControlKind]: ComponentType<ControlProps> } = {
  text: TextControl,
  lines: LinesControl,
  email: EmailControl,
  url: UrlControl,
  password: PasswordControl,
  code: CodeControl,
  amount: DecimalControl,
  rate: DecimalControl,
  count: CountControl,
  minutes: CountControl,
  moment: MomentControl,
  switch: SwitchControl,
  choice: ChoiceControl,
  choices: ChoicesControl,
  reference: ReferenceControl,
  references: ReferenceControl,
  list: ListControl,
  json: JsonControl,
  secret: SecretOfForm,
  file: FileOfForm,
  image: FileOfForm,
  permissions: PermissionsOfForm,
  rows: RowsOfForm,
  given: () => null, // drawn field by field in the form itself (given-part.tsx)
};

export function DrawnControl(props: ControlProps) {
  const Control = controls[props.field.control];
  return <Control {...props} />;
}
