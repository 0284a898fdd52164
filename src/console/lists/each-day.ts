import { eachSecond } from "../kit/loading/seconds.ts";

const day = 86_400_000;
/** ms the server's clock may be behind what is known of it here: it must be in the new day, too. */
const grace = 2_000;

/**
 * Calls `act` each time another day has begun by the server's clock `now`, in the zone `zoneMinutes` east of UTC, because no event tells of
 * that; after a sleep of the machine as soon as it wakes. Returns the function that ends it.
 */
export function eachDay(now: () => number, zoneMinutes: number, act: () => void): () => void {
  const present = () => Math.floor((now() - grace + zoneMinutes * 60_000) / day);
  let last = present();
  return eachSecond(() => {
    const today = present();
    if (today === last) return;
    last = today;
    act();
  });
}
