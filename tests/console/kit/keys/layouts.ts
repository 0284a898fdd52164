/** Eight keyboard layouts from the X keyboard data: what each key types, plain and with Shift. */

const codes = [
  "Digit1",
  "Digit2",
  "Digit3",
  "Digit4",
  "Digit5",
  "Digit6",
  "Digit7",
  "Digit8",
  "Digit9",
  "Digit0",
  "Minus",
  "KeyQ",
  "KeyW",
  "KeyE",
  "KeyR",
  "KeyT",
  "KeyY",
  "KeyU",
  "KeyI",
  "KeyO",
  "KeyP",
  "KeyA",
  "KeyS",
  "KeyD",
  "KeyF",
  "KeyG",
  "KeyH",
  "KeyJ",
  "KeyK",
  "KeyL",
  "Semicolon",
  "Backslash",
  "KeyZ",
  "KeyX",
  "KeyC",
  "KeyV",
  "KeyB",
  "KeyN",
  "KeyM",
  "Comma",
  "Period",
  "Slash",
] as const;

const rows: Readonly<Record<string, readonly [plain: string, shifted: string]>> = {
  us: [
    "1 2 3 4 5 6 7 8 9 0 - q w e r t y u i o p a s d f g h j k l ; \\ z x c v b n m , . /",
    "! @ # $ % ^ & * ( ) _ Q W E R T Y U I O P A S D F G H J K L : | Z X C V B N M < > ?",
  ],
  de: [
    "1 2 3 4 5 6 7 8 9 0 ß q w e r t z u i o p a s d f g h j k l ö # y x c v b n m , . -",
    "! \" § $ % & / ( ) = ? Q W E R T Z U I O P A S D F G H J K L Ö ' Y X C V B N M ; : _",
  ],
  fr: [
    "& é \" ' ( - è _ ç à ) a z e r t y u i o p q s d f g h j k l m * w x c v b n , ; : !",
    "1 2 3 4 5 6 7 8 9 0 ° A Z E R T Y U I O P Q S D F G H J K L M µ W X C V B N ? . / §",
  ],
  it: [
    "1 2 3 4 5 6 7 8 9 0 ' q w e r t y u i o p a s d f g h j k l ò ù z x c v b n m , . -",
    '! " £ $ % & / ( ) = ? Q W E R T Y U I O P A S D F G H J K L ç § Z X C V B N M ; : _',
  ],
  es: [
    "1 2 3 4 5 6 7 8 9 0 ' q w e r t y u i o p a s d f g h j k l ñ ç z x c v b n m , . -",
    '! " · $ % & / ( ) = ? Q W E R T Y U I O P A S D F G H J K L Ñ Ç Z X C V B N M ; : _',
  ],
  ru: [
    "1 2 3 4 5 6 7 8 9 0 - й ц у к е н г ш щ з ф ы в а п р о л д ж \\ я ч с м и т ь б ю .",
    '! " № ; % : ? * ( ) _ Й Ц У К Е Н Г Ш Щ З Ф Ы В А П Р О Л Д Ж / Я Ч С М И Т Ь Б Ю ,',
  ],
  ar: [
    "1 2 3 4 5 6 7 8 9 0 - ض ص ث ق ف غ ع ه خ ح ش س ي ب ل ا ت ن م ك \\ ئ ء ؤ ر لا ى ة و ز ظ",
    "! @ # $ % ^ & * ) ( _ َ ً ُ ٌ لإ إ ` ÷ × ؛ ِ ٍ ] [ لأ أ ـ ، / : | ~ ْ } { لآ آ ’ , . ؟",
  ],
  zh: [
    "1 2 3 4 5 6 7 8 9 0 - q w e r t y u i o p a s d f g h j k l ； 、 z x c v b n m ， 。 /",
    "! @ # ¥ % … & * （ ） — Q W E R T Y U I O P A S D F G H J K L ： | Z X C V B N M 《 》 ？",
  ],
};

export const layouts = Object.keys(rows);

export interface Written {
  readonly code: string;
  readonly key: string;
  readonly shift: boolean;
}

const latinLetter = (letter: string): boolean => /^[a-z]$/.test(letter);

/** Every key of a layout, plain and with Shift. */
export function keysOf(layout: string): Written[] {
  const [plain, shifted] = rows[layout] ?? ["", ""];
  const write = (text: string, shift: boolean): Written[] => text.split(" ").map((key, at) => ({ code: codes[at] ?? "", key, shift }));
  return [...write(plain, false), ...write(shifted, true)];
}

/** The key that a user of this layout presses for a letter on the cap (every cap has Latin letters), a digit or a sign. */
export function keyFor(layout: string, wanted: string, shift: boolean): Written {
  const keys = keysOf(layout);
  const hasLatin = keys.some(({ key }) => key === "q");
  const found =
    latinLetter(wanted) && !hasLatin
      ? keys.find((key) => key.code === `Key${wanted.toUpperCase()}` && key.shift === shift)
      : latinLetter(wanted)
        ? keys.find((key) => key.key.toLowerCase() === wanted && key.shift === shift)
        : /^\d$/.test(wanted)
          ? keys.find((key) => key.code === `Digit${wanted}` && !key.shift)
          : (keys.find(({ key }) => key === wanted) ?? keys.find(({ key }) => twinsOf[wanted]?.includes(key)));
  if (found === undefined) throw new Error(`${layout} cannot write ${wanted}`);
  return found;
}

const twinsOf: Readonly<Record<string, readonly string[]>> = { "?": ["؟", "？"], ".": ["。"], "/": ["、"] };
