/** The text to learn. */
export const text = {
  'text.title': 'Text',
  'text.choose': 'Choose a text',
  'text.own': 'Your own',
  'text.label': 'The text to learn',
  'text.placeholder': 'Paste or type the text to learn, or drop a text file anywhere on this page.',
  'text.placeholder.touch': 'Paste or type the text to learn, or open a text file.',
  'text.open': 'Open a file…',
  'text.names': 'English names',
  'text.moby': 'Moby-Dick',
  'text.tang': 'Tang poems (Chinese)',
  'text.about.names': '8,403 English first names, one a line.',
  'text.about.moby': 'Moby-Dick by Herman Melville, chapters 1 to 35.',
  'text.about.tang': '1,225 Chinese quatrains of the Tang dynasty, one a line.',
  'text.loading': 'Loading…',
  'text.file': '{name}, {size}',
  'text.encoding': 'Encoding',
  'text.ends': '{count} {count|line end|line ends} ({names}) {count|was|were} converted.',
  'text.ends.undo': 'Undo',
  'text.ends.kept':
    '{count} {count|line end|line ends} ({names}) {count|is|are} kept as {count|it is|they are}.',
  'text.ends.convert': 'Convert',
  'text.leftOver':
    '{count} {count|byte|bytes} at the end {count|was|were} left over and {count|is|are} not part of the text.',
  'text.unreadable':
    '{count} {count|character|characters} cannot be read in this encoding and {count|appears|appear} as � in the text.',
  'text.preview':
    'This text is large, so only its beginning is shown and it cannot be edited here. All of it is used.',
  'text.documents': 'Read line by line: {count} {count|line|lines}.',
  'text.stream': 'Read as one continuous text (stream), line ends included.',
  'text.reads':
    '{steps} {steps|step covers|steps cover} the text about {readings} {readings|time|times}.',
  'text.reads.part': '{steps} {steps|step covers|steps cover} {share} of the text.',
  'text.reads.heldOut': '{share} is held out. {read}',
  'text.cut':
    '{documents} of these lines {documents|is|are} longer than the context (all that the model sees at once). The part beyond it ({tokens} {tokens|token|tokens}) and the {documents|end of the line|ends of the lines} are never learned. A longer context, or reading the text as one stream, would include them.',
  'text.cut.end':
    '{documents} of these lines {documents|fills|fill} the context completely: the {documents|end of the line is|ends of the lines are} never learned. A longer context would include {documents|it|them}.',
  'text.invalid':
    '{count} {count|byte is|bytes are} not valid UTF-8. {count|It is kept unchanged as a token of its own|They are kept unchanged as tokens of their own}.',
  'text.unheld':
    'Nothing is held out, so there is no validation loss: that share of the text, {tokens} {tokens|token|tokens}, does not fill a context of {context}. Choose a larger share or a shorter context, or add text.',
  'text.unheld.lines':
    'Nothing is held out, so there is no validation loss: a held-out share of {share} is less than one of the {lines} {lines|line|lines}. Choose a share of at least {least}, or add lines.',
  'text.unheld.line':
    'Nothing is held out, so there is no validation loss: the only line is needed for training. Add more lines.',
  'text.unkept': 'This browser cannot save this text. After a reload, open or paste it again.',
  'text.replaced': 'This is the text of the run that was opened.',
  'text.aside': 'An earlier text of your own is saved.',
  'text.replaced.back': 'Back to the previous text',
  'text.brought': 'The preset is now {preset}, which suits this text.',
  'text.brought.keep': 'Keep {preset}',
  'text.brought.back': 'The preset is {preset} again, as before with this text.',
  'text.brought.not':
    'Your changes to the settings are kept, although this text had the preset {preset}.',
  'text.brought.stays': 'Your changes to the settings are kept: {list}.',
  'text.suggest': 'This text suits the preset {preset} better.',
  'text.suggest.use': 'Use {preset}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly text: typeof text;
  }
}
