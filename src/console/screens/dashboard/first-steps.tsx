import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { FirstStep, FirstSteps } from "../../../contract/first-steps.ts";
import { currencyRoutes } from "../../../contract/currencies.ts";
import { tenantMerchantRoutes } from "../../../contract/merchants.ts";
import { paymentAccountRoutes } from "../../../contract/payment-accounts.ts";
import { paymentGroupRoutes } from "../../../contract/payment-groups.ts";
import type { Permission } from "../../../contract/permissions.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import { userRoutes } from "../../../contract/users.ts";
import { useSignedIn } from "../../api/use-api.ts";
import type { PaneState } from "../../kit/commands/context.ts";
import type { StepsDesk } from "../../kit/commands/desks.ts";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import type { IconName } from "../../kit/look/icon.tsx";
import { Pane } from "../../kit/panes/panes.tsx";
import { usePane, withoutRows } from "../../kit/panes/use-pane.ts";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { sentBy } from "../../lists/sent-here.ts";
import type { FirstStepsNow } from "./use-first-steps.ts";
import "./first-steps.css";

const paneScopes: PaneState["scopes"] = ["pane"];

interface Way {
  readonly screen: ScreenName;
  readonly permission: Permission | readonly [Permission, ...Permission[]];
  readonly icon: IconName;
  readonly search?: Readonly<Record<string, string>>;
}

/** Where each step is done, and by which right. */
const ways: Readonly<Record<FirstStep, Way>> = {
  currency: {
    screen: "setting",
    search: { section: "currencies" },
    permission: currencyRoutes.addCurrency.permission,
    icon: "flow",
  },
  account: { screen: "payment-accounts", permission: paymentAccountRoutes.createPaymentAccount.permission, icon: "account" },
  merchant: { screen: "merchants", permission: tenantMerchantRoutes.createMerchant.permission, icon: "store" },
  group: { screen: "payment-groups", permission: paymentGroupRoutes.createPaymentGroup.permission, icon: "groups" },
  colleague: { screen: "users", permission: userRoutes.lookUpUser.permission, icon: "users" },
};

const marks = { open: "pending", done: "tick", skipped: "muted" } as const satisfies Record<FirstSteps["steps"][number]["state"], IconName>;

/** Leads whoever sets a tenant up through what it needs before its first payment, in place of a dashboard that has nothing to show yet. */
export function FirstStepsBoard({ now, first }: { now: FirstStepsNow; first: FirstSteps }) {
  const t = useText();
  const { keys, services } = useKit();
  const { context, tenant } = useSignedIn();
  const { steps } = first;
  const ref = useRef<HTMLElement>(null);
  const may = (step: FirstStep) => isAllowed(context.permissions, ways[step].permission);
  const next = steps.findIndex(({ step, state }) => state === "open" && may(step));
  const done = steps.filter(({ state }) => state === "done").length;
  const buttons = () => [...(ref.current?.querySelectorAll<HTMLElement>(".first-step") ?? [])];

  const begin = (at: number) => {
    const step = steps[at]?.step;
    if (step === undefined || !may(step)) return;
    const { screen, search } = ways[step];
    now.forget();
    services.go(screen, { search: { ...search, ...sentBy("dashboard") } });
  };
  const under = () => Math.max(0, buttons().indexOf(document.activeElement as HTMLElement)); // −1 where none has the focus
  const drawn = useRef({ now, steps, next, begin });
  useLayoutEffect(() => {
    drawn.current = { now, steps, next, begin };
  });
  const desk = useMemo(
    (): StepsDesk => ({
      refusal: () => (drawn.current.next < 0 ? "first-steps.refuse.none-left" : null),
      begin: () => drawn.current.begin(drawn.current.next),
      skipRefusal: () => (drawn.current.steps[under()]?.state === "done" ? "first-steps.refuse.done" : null),
      async skip() {
        const at = under();
        const one = drawn.current.steps[at];
        if (one === undefined) return;
        const isSkipped = one.state !== "skipped";
        if (!(await drawn.current.now.change({ skipped: { [one.step]: isSkipped } }))) return;
        if (isSkipped) buttons()[Math.min(at + 1, drawn.current.steps.length - 1)]?.focus();
      },
      later: () => drawn.current.now.show(false),
      async putAway() {
        if (!(await drawn.current.now.change({ open: false, skipped: {} }))) return false;
        drawn.current.now.show(false);
        return true;
      },
    }),
    [],
  );
  usePane(ref, {
    id: "dashboard.first-steps",
    scopes: paneScopes,
    ...withoutRows,
    steps: desk,
  });

  // the page begins at the next step, unless the operator has moved the focus meanwhile
  const begun = useRef(next);
  useEffect(() => {
    if (document.activeElement === document.body) buttons()[Math.max(0, begun.current)]?.focus();
  }, []);
  useEffect(() => {
    if (ref.current === null) return undefined;
    const step = (by: number) => () => buttons()[Math.min(buttons().length - 1, Math.max(0, under() + by))]?.focus();
    return keys.claim(ref.current, { ArrowDown: step(1), ArrowUp: step(-1), j: step(1), k: step(-1) });
  }, [keys]);

  return (
    <div className="entity dashboard">
      <Pane name="list" innerRef={ref} className="board-pane first-steps" label={t("first-steps.title", { name: tenant.name })}>
        <div className="first-steps-body">
          <h2>{t("first-steps.title", { name: `\u2068${tenant.name}\u2069` })}</h2>
          <p className="t2">{t(next < 0 ? "first-steps.all-done" : "first-steps.about")}</p>
          <p className="label" role="status">
            {t("first-steps.count", { done, all: steps.length })}
          </p>
          <ol>
            {steps.map(({ step, state }, at) => (
              <li key={step}>
                <button
                  type="button"
                  className={`first-step ${state}`}
                  {...(at === Math.max(0, next) && { "data-pane-focus": "" })}
                  aria-current={at === next ? "step" : undefined}
                  aria-disabled={may(step) ? undefined : true}
                  onClick={() => begin(at)}
                >
                  <Icon name={ways[step].icon} />
                  <span className="what">
                    <b>{t(`first-steps.step.${step}`)}</b>
                    <span className="t2">{may(step) ? t(`first-steps.why.${step}`) : t("first-steps.no-right")}</span>
                  </span>
                  <span className="state">
                    <Icon name={marks[state]} size="s" />
                    {t(`first-steps.state.${state}`)}
                  </span>
                  <KeyCap chord="Enter" />
                </button>
              </li>
            ))}
          </ol>
          <div className="first-steps-acts">
            <CommandButton id="first-steps.next" look="go" />
            <CommandButton id="first-steps.skip" />
            <CommandButton id="first-steps.later" look="bare" />
            <CommandButton id="first-steps.put-away" look="bare" />
          </div>
        </div>
      </Pane>
    </div>
  );
}
