/** Deterministic texts in several alphabets, made from word lists. */

const WORDS = {
  Russian:
    'дом река небо вода человек город зима лето книга слово рука ветер дорога ночь утро хлеб снег поле лес море',
  Ukrainian:
    'хата річка небо вода людина місто зима літо книга слово рука вітер дорога ніч ранок хліб сніг поле ліс їжак',
  Greek:
    'σπίτι ποτάμι ουρανός νερό άνθρωπος πόλη χειμώνας βιβλίο λόγος χέρι άνεμος δρόμος νύχτα πρωί ψωμί χιόνι δάσος θάλασσα',
  Arabic:
    'بيت نهر سماء ماء إنسان مدينة شتاء صيف كتاب كلمة يد ريح طريق ليل صباح خبز ثلج حقل غابة بحر',
  Hebrew: 'בית נהר שמים מים אדם עיר חורף קיץ ספר מילה יד רוח דרך לילה בוקר לחם שלג שדה יער ים',
  Korean:
    '집은 강이 하늘 물을 사람 도시 겨울 여름 책을 말이 손에 바람 길을 밤에 아침 빵을 눈이 들판 숲에 바다',
  Japanese:
    '家は 川が 空を 水の ひと まち 冬に 夏も 本を ことば 手に 風が 道は よる あさ パン 雪の 野を 森へ 海に',
  Hindi: 'घर नदी आकाश पानी मनुष्य नगर सर्दी गर्मी किताब शब्द हाथ हवा रास्ता रात सुबह रोटी बर्फ खेत जंगल समुद्र',
} as const;

export type Language = keyof typeof WORDS;

/** A fixed sequence of integers below `limit`: Lehmer's generator with 48271. */
export function* wholeNumbers(limit: number): Generator<number, never> {
  for (let state = 1; ; state = (state * 48271) % 2147483647) yield state % limit;
}

/** Sentences of `length` characters: each word has four possible successors. */
export function sentencesIn(language: Language, length: number): string {
  const words = WORDS[language].split(' ');
  const numbers = wholeNumbers(40);
  let [text, at] = ['', 0];
  while (text.length < length) {
    const number = numbers.next().value;
    at = (at * 3 + (number % 4)) % words.length;
    text += `${words[at] ?? ''}${number < 6 ? '.\n' : ' '}`;
  }
  return text.slice(0, length);
}

/** Random letters. */
export function randomLetters(length: number): string {
  const numbers = wholeNumbers(27);
  const letter = (): string => 'abcdefghijklmnopqrstuvwxyz '[numbers.next().value] ?? '';
  return Array.from({ length }, letter).join('');
}
