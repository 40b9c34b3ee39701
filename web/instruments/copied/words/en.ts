/** Text that the model copied, prompts that it memorised, and losses of n-gram tables. */
export const copied = {
  'copied.lead':
    'Here you see what the model copied from its text letter by letter, and whether that is more than chance.',
  'copied.marks': 'Mark copied parts in everything it writes',
  'copied.indexing': 'Reading the text: {share}%',
  'copied.looking': 'Looking up what the model has written…',
  'copied.wait': 'When the model has written something, it is looked up here.',
  'copied.lines':
    'Of the {count} {count|text|texts} written at step {step}, {copied} {copied|is a whole line|are whole lines} of your text.',
  'copied.lines.held-out':
    'Of the held-out lines, {share}% are in the rest of the text too: short ones repeat by chance.',
  'copied.lines.left-out': 'Of the lines of your text, {share}% occur more than once.',
  'copied.longest':
    'The longest match with your text at step {step} has {characters} {characters|character|characters}.',
  'copied.longest.none': 'At step {step} there is no match with your text longer than chance.',
  'copied.base.held-out':
    'For comparison: in held-out text, 95% of the matches have at most {characters} {characters|character|characters}. Only longer ones are marked.',
  'copied.base.left-out':
    'For comparison: if one line were removed, 95% of its matches with the rest would be at most {characters} {characters|character|characters} long. Only longer ones are marked.',
  'copied.base.none':
    'Your text is a single line and nothing is held out, so chance cannot be measured and nothing is marked.',
  'copied.part': 'Match of {characters} {characters|character|characters} with your text',
  'copied.line': 'A whole line of your text',
  'copied.line.short': 'A whole line of your text; a line this short repeats by chance',
  'copied.line.repeats': 'A whole line of your text, in which lines often repeat',
  'copied.place': 'Line {line} of your text',
  'copied.once': 'It occurs there once.',
  'copied.often': 'It occurs there {count} {count|time|times}; this is one of them.',
  'copied.next': 'It is never followed by “{next}” there.',
  'copied.left-out': 'Would it write this without that line? Train a twin',
  'copied.save': 'Save the results:',
  'copied.check': 'Check a text',
  'copied.check.none': 'No match longer than chance.',
  'copied.check.lines':
    '{count} {count|line of it is also a whole line|lines of it are also whole lines} of your text; that alone may be chance.',
  'copied.check.some': '{count} {count|match|matches} with your text longer than chance.',
  'copied.check.long':
    'At most {most} {most|character|characters} can be checked here. Use a part of the text.',
  'memorised.title': 'Does it know its text by heart?',
  'memorised.said':
    'At step {step} it continues {share} of {count} {count|prompt|prompts} from the training text word for word.',
  'memorised.said.held-out':
    'Of {count} {count|prompt|prompts} from held-out text, which it never saw, it continues {share}.',
  'memorised.stream':
    'A prompt is {tokens} {tokens|token|tokens} of the text. Always taking the likeliest token, the model must write exactly the next {tokens}.',
  'memorised.lines':
    'A prompt is the first half of a line, at most {tokens} {tokens|token|tokens}. Always taking the likeliest token, the model must write exactly the other half, again at most {tokens} with the end of the line.',
  'memorised.draw': 'Show this below the loss curve',
  'memorised.chart': 'Continued word for word: training text and, dashed, held-out text',
  'memorised.chart.train': 'Continued word for word: training text',
  'memorised.table': 'All steps as a table',
  'memorised.caption': 'Prompts that were continued word for word',
  'memorised.train': 'Training text',
  'memorised.held-out': 'Held-out text',
  'error.questions': 'Texts cannot be looked up in this form of the page. Open the whole page.',
  'error.trace-text':
    'The training text of this model is not known here: the model came from a file without it.',
  'error.trace-large':
    'This model is too large to look up its text and to measure what it knows by heart (at most {0} of weights).',
  'baseline.title': 'Is this loss good?',
  'baseline.held-out':
    'The loss of tables that only count which token follows the last few, on the held-out text, in {unit}:',
  'baseline.left-out':
    'The loss of tables that only count which token follows the last few, each token scored as if it were not in the text, in {unit}. Nothing is held out, so your model may know its text by heart:',
  'baseline.guess': 'Guessing',
  'baseline.frequencies': 'Token frequencies',
  'baseline.before': 'Last {count} {count|token|tokens}',
  'baseline.model': 'Your model',
  'baseline.best': 'Your model is better than all of these tables.',
  'baseline.worst': 'Your model is not better than guessing yet.',
  'baseline.between': 'Your model beats “{below}”, but not “{above}”.',
  'baseline.lines': 'Show the first tables in the loss curve',
  'baseline.table': 'What such a table writes',
  'baseline.write': 'Write',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly copied: typeof copied;
  }
}
