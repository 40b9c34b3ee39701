/** The tour of the first minute. */
export const tour = {
  'tour.end': 'End the tour',
  'tour.back': 'Back',
  'tour.next': 'Next',
  'tour.done': 'Done',
  'tour.place': '{at} of {count}',
  'tour.start.title': 'Start here',
  'tour.start':
    'Right now the model knows nothing: its numbers are random. Press {=run.start}, and it begins to read the text piece by piece, guessing each next piece and learning from every mistake. The pieces are called tokens: letters, bytes or parts of words.',
  'tour.start.wait': 'Press {=run.start}, or look around first.',
  'tour.run.title': 'The run',
  'tour.run':
    'In every step the model reads a piece of the text, guesses what comes next, and learns from its mistakes. The pieces that it guesses are called tokens: letters, bytes or parts of words.',
  'tour.run.running': 'It is at step {step} of {steps} now; “{=run.pause}” stops it at any time.',
  'tour.run.paused': 'It stands at step {step} of {steps}; “{=run.continue}” lets it go on.',
  'tour.run.finished':
    'It has made all of its {steps} {steps|step|steps}; “{=run.rewind}” takes it back to the beginning, to be watched once more.',
  'tour.run.diverged':
    'It stopped at step {step}: the steps were too large. “{=run.rewind}” takes it back to the beginning; choose a smaller learning rate first.',
  'tour.loss.title': 'The loss: how wrong it is',
  'tour.loss':
    'Each dot is one step: how surprised the model was by what really came next. The dotted line at {random} {unit} is ln {vocab} (a logarithm, which turns odds into surprise): the loss of guessing blindly among {vocab} {vocab|token|tokens}. Whatever lies below it has been learned.',
  'tour.loss.bits':
    'Each dot is one step: how surprised the model was by what really came next. The dotted line at {random} {unit} is the loss of guessing blindly among {vocab} {vocab|token|tokens}: that many yes-or-no answers each character would cost. Whatever lies below it has been learned.',
  'tour.loss.wait': 'It has not come down yet. Once it trains, watch the curve fall.',
  'tour.loss.come':
    'It has come down: at {loss} {unit}, the next token surprises the model as much as a pick from {choices} equally likely {choices|token|tokens}. That number is its perplexity.',
  'tour.samples.title': 'What it writes',
  'tour.samples':
    'From time to time the model writes something of its own. The dice fall the same way each time, so every change you see is learning: noise first, then letters that belong together, then words.',
  'tour.samples.wait': 'The first lines come as it trains.',
  'tour.samples.come': 'Compare the oldest line with the newest.',
  'tour.attention.title': 'Where it looks',
  'tour.attention':
    'To guess the next token, the model looks back. Each little square is one head; a row is a token, and the strong colours in it are the earlier tokens that it looks at. A strongly coloured line just below the diagonal from corner to corner means: the token just before.',
  'tour.attention.wait': 'At first it looks everywhere equally. Patterns appear with training.',
  'tour.attention.come':
    'Choose a head, then a cell of its map: its weight is spelled out above the map.',
  'tour.memory.title': 'Learning, or learning by heart?',
  'tour.memory.validation':
    'The dashed amber curve is the loss on text that was kept back. As long as both curves fall, the model learns rules. When the amber one turns up while the green one still falls, it is learning the text by heart.',
  'tour.memory.none':
    'This run keeps no text back, so you cannot tell learning from learning by heart. Under “{=settings.all}”, in “{=settings.group.data}”, unfold “{=settings.more}” and set “{=option.validation}” to 0.1: an amber curve then shows the loss on text it has never seen. If it turns up while the green one falls, the model memorises.',
  'tour.change.title': 'Change one thing',
  'tour.change':
    'Under “{=settings.all}”, take one layer away, or halve the channels. The large button then reads “{=run.restart}”: press it. (While a run trains, it stands below that button.) The seed stays the same, so whatever comes out differently comes from your change alone. The address keeps all settings: share it, and others see the same. (A text of your own stays here.)',
  'tour.words.title': 'Every dotted word explains itself',
  'tour.words':
    'Press one, here or anywhere: it says in plain words what is meant, shows the formula, and leads down to the very line of C that computes it. Now try a text of your own.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly tour: typeof tour;
  }
}
