/** The check-up of the text. */
export const doctor = {
  'doctor.title': 'Check the text',
  'doctor.busy': 'Looking at the text…',
  'doctor.fine': 'Nothing to fix.',
  'doctor.fine.count': '{count} {count|thing looks|things look} fine',
  'doctor.fine.signs': 'No sign of garbled or lost characters was found.',
  'doctor.fine.letters': 'No character is hidden, and no letter is in more pieces than necessary.',
  'doctor.fine.markup': 'Nothing is left over from a web page.',
  'doctor.fine.space': 'Spaces and line ends are tidy.',
  'doctor.fine.width': 'Chinese punctuation marks are of one width.',
  'doctor.fine.duplicates': 'No line repeats an earlier one.',
  'doctor.fine.repeats': 'No long line repeats an earlier one.',
  'doctor.fine.rare': 'Every character occurs at least three times.',
  'doctor.fine.cut': 'Every line fits into the context.',
  'doctor.fine.shape': 'The text is read in a way that suits its lines.',
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
  'doctor.first': 'First “{what}”.',
  'doctor.undo.first': 'First undo “{what}”.',
  'doctor.undo': 'Undo',
  'doctor.undo.one': 'Undo “{what}”',
  'doctor.undo.all': 'Undo all',
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
  'doctor.rare.replace': 'What “{=doctor.fix.rare}” would do: {list}.',
  'doctor.rare.plain': 'put a plainer character in place of {count}',
  'doctor.rare.dropped': 'leave {count} out',
  'doctor.rare.kept': 'keep {count}, which have no plainer form that is common here',
  'doctor.rare.pair': '{plain} for {character}',
  'doctor.rare.gone': 'Left out: {list}',
  'doctor.duplicates': 'Lines that repeat an earlier one: {count}.',
  'doctor.duplicates.why': 'They are learned more often than others.',
  'doctor.repeats': 'Long lines that repeat an earlier one: {count}.',
  'doctor.repeats.why': 'They are learned more often than the rest.',
  'doctor.leak':
    'Of the lines held out for validation, {count} {count|stands|stand} in the part that is learned, too: the validation loss looks better than it is.',
  'doctor.leak.likely':
    'Of the lines held out for validation, about {count} {count|stands|stand} in the part that is learned, too: the validation loss looks better than it is.',
  'doctor.sorted':
    'The lines are in alphabetical order, and the end of the text is held out for validation.',
  'doctor.sorted.why':
    'Its beginnings of lines are never learned, and the validation loss looks worse than it is.',
  'doctor.garbled': 'Garbled characters: {count}, such as {garbled} where {meant} was meant.',
  'doctor.garbled.why': 'A program along the way read the text in the wrong encoding.',
  'doctor.lost': 'Characters that were lost before the text came here: {count}.',
  'doctor.lost.why':
    '{sign} stands in the place of each. Nothing can bring them back; another copy of the text may still have them.',
  'doctor.bytes': 'Some bytes of the text are not UTF-8, and show as �.',
  'doctor.bytes.why':
    'They are learned as they are. If they should be letters, save the text as UTF-8 in the program that it comes from, and open it again.',
  'doctor.bytes.western':
    'Bytes that are not UTF-8 and show as �: {count}. Read as Western European, {shown} would be {meant}.',
  'doctor.bytes.western.why':
    'The text has probably been saved as Windows-1252 or Latin-1, as older programs do.',
  'doctor.ruined': 'Characters that only stand where others were lost: {count}, such as {example}.',
  'doctor.ruined.why':
    'The others were lost when the file was read as something else and saved again (锟斤拷), or when a program saved memory that it had never filled (烫烫烫, 屯屯屯). Nothing here can bring them back: open the original file again as GBK or UTF-8, or take these out.',
  'doctor.hidden': 'Invisible characters: {count}, such as {example}.',
  'doctor.hidden.why':
    'Control characters, marks of direction where all letters go one way, joiners that join nothing, signs without width, or hyphens that only show where a line is broken. Programs leave them behind, and the model would learn to write them.',
  'doctor.pieces': 'Letters in more pieces than necessary: {count}, such as {example}.',
  'doctor.pieces.why':
    'A letter and its marks, or the parts of a syllable, are characters of their own here, which cannot be seen. The model would have to learn that they belong together.',
  'doctor.pieces.both':
    'The text has them in fewer, too. They look alike, but the model would take them for different letters.',
  'doctor.space': 'Untidy spaces or doubled empty lines: {count} {count|place|places}.',
  'doctor.space.why':
    'Tabs, odd spaces, spaces at the ends of lines or beside Chinese punctuation, doubled spaces, more than one empty line in a row. The model would learn them too.',
  'doctor.width':
    'Narrow punctuation among the wide marks of Chinese: {count} {count|place|places}.',
  'doctor.width.why':
    'The model would take a mark of two widths for two marks. Narrow ones here: {list}',
  'doctor.ends': 'Two kinds of line ends are mixed: {other} of one and {lines} of the other.',
  'doctor.markup': 'Leftovers of a web page, such as tags: {count}.',
  'doctor.stamps': 'Dates and times beside messages: {count}, such as {example}.',
  'doctor.stamps.why':
    'They look alike in every line, and the model would waste its effort on them. Who speaks is kept.',
  'doctor.long': 'Lines far longer than the others: {count}. Length of the longest: {longest}.',
  'doctor.single': 'Lines of a single character: {count}.',
  'doctor.cut': 'Lines longer than the context: {count}. Their ends are never learned.',
  'doctor.short': 'Too few tokens for this context: the text has {tokens}.',
  'doctor.shape.list': 'The text is a list of short lines, and is read as one stream.',
  'doctor.shape.list.why': 'Read line by line, the model learns how a line begins and ends.',
  'doctor.shape.prose': 'The text is prose with long lines, and is read line by line.',
  'doctor.shape.prose.why': 'Read as one stream, none of it is cut off.',
  'doctor.shape.talk': 'The text is a conversation, and each line of it is read by itself.',
  'doctor.shape.talk.why': 'Read as one stream, the model learns who answers what.',
  'doctor.fix.rare': 'Replace them',
  'doctor.fix.bytes': 'Use bytes as tokens',
  'doctor.fix.duplicates': 'Remove repeats',
  'doctor.fix.repeats': '{=doctor.fix.duplicates}',
  'doctor.fix.sorted': 'Shuffle the lines',
  'doctor.fix.garbled': 'Bring the characters back',
  'doctor.fix.western': 'Read them as Western European',
  'doctor.fix.ruined': 'Take these characters out',
  'doctor.fix.hidden': 'Remove the invisible ones',
  'doctor.fix.pieces': 'Put them together',
  'doctor.fix.space': 'Tidy the spaces',
  'doctor.fix.width': 'Make them wide',
  'doctor.fix.markup': 'Remove the leftovers',
  'doctor.fix.stamps': 'Take dates and times out',
  'doctor.fix.context': 'Context of {context}',
  'doctor.fix.share': 'Held-out share of {share}',
  'doctor.fix.hold': 'Hold back a tenth, to see it',
} as const;
