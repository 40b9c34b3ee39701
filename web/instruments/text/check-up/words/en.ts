/** The check-up of the text. */
export const doctor = {
  'doctor.title': 'Check the text',
  'doctor.busy': 'Looking at the text…',
  'doctor.fine': 'Nothing to fix.',
  'doctor.fine.count': '{count} {count|thing looks|things look} fine',
  'doctor.fine.lost': 'No character was lost when the text was read.',
  'doctor.fine.letters': 'No character is hidden, and no letter is in more pieces than necessary.',
  'doctor.fine.duplicates': 'No line repeats an earlier one.',
  'doctor.fine.repeats': 'No long line repeats an earlier one.',
  'doctor.fine.rare': 'Every character occurs at least three times.',
  'doctor.count': 'Worth a look: {count}.',
  'doctor.partly': 'The text is long. Characters checked, from its beginning: {count}.',
  'doctor.mended': 'Done: “{what}”.',
  'doctor.past': 'No longer true:',
  'doctor.idle':
    'The opened model only writes and learns nothing from this text, so the text is not checked.',
  'doctor.overtaken':
    'The text has been changed by hand since, so remedies of the text can no longer be undone.',
  'doctor.gone': 'This is no longer there.',
  'doctor.more': 'More about it',
  'doctor.undo': 'Undo',
  'doctor.undo.one': 'Undo “{what}”',
  'doctor.undo.all': 'Undo all',
  'doctor.example': '“{before}” → “{after}”',
  'doctor.example.gone': '“{before}” is removed',
  'doctor.size':
    'Characters: {characters}, {distinct} of them different, in {lines} {lines|line|lines}; line ends are counted.',
  'doctor.size.documents':
    'Characters: {characters}, {distinct} of them different, in {lines} {lines|line|lines}; line ends only separate the lines and are not read.',
  'doctor.ratio.parameter': 'Tokens of text per parameter: {count}.',
  'doctor.ratio.token': 'Parameters per token of text: {count}.',
  'doctor.readings': 'Times the text is read in this run: {readings}.',
  'doctor.recites': 'The model will learn the text by heart.',
  'doctor.recites.why': 'More text, fewer steps or a smaller model would make it learn rules.',
  'doctor.expect':
    'Expect a first loss of about {loss} nats per token (guessing among {vocab}), {memory} of memory, and about {time} for the whole run.',
  'doctor.expect.opened':
    'Expect {memory} of memory, and about {time} for the {steps} {steps|step|steps} to come, which begin where the opened model stands.',
  'doctor.measured': 'The time is an estimate from the speed measured on this machine.',
  'doctor.guessed': 'The time is a rough guess until steps have been measured on this machine.',
  'doctor.rare': 'Characters that occur only once or twice: {count}, such as {list}.',
  'doctor.rare.why':
    'Too rare to be learned, and each takes a place in the vocabulary; as bytes they need none.',
  'doctor.rare.one': '{character} ({count})',
  'doctor.duplicates': 'Lines that repeat an earlier one: {count}.',
  'doctor.duplicates.why': 'They are learned more often than others.',
  'doctor.repeats': 'Long lines that repeat an earlier one: {count}.',
  'doctor.repeats.why': 'They are learned more often than the rest.',
  'doctor.leak':
    'Of the lines held out for validation, {count} {count|stands|stand} in the part that is learned, too: the validation loss looks better than it is.',
  'doctor.leak.likely':
    'Of the lines held out for validation, about {count} {count|stands|stand} in the part that is learned, too: the validation loss looks better than it is.',
  'doctor.lost': 'Characters that were lost when the file was read: {count}.',
  'doctor.lost.why':
    '{sign} stands in the place of each. Choose another encoding for the file, or get the text again.',
  'doctor.hidden': 'Invisible characters: {count}, such as {example}.',
  'doctor.hidden.why':
    'Colours of a terminal, marks of direction where all letters go one way, joiners that join nothing, signs without width, or hyphens that only show where a line is broken. Programs leave them behind, and the model would learn to write them.',
  'doctor.pieces': 'Letters in more pieces than necessary: {count}, such as {example}.',
  'doctor.pieces.why':
    'A letter and its marks, or the parts of a syllable, are characters of their own here, which cannot be seen. The model would have to learn that they belong together.',
  'doctor.pieces.both':
    'The text has them in fewer, too. They look alike, but the model would take them for different letters.',
  'doctor.stamps': 'Messages with a date or time: {count}.',
  'doctor.stamps.why':
    'They look alike in every line, and the model would waste its effort on them. The names stay.',
  'doctor.fix.rare': 'Use plain quotes and spaces',
  'doctor.fix.bytes': 'Use bytes as tokens',
  'doctor.fix.duplicates': 'Remove repeats',
  'doctor.fix.hidden': 'Remove the invisible ones',
  'doctor.fix.pieces': 'Put them together',
  'doctor.fix.stamps': 'Remove dates and times',
} as const;
