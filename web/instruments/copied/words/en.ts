/** What the model copied from its text, and what tables of the last tokens would lose. */
export const copied = {
  'copied.lead':
    'A model may write parts of its text down letter by letter. Here you see which, and whether that means anything.',
  'copied.marks': 'Mark copied parts in all that it writes',
  'copied.indexing': 'Reading the text: {share}%',
  'copied.looking': 'Looking up what the model has written…',
  'copied.wait': 'Once the model has written something, it is looked up here.',
  'copied.lines':
    'Of {count} {count|text|texts} at step {step}, {copied} {copied|is|are} in your text as a whole line.',
  'copied.lines.held-out':
    'Of the lines that it never saw, {share}% are in the rest of the text too: short ones repeat by chance.',
  'copied.lines.left-out': 'Of the lines of your text, {share}% are in it more than once.',
  'copied.longest':
    'At step {step} the longest part that stands in your text has {characters} {characters|character|characters}.',
  'copied.longest.none':
    'At step {step} it wrote no part of your text that is longer than by chance.',
  'copied.base.held-out':
    'In text that it never saw, 95% of such parts have at most {characters} {characters|character|characters}. Only longer ones are marked.',
  'copied.base.left-out':
    'Were a line of your text left out of it, 95% of the parts that it shares with the rest would have at most {characters} {characters|character|characters}. Only longer ones are marked.',
  'copied.base.none':
    'Your text is a single line, and nothing of it is held out: what chance alone gives cannot be told, and nothing is marked.',
  'copied.part': '{characters} {characters|character|characters} that stand in your text',
  'copied.line': 'A whole line of your text',
  'copied.line.short': 'A whole line of your text; a line this short repeats by chance',
  'copied.line.repeats': 'A whole line of your text, whose lines repeat anyway',
  'copied.place': 'Line {line} of your text',
  'copied.once': 'It stands there once.',
  'copied.often': 'It stands there {count} {count|time|times}; this is one of them.',
  'copied.next': 'With “{next}” behind it, as here, it stands nowhere.',
  'copied.left-out': 'Would it write this without that line? Train a twin',
  'copied.save': 'Save what was found:',
  'copied.check': 'Check a text',
  'copied.check.none': 'No part of it stands in your text, but for what chance alone gives.',
  'copied.check.lines':
    '{count} {count|line|lines} of it {count|stands|stand} in your text as a whole; that alone may be chance.',
  'copied.check.some':
    '{count} {count|part|parts} of it {count|stands|stand} in your text, beyond what chance alone gives.',
  'copied.check.long':
    'Only a text of up to {most} {most|character|characters} is looked up here. Choose a part of it.',
  'memorised.title': 'Does it know its text by heart?',
  'memorised.said':
    'At step {step} it continues {share} of {count} {count|prompt|prompts} from the training text word for word.',
  'memorised.said.held-out':
    'Of {count} {count|prompt|prompts} from held-out text, which it never saw, it continues {share}.',
  'memorised.stream':
    'A prompt is {tokens} {tokens|token|tokens} of the text. Always taking the most probable token, the model must give exactly the next {tokens}.',
  'memorised.lines':
    'A prompt is the first half of a line, at most {tokens} {tokens|token|tokens}. Always taking the most probable token, the model must give exactly the other half, at most {tokens} again with the end of the line.',
  'memorised.draw': 'Show this below the loss curve',
  'memorised.chart': 'Continued word for word: training text and, dashed, held-out text',
  'memorised.chart.train': 'Continued word for word: training text',
  'memorised.table': 'All steps as a table',
  'memorised.caption': 'Prompts that were continued word for word',
  'memorised.train': 'Training text',
  'memorised.held-out': 'Held-out text',
  'error.questions': 'This form of the page cannot look texts up.',
  'error.trace-text':
    'What this model learned from is not known here: it came from a file without its text.',
  'error.trace-large':
    'This model is too large to look its text up beside it, and to measure what it knows by heart ({0} of weights at most).',
  'baseline.title': 'Is this loss good?',
  'baseline.held-out':
    'Tables that only count which token follows the last few, measured on the held-out text, in {unit}:',
  'baseline.left-out':
    'Tables that only count which token follows the last few, each token scored as if it were not in the text, in {unit}. Nothing is held out here, so that your model may know its text by heart:',
  'baseline.guess': 'Guessing',
  'baseline.frequencies': 'Token frequencies',
  'baseline.before': '{count} {count|token|tokens} before',
  'baseline.model': 'Your model',
  'baseline.best': 'Your model is better than all of these tables.',
  'baseline.worst': 'Your model is not better than guessing yet.',
  'baseline.between': 'Your model is better than “{below}”, and not as good as “{above}”.',
  'baseline.lines': 'Show the first of them in the loss curve',
  'baseline.table': 'What such a table writes',
  'baseline.write': 'Write',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly copied: typeof copied;
  }
}
