import { createStore } from "zustand/vanilla";

interface SoundState {
  readonly on: boolean;
  /** The browser plays nothing before the first key or click. */
  readonly blocked: boolean;
}

/** Specification, point 9. */
const volume = 0.1;
/** A burst is one alert. */
const alertInterval = 5_000;
/** ms after which a tab that may not play looks whether it was used meanwhile. */
const retryAfter = 1_000;

/** The alert tone. Of several tabs on one tenant's currency the one that holds the lock plays. */
export function createSound(remembered: { read(): boolean; write(on: boolean): void }) {
  const store = createStore<SoundState>(() => ({ on: remembered.read(), blocked: false }));
  let audio: AudioContext | null = null;
  let leads = false;
  let stepDown: (() => void) | null = null;
  let group: string | null = null;
  let playedAt = -Infinity;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const isBlocked = () => navigator.userActivation?.hasBeenActive === false;

  /** Takes the lead. The first context holds the page up for 60 ms, so it is begun in a quiet moment and not by the first alert. */
  function lead(): void {
    leads = true;
    if (!store.getState().on) return;
    const whenQuiet = "requestIdleCallback" in globalThis ? requestIdleCallback : setTimeout;
    whenQuiet(() => {
      if (audio !== null) return;
      try {
        audio = new AudioContext();
        void audio.suspend().catch(() => {}); // silent till the first alert
      } catch {
        // where there is none the first alert finds so, and says it is blocked
      }
    });
  }

  async function play(): Promise<void> {
    audio ??= new AudioContext();
    if (audio.state !== "running") await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, 200))]);
    if (audio.state !== "running") {
      store.setState({ blocked: true });
      return;
    }
    store.setState({ blocked: false });
    const loudness = audio.createGain();
    loudness.connect(audio.destination);
    const at = audio.currentTime;
    // two short notes, a fifth apart, with soft edges
    for (const [n, pitch] of [880, 1318.5].entries()) {
      const start = at + n * 0.13;
      loudness.gain.setValueAtTime(0, start);
      loudness.gain.linearRampToValueAtTime(volume, start + 0.01);
      loudness.gain.linearRampToValueAtTime(0, start + 0.12);
      const note = audio.createOscillator();
      note.frequency.value = pitch;
      note.connect(loudness);
      note.start(start);
      note.stop(start + 0.12);
    }
  }

  const playSafely = () => void play().catch(() => store.setState({ blocked: true }));

  /** Stands for the lead of its group; a tab the browser lets play nothing leaves it to one that may, and looks again. */
  function requestLead(): void {
    clearTimeout(waiting);
    if (group === null || leads || stepDown !== null) return;
    if (isBlocked()) {
      store.setState({ blocked: true });
      waiting = setTimeout(requestLead, retryAfter);
      return;
    }
    store.setState({ blocked: false });
    if (!("locks" in navigator)) {
      lead(); // plain http: no way to agree with the other tabs
      return;
    }
    const requested = group;
    const leaving = new AbortController();
    const held = new Promise<void>((resolve) => {
      stepDown = () => {
        leaving.abort();
        resolve();
      };
    });
    navigator.locks
      .request(`countinghouse.sound.${requested}`, { signal: leaving.signal }, () => {
        if (group === requested) lead();
        return held;
      })
      .catch(() => {}); // left before its turn came
  }

  // turned on or off in another tab
  if ("addEventListener" in globalThis) globalThis.addEventListener("storage", () => store.setState({ on: remembered.read() }));

  return {
    store,
    /** One tab of each group (a tenant's currency) leads; null when signed out. */
    follow(next: string | null): void {
      if (next === group) return;
      stepDown?.();
      stepDown = null;
      leads = false;
      group = next;
      requestLead();
    },
    /** A count went up. */
    alert(now = performance.now()): void {
      if (!leads || !store.getState().on || now - playedAt < alertInterval) return;
      playedAt = now;
      playSafely();
    },
    /** Frees a blocked sound, else turns it on or off. */
    toggle(): void {
      const { on, blocked } = store.getState();
      if (on && blocked) {
        requestLead();
        return playSafely();
      }
      store.setState({ on: !on });
      remembered.write(!on);
      if (!on) playSafely();
    },
    /** A key or click since then may have freed it. */
    recheck(): void {
      if (!store.getState().blocked || isBlocked()) return;
      store.setState({ blocked: false });
      requestLead();
    },
  };
}
