/** The greeting for readers of a link with lines of a card. */
export const gift = {
  'gift.title': 'Somebody sent you this',
  'gift.wrote': 'A model that learned the text on this page wrote:',
  'gift.start':
    'Press {=run.start}: a new model learns the text from nothing, and after {steps} {steps|step|steps} it writes these very lines.',
  'gift.same':
    'There they are, to the letter: the same text, settings and seed give the same result on every machine.',
  'gift.other': 'This run wrote other lines: its text or settings differ from the link.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly gift: typeof gift;
  }
}
