/** The settings that suit a text. Kinds and reasons have the names of c/fit/fit.h. */
export const fit = {
  'fit.title': 'Settings for this text',
  'fit.applied': 'Set for this text: {what}',
  'fit.offered': 'Other settings would suit this text better: {what}',
  'fit.same': 'The settings suit this text: {what}',
  'fit.undo': 'Undo',
  'fit.use': 'Use them',
  'fit.keep': 'Keep my settings',
  'fit.why': 'Why these settings',
  'fit.kind.chat':
    'a chat of {lines} {lines|line|lines}, learned as one text with the names of the speakers.',
  'fit.kind.code': 'program code, learned as one text with its line breaks.',
  'fit.kind.records': 'a table of {lines} {lines|row|rows}, each learned separately.',
  'fit.kind.list': 'a list of {lines} {lines|line|lines}, each learned separately.',
  'fit.kind.sentences': '{lines} unconnected {lines|line|lines}, each learned separately.',
  'fit.kind.verse': '{lines} short {lines|line|lines}, learned as one text.',
  'fit.kind.prose':
    'running text of {characters} {characters|character|characters}, learned as one text.',
  'fit.little': 'It is too short to learn much from.',
  'fit.byHeart': 'It is so short that the model will learn it by heart.',
  'fit.reason.lines':
    'Each of the {first} {first|line|lines} is a separate document; a context of {second} {second|token|tokens} holds at least 99 % of them.',
  'fit.reason.stream':
    'The lines belong together, so training cuts windows of {first} {first|token|tokens} out of the whole text.',
  'fit.reason.bytes': 'Nearly all characters are plain Latin letters: each byte is one token.',
  'fit.reason.characters':
    'The text has {first} different {first|character|characters}: each is one token.',
  'fit.reason.character-bytes':
    'The text has {first} different {first|character|characters}, too many to learn one by one: each is read as its bytes.',
  'fit.reason.held-out':
    '{first} % of the text is held out, to measure the model on text that it has not seen.',
  'fit.reason.all-new':
    'Nothing is held out: each line is read at most {first} {first|time|times}, so nearly every loss is measured on something new.',
  'fit.reason.too-short':
    'Nothing is held out: the text is too short for that (length {first}; at least {second} needed).',
  'fit.reason.stamps':
    'Some lines have dates and times, which the model would learn, too. You can remove them.',
  'fit.reason.by-heart':
    '{first} {first|step|steps} read the text about {second} {second|time|times}, until the model knows it by heart. The learning rate falls to zero meanwhile, and the last mistakes disappear.',
  'fit.reason.readings': '{first} {first|step|steps} read the text {second} {second|time|times}.',
} as const;

declare module '../../../../i18n/areas.ts' {
  interface LaterWords {
    readonly fit: typeof fit;
  }
}
