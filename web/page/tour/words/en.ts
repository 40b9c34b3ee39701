/** The tour of the first minute. */
export const tour = {
  'tour.end': 'End the tour',
  'tour.back': 'Back',
  'tour.next': 'Next',
  'tour.done': 'Done',
  'tour.place': '{at} of {count}',
  'tour.start.title': 'Start here',
  'tour.start':
    'Right now the model knows nothing: its numbers are random. Press {=run.start}: it reads the text in small pieces called tokens (letters, bytes or parts of words), guesses each next token and learns from every mistake.',
  'tour.start.wait': 'Press {=run.start}, or look around first.',
  'tour.run.title': 'The run',
  'tour.run':
    'In every step the model reads a part of the text, guesses each next token and learns from its mistakes. Tokens are small pieces of text: letters, bytes or parts of words.',
  'tour.run.running': 'It is at step {step} of {steps}; “{=run.pause}” stops it at any time.',
  'tour.run.paused': 'It is paused at step {step} of {steps}; “{=run.continue}” starts it again.',
  'tour.run.finished':
    'It has finished its {steps} {steps|step|steps}; “{=run.rewind}” takes it back to the beginning.',
  'tour.run.diverged':
    'It stopped at step {step}: the steps were too large. “{=run.rewind}” takes it back to the beginning; choose a smaller learning rate first.',
  'tour.loss.title': 'The loss: how wrong it is',
  'tour.loss':
    'Each dot is one step: how surprised the model was by what really came next. The dotted line at {random} {unit} is the loss of random guessing among {vocab} {vocab|token|tokens} (ln {vocab}, the natural logarithm). Everything below it has been learned.',
  'tour.loss.bits':
    'Each dot is one step: how surprised the model was by what really came next. The dotted line at {random} {unit} is random guessing among {vocab} {vocab|token|tokens}: each character costs that many yes-or-no questions. Everything below it has been learned.',
  'tour.loss.wait': 'The loss has not fallen yet. Watch the curve once training begins.',
  'tour.loss.come':
    'The loss has fallen to {loss} {unit}: the next token surprises the model as much as a random pick from {choices} equally likely {choices|token|tokens}. That number is its perplexity.',
  'tour.samples.title': 'What it writes',
  'tour.samples':
    'From time to time the model writes something of its own. The dice fall the same way each time, so every change you see is learning: noise first, then letters that belong together, then words.',
  'tour.samples.wait': 'The first lines come as it trains.',
  'tour.samples.come': 'Compare the oldest line with the newest.',
  'tour.attention.title': 'Where it looks',
  'tour.attention':
    'To guess the next token, the model looks back. Each little square is one head. A row is a token; its strong colours show the earlier tokens that it looks at. A strong line just below the diagonal means: the token just before.',
  'tour.attention.wait': 'At first it looks everywhere equally. Patterns appear with training.',
  'tour.attention.come':
    'Choose a head, then a cell of its map: you can read its weight above the map.',
  'tour.memory.title': 'Learning, or learning by heart?',
  'tour.memory.validation':
    'The dashed amber curve is the loss on held-out text. As long as both curves fall, the model learns rules. When the amber one rises while the green one falls, it learns the text by heart.',
  'tour.memory.none':
    'This run holds nothing out, so you cannot tell learning from learning by heart. Held-out text adds an amber curve: when it rises while the green one falls, the model learns by heart.',
  'tour.change.title': 'Change one thing',
  'tour.change':
    'In “{=settings.all}”, take one layer away or halve the channels, then press “{=run.restart}”. The seed stays the same, so every difference comes from your change alone. The address keeps all settings: share it, and others see the same. (A text of your own stays here.)',
  'tour.words.title': 'Every dotted word explains itself',
  'tour.words':
    'Press one, here or anywhere: it explains the word plainly, shows the formula, and leads to the line of C that computes it. Now try a text of your own.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly tour: typeof tour;
  }
}
