/** The card of generated texts. */
export const card = {
  'card.title': 'Share what it wrote',
  'card.lines': 'Choose up to three lines',
  'card.lines.none': 'Choose at least one line.',
  'card.from': 'What it learned from',
  'card.from.names': 'English first names',
  'card.from.moby': 'Moby-Dick',
  'card.from.tang': 'Chinese poems of the Tang dynasty',
  'card.from.own': 'a text of my own',
  'card.learned': 'Learned from {text}',
  'card.learned.step': 'Step {step}, learned from {text}',
  'card.model': 'A model of {count} {count|number|numbers}, grown from nothing in a browser tab',
  'card.model.opened': 'A model of {count} {count|number|numbers}, in a browser tab',
  'card.step': 'step {step}',
  'card.picture': 'The card as it will be shared. {text}',
  'card.share': 'Share',
  'card.save': 'Save the picture',
  'card.copy': 'Copy the text',
  'card.copy.by-hand': 'Copying is not allowed here. Save the picture instead.',
  'card.refused': 'Sharing was refused, so the picture was saved instead: {name}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly card: typeof card;
  }
}
