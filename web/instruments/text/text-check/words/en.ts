/** The text check. */
export const textCheck = {
  'text-check.title': 'Check the text',
  'text-check.busy': 'Checking the text…',
  'text-check.fine': 'Nothing to fix.',
  'text-check.count': 'Possible problems: {count}.',
  'text-check.partly': 'Only the first {count} {count|character was|characters were} checked.',
  'text-check.past': 'Fixed along with it:',
  'text-check.undo': 'Undo',
  'text-check.undo.one': 'Undo “{what}”',
  'text-check.example': '“{before}” → “{after}”',
  'text-check.example.gone': '“{before}” is removed',
  'text-check.lost':
    'Characters that were lost when the file was read: {count}. Choose another encoding, or get the text again.',
  'text-check.html':
    'This is the source of a web page: {count} {count|tag|tags}. The model would learn to write them. To learn only its words, copy them from the page as a browser shows it.',
  'text-check.hidden': 'Invisible characters: {count}. The model would learn to write them.',
  'text-check.pieces':
    'Letters stored in several pieces, such as letter and accent: {count}. The model would have to learn which pieces belong together.',
  'text-check.ligatures':
    'Letters printed as one sign, such as ﬁ for fi: {count}. The model would take them for other letters.',
  'text-check.stamps':
    'Messages with a date or time: {count}. The model would waste its effort on them. The names stay.',
  'text-check.pages':
    'Page numbers between the lines: {count}. The model would learn to write them in the middle of a sentence.',
  'text-check.hyphens':
    'Words broken by a hyphen at the end of a line: {count}. The model would learn to break words.',
  'text-check.breaks':
    'Lines that end with a hyphen: {count}. Words are joined only where the text shows that the hyphen is not part of the word.',
  'text-check.duplicates':
    'Lines that repeat an earlier one: {count}. They are learned more often than others.',
  'text-check.repeats':
    'Long lines that repeat an earlier one: {count}. They are learned more often than the rest.',
  'text-check.leak':
    'About {count} held-out {count|line is|lines are} also in the training text: the validation loss looks better than it is.',
  'text-check.fix.hidden': 'Remove invisible characters',
  'text-check.fix.pieces': 'Join the pieces',
  'text-check.fix.ligatures': 'Write separate letters',
  'text-check.fix.stamps': 'Remove dates and times',
  'text-check.fix.pages': 'Remove page numbers',
  'text-check.fix.hyphens': 'Join broken words',
  'text-check.fix.duplicates': 'Remove repeats',
} as const;

declare module '../../../../i18n/areas.ts' {
  interface LaterWords {
    readonly textCheck: typeof textCheck;
  }
}
