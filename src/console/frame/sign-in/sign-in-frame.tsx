import "./sign-in.css";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { createFormats } from "../../api/formats.ts";
import { useApi } from "../../api/use-api.ts";
import { useSecond } from "../../api/use-second.ts";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import type { MessageKey } from "../../kit/texts/messages.ts";
import { useText } from "../../kit/texts/texts.ts";
import { Brand } from "../brand.tsx";
import { LanguageChoice, ThemeChoice } from "../preferences.tsx";
import { Title } from "../title.tsx";
import { EndedNote } from "./ended-note.tsx";

const lessons: readonly { chord: string; what: MessageKey; when: MessageKey }[] = [
  { chord: "$mod+k", what: "login.lesson.palette", when: "login.lesson.palette.when" },
  { chord: "g w", what: "login.lesson.withdrawals", when: "login.lesson.withdrawals.when" },
  { chord: "a", what: "login.lesson.approve", when: "login.lesson.approve.when" },
  { chord: "r", what: "login.lesson.reject", when: "login.lesson.reject.when" },
  { chord: "z", what: "login.lesson.undo", when: "login.lesson.undo.when" },
  { chord: "?", what: "login.lesson.help", when: "login.lesson.help.when" },
];

/** What stands around every step before the console: the first keys to know, and the one column the steps come in. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  const t = useText();
  return (
    <div className="lg">
      <Title screen={title} />
      <section className="lg-left" aria-label={t("shell.product")}>
        <Brand name={t("shell.product")} />
        <div className="lg-book">
          <h1>{t("login.motto")}</h1>
          <table>
            <tbody>
              {lessons.map(({ chord, what, when }) => (
                <tr key={what}>
                  <td>
                    <KeyCap chord={chord} />
                  </td>
                  <td>{t(what)}</td>
                  <td>{t(when)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Foot />
      </section>
      <main className="lg-right">
        <div className="lg-brand">
          <Brand name={t("shell.product")} />
        </div>
        <EndedNote />
        {children}
        <div className="lg-fx">
          <LanguageChoice />
          <span className="t3" aria-hidden="true">
            ·
          </span>
          <ThemeChoice />
        </div>
      </main>
    </div>
  );
}

const formats = createFormats(null);

function Foot() {
  const t = useText();
  const { time, link } = useApi();
  const online = useStore(link.store, (state) => state.online);
  useSecond();
  useEffect(() => {
    void link.probe();
    const timer = setInterval(() => void link.probe(), 15_000);
    return () => clearInterval(timer);
  }, [link]);
  return (
    <div className="lg-foot">
      <bdi>{formats.zoneText}</bdi>
      <bdi>{formats.time(time.now())}</bdi>
      <span className="end">
        <i className={online ? "dot" : "dot bad"} />
        {t(online ? "login.services-answer" : "login.services-silent")}
      </span>
    </div>
  );
}
