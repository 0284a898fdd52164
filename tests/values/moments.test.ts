import { describe, expect, test } from "vitest";
import type { MomentWord } from "../../src/values/moments.ts";
import { plainMoment, readMoment, spokenMoment } from "../../src/values/moments.ts";

/** 2026-11-21 02:30 in Kuala Lumpur, still the 20th in UTC. */
const now = Date.parse("2026-11-20T18:30:00.000Z");
const read = (text: string, zone = 480) => {
  const moment = readMoment(text, now, zone);
  return moment && [new Date(moment.from).toISOString(), new Date(moment.to).toISOString()];
};
const day = ["2026-11-19T16:00:00.000Z", "2026-11-20T16:00:00.000Z"];

describe("a time as it is written", () => {
  test("a day runs from midnight to midnight of the zone", () => {
    expect(read("2026-11-20")).toEqual(day);
    expect(read("2026-11-20", -210)).toEqual(["2026-11-20T03:30:00.000Z", "2026-11-21T03:30:00.000Z"]);
  });

  test("today, yesterday and tomorrow are the zone's, not the machine's", () => {
    expect(read(" Yesterday ")).toEqual(day);
    expect(read("today")?.[0]).toBe(day[1]);
    expect(read("tomorrow")).toEqual(["2026-11-21T16:00:00.000Z", "2026-11-22T16:00:00.000Z"]);
  });

  test("a clock time is a minute of its day, or of today", () => {
    const minute = ["2026-11-20T06:30:00.000Z", "2026-11-20T06:31:00.000Z"];
    expect(read("2026-11-20 14:30")).toEqual(minute);
    expect(read("2026-11-20T14:30")).toEqual(minute);
    expect(read("1:05")?.[0]).toBe("2026-11-20T17:05:00.000Z");
  });

  test("a time as the screen writes it is read, too", () => {
    expect(read("2026-11-20 02:30 PM")).toEqual(["2026-11-20T06:30:00.000Z", "2026-11-20T06:31:00.000Z"]);
    const hours = ["12:05 am", "11:05am", "12:05 PM", "11:05 PM"].map((clock) => read(`2026-11-21 ${clock}`)?.[0]?.slice(8, 16));
    expect(hours).toEqual(["20T16:05", "21T03:05", "21T04:05", "21T15:05"]);
    expect(["13:05 PM", "0:05 AM", "2026-11-20 PM", "2:30 xm"].map((wrong) => read(wrong))).toEqual([null, null, null, null]);
  });

  test("a span counts back from now", () => {
    expect(["-90s", "-30m", "-2h", "-1D", "-1w"].map((text) => read(text)?.[0])).toEqual([
      "2026-11-20T18:28:30.000Z",
      "2026-11-20T18:00:00.000Z",
      "2026-11-20T16:30:00.000Z",
      "2026-11-19T18:30:00.000Z",
      "2026-11-13T18:30:00.000Z",
    ]);
    // the longest limit of an age in settings: 10,080 minutes
    expect(read("-604800s")).toEqual(read("-1w"));
  });

  test("or on from now", () => {
    expect(["+30m", "+2h", "+1d"].map((text) => read(text)?.[0])).toEqual([
      "2026-11-20T19:00:00.000Z",
      "2026-11-20T20:30:00.000Z",
      "2026-11-21T18:30:00.000Z",
    ]);
  });

  test("an instant of UTC is itself", () => {
    expect(read("2026-11-20T06:30:00.250Z")).toEqual(["2026-11-20T06:30:00.250Z", "2026-11-20T06:30:00.251Z"]);
  });

  test.each(["", "soon", "2026-02-30", "2026-11-20 24:00", "14:60", "2026-13", "-h", "2h", "2026-11-20 ", "2026-02-30T00:00:00Z"])(
    "%j is %s",
    (text) => expect(read(text)).toEqual(text === "2026-11-20 " ? day : null),
  );

  test("beyond the years 1 to 9999, which no column holds, there is no time", () => {
    for (const text of ["9999-12-31T23:59:59.999Z", "0000-01-01", "0000-12-31T00:00:00Z"]) expect(read(text), text).toBeNull();
    expect(read("9999-12-30")).not.toBeNull();
  });
});

describe("a time in the reader's words", () => {
  const german = (word: MomentWord) =>
    ({ now: "jetzt", today: "heute", yesterday: "gestern", tomorrow: "morgen", week: "Woche", month: "Monat" })[word];

  test("is read as in English, which is understood as well", () => {
    expect(
      ["Heute", " gestern ", "jetzt", "today", "2026-11-20", "gestern..heute", "..jetzt"].map((typed) => plainMoment(typed, german)),
    ).toEqual(["today", "yesterday", "now", "today", "2026-11-20", "yesterday..today", "..now"]);
  });

  test("is shown in them again, whoever wrote it", () => {
    expect(["yesterday..today", "Now", "-2h", "2026-11-20.."].map((plain) => spokenMoment(plain, german))).toEqual([
      "gestern..heute",
      "jetzt",
      "-2h",
      "2026-11-20..",
    ]);
  });

  test("takes the apostrophe a keyboard has", () => {
    expect(plainMoment("aujourd'hui", () => "aujourd’hui")).toBe("now");
  });
});
