/** The check-up of the text. */
export const doctor = {
  'doctor.title': 'Check the text',
  'doctor.busy': 'Looking at the text…',
  'doctor.fine': 'Nothing to mend.',
  'doctor.count': 'Worth a look: {count}.',
  'doctor.partly': 'The text is long. Characters looked at, from its beginning: {count}.',
  'doctor.mended': 'Done: “{what}”.',
  'doctor.past': 'No longer so:',
  'doctor.idle':
    'The opened model only writes and learns nothing from this text, so the text is not checked.',
  'doctor.gone': 'This is no longer found.',
  'doctor.more': 'Which ones',
  'doctor.first': 'First “{=doctor.fix.garbled}”.',
  'doctor.undo.first': 'First undo “{what}”.',
  'doctor.undo': 'Undo',
  'doctor.undo.one': 'Undo “{what}”',
  'doctor.undo.all': 'Undo all',
  'doctor.size':
    'Characters: {characters}, {distinct} of them different, in {lines} {lines|line|lines}; line ends are counted.',
  'doctor.ratio.parameter': 'Tokens of text for each parameter: {count}.',
  'doctor.ratio.token': 'Parameters for each token of the text: {count}.',
  'doctor.readings': 'Readings of the text in this run: {readings}.',
  'doctor.recites':
    'The model will learn it by heart: more text, fewer steps or a smaller model would make it learn rules.',
  'doctor.expect':
    'To expect: a first loss of about {loss} nats per token (guessing among {vocab}), {memory} of memory, and about {time} for the whole run.',
  'doctor.expect.opened':
    'To expect: {memory} of memory, and about {time} for the {steps} {steps|step|steps} to come, which begin where the opened model stands.',
  'doctor.measured': 'The time is an estimate from the speed measured on this machine.',
  'doctor.guessed': 'The time is a rough guess until steps have been measured on this machine.',
  'doctor.rare':
    'Characters that occur only once or twice: {count}, such as {list}. Too seldom to be learned, and each takes a place in the vocabulary; bytes need none.',
  'doctor.rare.one': '{character} ({count})',
  'doctor.rare.replace': 'What “{=doctor.fix.rare}” would do: {list}.',
  'doctor.rare.plain': 'put a plainer character in place of {count}',
  'doctor.rare.dropped': 'leave {count} out',
  'doctor.rare.kept': 'keep {count}, which have no plainer form',
  'doctor.rare.pair': '{plain} for {character}',
  'doctor.rare.gone': 'Left out: {list}',
  'doctor.duplicates':
    'Lines that repeat an earlier one: {count}. They are learned more than others.',
  'doctor.repeats':
    'Long lines that repeat an earlier one: {count}. They are learned more than the rest.',
  'doctor.leak':
    'Of the lines held out for validation, {count} {count|stands|stand} in the part that is learned, too: the validation loss looks better than it is.',
  'doctor.leak.likely':
    'Of the lines held out for validation, about {count} {count|stands|stand} in the part that is learned, too: the validation loss looks better than it is.',
  'doctor.sorted':
    'The lines are in alphabetical order, and the end of the text is held out for validation: its beginnings of lines are never learned, and the validation loss looks worse than it is.',
  'doctor.garbled':
    'Characters that were garbled on the way here: {count}, such as {garbled} where {meant} was meant. The text was UTF-8, and a program took it for an older encoding.',
  'doctor.lost':
    'Characters that were lost before the text came here: {count}. {sign} stands in the place of each. Nothing can bring them back; another copy of the text may still have them.',
  'doctor.space':
    'Tabs, odd or invisible blanks, blanks at the ends of lines or beside Chinese punctuation, doubled blanks, more than one empty line in a row: {count} {count|place|places}. The model would learn them too.',
  'doctor.ends': 'Two kinds of line ends are mixed: {other} of one and {lines} of the other.',
  'doctor.markup': 'Left-overs of a web page, such as tags: {count}.',
  'doctor.long': 'Lines far longer than the others: {count}. Length of the longest: {longest}.',
  'doctor.single': 'Lines of a single character: {count}.',
  'doctor.cut': 'Lines longer than the context: {count}. Their ends are never learned.',
  'doctor.short': 'Too few tokens for this context: the text has {tokens}.',
  'doctor.shape.list':
    'The text is a list of short lines. Read line by line, the model learns how a line begins and ends.',
  'doctor.shape.prose':
    'The text is prose with long lines. Read as one stream, none of it is cut off.',
  'doctor.fix.rare': 'Replace them',
  'doctor.fix.bytes': 'Use bytes as tokens',
  'doctor.fix.duplicates': 'Remove repeats',
  'doctor.fix.repeats': '{=doctor.fix.duplicates}',
  'doctor.fix.sorted': 'Shuffle the lines',
  'doctor.fix.garbled': 'Bring the characters back',
  'doctor.fix.space': 'Tidy blanks',
  'doctor.fix.markup': 'Take them out',
  'doctor.fix.context': 'Context of {context}',
  'doctor.fix.share': 'Held-out share of {share}',
  'doctor.fix.hold': 'Hold back a tenth, to see it',
} as const;
