import type { RefObject } from "react";
import { useRef } from "react";
import { exportDays, ownExportRoutes as routes } from "../../contract/exports.ts";
import type { Export } from "../../contract/exports.ts";
import { formatCount } from "../../values/counts.ts";
import { sizeText } from "../../values/file-size.ts";
import { newUuid } from "../../values/uuid.ts";
import { Instant } from "../api/instant.tsx";
import { useApi } from "../api/use-api.ts";
import { saveExport } from "../kit/export/save-export.ts";
import { Icon } from "../kit/look/icon.tsx";
import { SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { useRowArrows } from "../kit/sheets/use-row-arrows.ts";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { ReadFailed } from "../kit/look/read-failed.tsx";
import { Bar } from "./bar.tsx";
import { failureKey, isOpenExport, listName, markOfState } from "./export-words.ts";

interface ExportsSheetProps {
  readonly read: { readonly list: readonly Export[] | undefined; readonly isError: boolean; refetch(): void };
  onClose(): void;
}

/** The user's exports, newest first: how far each is, its file for as long as it is kept, or why there is none. */
export function ExportsSheet({ read: { list, isError, refetch }, onClose }: ExportsSheetProps) {
  const t = useText();
  const body = useRef<HTMLDivElement>(null);
  const arrows = useRowArrows(body);
  return (
    <SheetFrame
      wide
      first={body}
      dialog={{ name: "form", aimless: true, acts: { close: onClose, toggle: () => undefined } }}
      title={t("export.title")}
    >
      <div className="exports" ref={body} tabIndex={-1} {...arrows}>
        {isError && <ReadFailed retry={refetch}>{t("export.list-failed")}</ReadFailed>}
        {list === undefined && !isError && <p className="t3">{t("record.detail.loading")}</p>}
        {list?.length === 0 && <p className="t2">{t("export.none", { days: exportDays })}</p>}
        {list !== undefined && list.length > 0 && (
          <table className="tbl">
            <thead>
              <tr>
                <th scope="col">{t("export.column.act")}</th>
                <th scope="col">{t("export.about.screen")}</th>
                <th scope="col">{t("export.column.state")}</th>
                <th scope="col" className="figure">
                  {t("export.about.rows")}
                </th>
                <th scope="col" className="figure">
                  {t("export.column.size")}
                </th>
                <th scope="col">{t("export.column.created")}</th>
                <th scope="col">{t("export.column.expires")}</th>
                <th scope="col">
                  <span className="sr">{t("export.delete")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map((one) => (
                <Line key={one.uuid} one={one} body={body} refetch={refetch} />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </SheetFrame>
  );
}

interface LineProps {
  readonly one: Export;
  readonly body: RefObject<HTMLElement | null>;
  refetch(): void;
}

function Line({ one, body, refetch }: LineProps) {
  const t = useText();
  const { services } = useKit();
  const { call } = useApi();
  const { icon, hue } = markOfState[one.state];
  const isOpen = isOpenExport(one);
  const params = { uuid: one.uuid };
  const name = [listName(one), one.currency].filter(Boolean).join(" · ");

  /** A refusal is told as a toast; the list then says what is. The focus stays in the sheet, though the button may go. */
  async function act(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!(error instanceof Object && "reported" in error)) throw error;
    });
    refetch();
    if (document.activeElement === document.body) body.current?.focus();
  }
  const cancel = () => act(() => call(routes.cancelExport, { params, body: {} }));
  const remove = async () => {
    const sure = await services.ask("confirm", { title: "export.ask.delete", text: "export.ask.delete-text", words: { name } });
    if (sure === true) await act(() => call(routes.deleteExport, { params }));
  };
  const retry = () =>
    act(async () => {
      const { data } = await call(routes.retryExport, { params, body: {} }, { idempotencyKey: newUuid() });
      services.changed("export", [data]);
    });
  const primary = isOpen
    ? { label: t("export.cancel"), run: cancel }
    : one.state === "done"
      ? { label: t("export.download"), run: () => act(() => saveExport(services, one)) }
      : { label: t("export.retry"), run: retry };
  return (
    <tr>
      <td>
        <button type="button" className={one.state === "done" ? "btn go" : "btn"} onClick={() => void primary.run()}>
          {primary.label}
          <span className="sr"> {name}</span>
        </button>
      </td>
      <th scope="row">{name}</th>
      <td>
        <span className={`st ${hue}`}>
          <Icon name={icon} />
          {t(`export.state.${one.state}`)}
        </span>
        {one.state === "running" && <Bar one={one} />}
        {one.state === "failed" && <span className="why">{t(failureKey(one))}</span>}
      </td>
      <td className="figure">
        <bdi>
          {one.total === null || !isOpen
            ? one.state === "waiting"
              ? ""
              : formatCount(one.done)
            : `${formatCount(one.done)} / ${formatCount(one.total)}`}
        </bdi>
      </td>
      <td className="figure">
        <bdi>{one.bytes === null ? "" : sizeText(one.bytes)}</bdi>
      </td>
      <td>
        <Instant at={one.created_at} />
      </td>
      <td>{!isOpen && <Instant at={one.expires_at} />}</td>
      <td>
        {!isOpen && (
          <button type="button" className="btn bare" onClick={() => void remove()}>
            {t("export.delete")}
            <span className="sr"> {name}</span>
          </button>
        )}
      </td>
    </tr>
  );
}
