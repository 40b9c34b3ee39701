/** The check-up of the text. */
export const doctor = {
  'doctor.title': 'Check the text',
  'doctor.busy': 'Looking at the text…',
  'doctor.fine': 'Nothing to fix.',
  'doctor.count': 'Worth a look: {count}.',
  'doctor.partly': 'Only the first {count} {count|character was|characters were} checked.',
  'doctor.past': 'No longer true:',
  'doctor.undo': 'Undo',
  'doctor.undo.one': 'Undo “{what}”',
  'doctor.example': '“{before}” → “{after}”',
  'doctor.example.gone': '“{before}” is removed',
  'doctor.lost':
    'Characters that were lost when the file was read: {count}. Choose another encoding, or get the text again.',
  'doctor.html':
    'This is the source of a web page: {count} {count|tag|tags}. The model would learn to write them. To learn only its words, copy them from the page as a browser shows it.',
  'doctor.hidden': 'Invisible characters: {count}. The model would learn to write them.',
  'doctor.pieces':
    'Letters in more pieces than necessary: {count}. The model would have to learn which pieces belong together.',
  'doctor.ligatures':
    'Letters printed as one sign, such as ﬁ for fi: {count}. The model would take them for other letters.',
  'doctor.stamps':
    'Messages with a date or time: {count}. The model would waste its effort on them. The names stay.',
  'doctor.pages':
    'Page numbers between the lines: {count}. The model would learn to write them in the middle of a sentence.',
  'doctor.hyphens':
    'Words broken at the end of a line by a hyphen that is not part of them: {count}. The model would learn to break words.',
  'doctor.breaks':
    'Lines that end with a hyphen: {count}. Words are joined only where the text shows that the hyphen is not part of the word.',
  'doctor.duplicates':
    'Lines that repeat an earlier one: {count}. They are learned more often than others.',
  'doctor.repeats':
    'Long lines that repeat an earlier one: {count}. They are learned more often than the rest.',
  'doctor.leak':
    'About {count} held-out {count|line is|lines are} also in the part that is learned: the validation loss looks better than it is.',
  'doctor.fix.hidden': 'Remove the invisible ones',
  'doctor.fix.pieces': 'Put them together',
  'doctor.fix.ligatures': 'Write separate letters',
  'doctor.fix.stamps': 'Remove dates and times',
  'doctor.fix.pages': 'Remove page numbers',
  'doctor.fix.hyphens': 'Join broken words',
  'doctor.fix.duplicates': 'Remove repeats',
} as const;
