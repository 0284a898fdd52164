import { CommandButton } from "../../kit/look/command-button.tsx";
import { useText } from "../../kit/texts/texts.ts";

/** What is done with an account's money, as its commands are called. */
export const balanceActs = ["transfer", "manual-transfer", "hold", "release", "clear-balance"] as const;
/** What is done with the key its bank's notices are signed with. */
export const noticeActs = ["reset-notice-key", "revoke-notice-key"] as const;

export function BalanceActs() {
  const t = useText();
  return (
    <p className="section-acts">
      {balanceActs.map((act) => (
        <CommandButton key={act} id={`payment-account.${act}`} {...(act === "clear-balance" && { look: "no" })}>
          {t(`payment-account.acts.${act}`)}
        </CommandButton>
      ))}
    </p>
  );
}

export function NoticeActs() {
  return (
    <p className="section-acts">
      {noticeActs.map((act) => (
        <CommandButton key={act} id={`payment-account.${act}`} {...(act === "revoke-notice-key" && { look: "no" })} />
      ))}
    </p>
  );
}
