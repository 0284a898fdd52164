import { useLayoutEffect, useMemo, useState } from "react";
import { providerGameRoutes as routes } from "../../../contract/provider-games.ts";
import { CallFailure } from "../../api/failure.ts";
import { usePlace } from "../../api/place.ts";
import { refusalOf } from "../../api/refusal.ts";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { EntityScreen } from "../../entity/entity-screen.tsx";
import type { ControlDeps } from "../../kit/form/control.tsx";
import { ControlDepsContext } from "../../kit/form/control.tsx";
import type { Upload } from "../../kit/form/file-control.tsx";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { usePicture } from "./game-picture.tsx";
import { createGameImport } from "./import-work.ts";
import type { GameImportWork } from "./import-work.ts";
import { ImportSheet } from "./import-sheet.tsx";
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
  const { tenant } = useSignedIn();
  const provider = place.params["merchantProviderUuid"] ?? "";
  useLayoutEffect(() => pictures.serve(call, tenant.id), [call, tenant.id]);
  const [work, setWork] = useState<GameImportWork | null>(null);

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
  const lends = useMemo(() => {
    const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const added = () => services.shell.refresh();
    return { gameImports: { open: () => setWork(createGameImport({ call, wait, added }, provider)) } };
  }, [call, services, provider]);
  return (
    <ControlDepsContext value={controls}>
      <EntityScreen entity={providerGames} lends={lends} acts={<CommandButton id="provider-game.import" icon="plus" />} />
      {work !== null && <ImportSheet work={work} onClose={() => setWork(null)} />}
    </ControlDepsContext>
  );
}
