import { useId } from "react";
import { permissions } from "../../../contract/permissions.ts";
import { userGroupRoutes as routes } from "../../../contract/user-groups.ts";
import type { UserGroupDetail } from "../../../contract/user-groups.ts";
import { useRead } from "../../api/use-api.ts";
import { areaLines } from "../../kit/form/rights-words.ts";
import { SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { useText } from "../../kit/texts/texts.ts";
import "./compare-sheet.css";

interface CompareSheetProps {
  readonly one: string;
  readonly other: string;
  onClose(): void;
}

/** Two groups side by side: what only the one gives, what only the other, and what both do. */
export function CompareSheet({ one, other, onClose }: CompareSheetProps) {
  const t = useText();
  const first = useRead(routes.readUserGroup, { params: { uuid: one } });
  const second = useRead(routes.readUserGroup, { params: { uuid: other } });
  const [a, b] = [first.data?.data, second.data?.data];
  const failed = first.isError || second.isError;
  return (
    <SheetFrame
      wide
      dialog={{ name: "form", acts: { close: onClose, confirm: onClose, toggle: () => undefined } }}
      title={t("user-group.compare.title")}
      foot={
        <button type="button" className="btn go" onClick={onClose}>
          {t("sheet.close")}
          <KeyCap chord="Escape" />
        </button>
      }
    >
      {failed && (
        <p role="alert" className="fail">
          {t("user-group.compare.failed")}
        </p>
      )}
      {!failed && !(a && b) && (
        <p role="status" className="t3">
          {t("record.detail.loading")}
        </p>
      )}
      {a && b && <Compared a={a} b={b} />}
    </SheetFrame>
  );
}

function Compared({ a, b }: { a: UserGroupDetail; b: UserGroupDetail }) {
  const t = useText();
  const [ofA, ofB] = [new Set(a.permissions), new Set(b.permissions)];
  const both = permissions.filter((one) => ofA.has(one) && ofB.has(one));
  const onlyA = permissions.filter((one) => ofA.has(one) && !ofB.has(one));
  const onlyB = permissions.filter((one) => ofB.has(one) && !ofA.has(one));
  return (
    <div className="compared">
      <Part title={t("user-group.compare.only", { name: a.row.name, n: onlyA.length })} lines={areaLines(t, onlyA)} />
      <Part title={t("user-group.compare.only", { name: b.row.name, n: onlyB.length })} lines={areaLines(t, onlyB)} />
      <Part title={t("user-group.compare.both", { n: both.length })} lines={areaLines(t, both)} wide />
    </div>
  );
}

function Part({ title, lines, wide }: { title: string; lines: readonly string[]; wide?: true }) {
  const t = useText();
  const id = useId();
  return (
    <section className={wide ? "wide" : undefined} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {lines.length === 0 ? (
        <p className="t3">{t("user-group.compare.nothing")}</p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
