import { createStore } from "zustand/vanilla";

interface SoundState {
  readonly on: boolean;
  /** The browser plays no sound before the first key or click. */
  readonly blocked: boolean;
}

/** Specification, point 9. */
const volume = 0.1;
/** ms between two alerts, so that a burst is one alert. */
const alertInterval = 5_000;
/** ms after which a tab that may not play checks whether it has been used meanwhile. */
const retryAfter = 1_000;

/** The alert tone. Of several tabs with one tenant and currency only the one that holds the lock plays. */
export function createSound(remembered: { read(): boolean; write(on: boolean): void }) {
  const store = createStore<SoundState>(() => ({ on: remembered.read(), blocked: false }));
  let audio: AudioContext | null = null;
  let leads = false;
  let stepDown: (() => void) | null = null;
  let group: string | null = null;
  let playedAt = -Infinity;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const isBlocked = () => navigator.userActivation?.hasBeenActive === false;

  /** Takes the lead. The first AudioContext blocks the page for 60 ms, so it is made when the page is idle. */
  function lead(): void {
    leads = true;
    if (!store.getState().on) return;
    const whenQuiet = "requestIdleCallback" in globalThis ? requestIdleCallback : setTimeout;
    whenQuiet(() => {
      if (audio !== null) return;
      try {
        audio = new AudioContext();
        void audio.suspend().catch(() => {}); // silent until the first alert
      } catch {
        // without audio the first alert fails, and reports that sound is blocked
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

  /** Requests the lead of the group; a tab that may not play leaves it to others and tries again later. */
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
      lead(); // plain http has no locks, so the tabs cannot agree
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
      .catch(() => {}); // aborted before the lock was granted
  }

  // another tab has turned the sound on or off
  if ("addEventListener" in globalThis) globalThis.addEventListener("storage", () => store.setState({ on: remembered.read() }));

  return {
    store,
    /** One tab of each group (tenant and currency) leads; null when signed out. */
    follow(next: string | null): void {
      if (next === group) return;
      stepDown?.();
      stepDown = null;
      leads = false;
      group = next;
      requestLead();
    },
    /** Plays the tone, because a count went up. */
    alert(now = performance.now()): void {
      if (!leads || !store.getState().on || now - playedAt < alertInterval) return;
      playedAt = now;
      playSafely();
    },
    /** Unblocks a blocked sound, else turns it on or off. */
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
    /** Checks after a key or click whether the sound may play now. */
    recheck(): void {
      if (!store.getState().blocked || isBlocked()) return;
      store.setState({ blocked: false });
      requestLead();
    },
  };
}
