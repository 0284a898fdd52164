import type { ContextState, ContextStore } from "../kit/commands/context-store.ts";
import { lentBy } from "../kit/commands/desks.ts";
import type { Kit } from "../kit/kit.ts";
import { sideOfPane } from "../kit/commands/side.ts";
import type { Side } from "../kit/commands/side.ts";

interface SideKit {
  readonly kit: Kit;
  /** Remembers the side's last focused pane, until it is stopped. */
  follow(): () => void;
}

/**
 * The kit for one side of the page: its buttons use the pane that last had the focus on that side, wherever the focus is now, and
 * its Esc steps wait until the focus is there.
 */
export function createSideKit(kit: Kit, side: Side): SideKit {
  let last: string | null = null;
  // panes of a side are named by usePane
  const isOurs = (id: string): boolean => sideOfPane(id) === side;

  function remember({ current, latest }: ContextState): void {
    const id = current ?? latest;
    if (id !== null && isOurs(id)) last = id;
  }

  const read: ContextStore["read"] = (options) => {
    const context = kit.context.read(options);
    if (options?.pane !== "latest") return context;
    const { panes, screens } = kit.context.getState();
    const ours = [...panes.values()].filter(({ id }) => isOurs(id));
    const pane = ours.find(({ id }) => id === last) ?? ours.find(({ grid }) => grid !== null) ?? ours[0] ?? null;
    return { ...context, screen: screens[side], pane, lent: lentBy([...panes.values()].filter(({ id }) => isOurs(id))) };
  };

  return {
    kit: {
      ...kit,
      context: { ...kit.context, read },
      ladder: {
        ...kit.ladder,
        register: (rung, step) => kit.ladder.register(rung, () => kit.context.getState().side === side && step()),
      },
      run(id, source) {
        void kit.registry.run(id, source, { ...read({ pane: "latest" }), dialog: null }).then(kit.keepFocus);
      },
    },
    follow() {
      remember(kit.context.getState());
      return kit.context.subscribe(() => remember(kit.context.getState()));
    },
  };
}
