import { useLayoutEffect, useMemo, useState } from "react";
import type { GameImport, GameImportLine } from "../../../contract/game-imports.ts";
import { gameImportRoutes } from "../../../contract/game-imports.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import { providerGameRoutes as routes } from "../../../contract/provider-games.ts";
import { CallFailure } from "../../api/failure.ts";
import { usePlace } from "../../api/place.ts";
import { refusalOf } from "../../api/refusal.ts";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { EntityScreen } from "../../entity/entity-screen.tsx";
import type { ImportWork } from "../../imports/import-work.ts";
import { createImportWork } from "../../imports/import-work.ts";
import { TakeFiles } from "../../imports/take-files.tsx";
import type { ControlDeps } from "../../kit/form/control.tsx";
import { ControlDepsContext } from "../../kit/form/control.tsx";
import type { Given } from "../../kit/form/pasted-table.ts";
import type { Upload } from "../../kit/form/file-control.tsx";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { usePicture } from "./game-picture.tsx";
import { GamesSheet } from "./import-sheet.tsx";
import { gameImports } from "./import-work.ts";
import { pictures } from "./pictures.ts";
import { providerGames } from "./provider-games-entity.ts";
import "./provider-games.css";

/** The picture that a form names. */
function Picture({ name }: { readonly name: string }) {
  const address = usePicture(name, "small");
  return address === null ? <span className="game-thumb" /> : <img className="game-thumb" src={address} alt="" />;
}

/** The games of one merchant's set-up at a provider. */
export function Component() {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  const place = usePlace();
  const { tenant, context } = useSignedIn();
  const provider = place.params["merchantProviderUuid"] ?? "";
  useLayoutEffect(() => pictures.serve(call, tenant.id), [call, tenant.id]);
  const [work, setWork] = useState<ImportWork<GameImport, GameImportLine> | null>(null);

  const controls = useMemo((): ControlDeps => {
    const upload: Upload = async (file) => {
      try {
        return { name: (await call(routes.addGameImage, { file }, { quiet: true })).data.image };
      } catch (error) {
        if (error instanceof CallFailure) return { refused: refusalOf(error).words };
        throw error;
      }
    };
    return {
      upload,
      images: {
        Picture,
        async byAddress(url) {
          const { image, fault } = (await call(routes.fetchGameImage, { body: { url } }, { quiet: true })).data;
          if (image !== null) return { name: image };
          const why = fault === null ? "" : fault.why;
          const said = t(`provider-game.fault.${fault?.code ?? "image.unreachable"}`);
          return { refused: why === "" ? said : `${said} (${why})` };
        },
      },
    };
  }, [call, t]);
  const begin = useMemo(
    () => (given?: Given) => {
      const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
      const begun = createImportWork(gameImports(call, provider), { wait, added: () => services.shell.refresh() });
      setWork(begun);
      if (given) void begun.give(given);
    },
    [call, services, provider],
  );
  const lends = useMemo(() => ({ gameImports: { open: begin } }), [begin]);
  const mayImport = isAllowed(context.permissions, gameImportRoutes.uploadGames.permission);
  return (
    <ControlDepsContext value={controls}>
      <TakeFiles open={mayImport && work === null} onGiven={begin}>
        <EntityScreen entity={providerGames} lends={lends} acts={<CommandButton id="provider-game.import" icon="plus" />} />
      </TakeFiles>
      {work !== null && <GamesSheet work={work} onClose={() => setWork(null)} />}
    </ControlDepsContext>
  );
}
