import { plainWords } from "./headers.ts";

const words: Readonly<Record<"credit" | "debit", string>> = {
  credit:
    "c|cr|credit|credited|deposit|in|incoming|received|k|kredit|h|haben|gutschrift|crédit|abono|haber|crédito|ingreso|avere|accredito|entrata|кредит|приход|зачисление|" +
    "поступление|贷|贷方|收入|收|转入|存入|دائن|إيداع|إضافة|masuk|có|ghi có|thu|เครดิต|ฝาก|เงินเข้า|รับโอน",
  debit:
    "d|dr|db|debit|debited|withdrawal|out|outgoing|sent|s|soll|lastschrift|belastung|débit|cargo|debe|débito|retiro|dare|addebito|uscita|дебет|расход|списание|" +
    "借|借方|支出|支|付|转出|取款|مدين|سحب|خصم|debet|keluar|nợ|ghi nợ|chi|เดบิต|ถอน|เงินออก|โอนออก",
};

const known: ReadonlyMap<string, "credit" | "debit"> = new Map(
  (["credit", "debit"] as const).flatMap((side) =>
    words[side].split("|").map((word): [string, "credit" | "debit"] => [plainWords(word), side]),
  ),
);

/** The direction a word, a letter or a sign beside an amount names; null: none. */
export function directionOf(word: string): "credit" | "debit" | null {
  const bare = word.trim();
  if (bare === "+") return "credit";
  if (/^[-−]$/.test(bare)) return "debit";
  const first = plainWords(bare);
  return known.get(first) ?? known.get(first.split(" ")[0] ?? "") ?? null;
}
