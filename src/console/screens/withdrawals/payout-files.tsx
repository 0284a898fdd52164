import type { PayoutMark } from "../../../contract/payout-files.ts";
import { Instant } from "../../api/instant.tsx";
import { useText } from "../../kit/texts/texts.ts";

/** The banks' bulk files a withdrawal stands in, newest first. */
export function PayoutFiles({ files }: { files: readonly PayoutMark[] }) {
  const t = useText();
  return (
    <section className="sec">
      <h2>{t("withdrawal.detail.payout-files")}</h2>
      {files.map(({ uuid, name, at, by }) => (
        <div key={uuid} className="ln">
          <Instant at={at} />
          <bdi className="cut grow" title={name}>
            {name}
          </bdi>
          <bdi className="cut t2">{by}</bdi>
        </div>
      ))}
    </section>
  );
}
