import { useMemo } from "react";
import { usePlace } from "../api/place.ts";
import { useApi, useFormats } from "../api/use-api.ts";
import type { Entity } from "../entity/entity.ts";
import { readPlace } from "../entity/filters.ts";
import { daysOf } from "./period.ts";
import type { Days } from "./period.ts";

export interface Asked {
  readonly days: Days;
  /** The period to compare with, where one was asked for. */
  readonly against: Days | null;
  /** Of one account or merchant. */
  readonly code: string | undefined;
  readonly today: string;
}

/** The period the address asks for, in days of the currency's zone. */
export function usePeriod(entity: Entity): Asked {
  const place = usePlace();
  const { time } = useApi();
  const { zone, day } = useFormats();
  const now = time.now();
  const today = day(now);
  const { filters } = readPlace(entity, place.search);
  const [typed, against, code] = [filters["day"] ?? "week", filters["against"], filters["code"]];
  return useMemo(() => {
    const at = Date.parse(`${today}T12:00:00Z`) - zone * 60_000;
    return {
      days: daysOf(typed, at, zone) ?? { from: today, to: today },
      against: against === undefined ? null : daysOf(against, at, zone),
      code,
      today,
    };
  }, [typed, against, code, today, zone]);
}
