/** Writing token by token, with its dice and its cache. */
export const writer = {
  'write.lead':
    'Writing is guessing, then rolling dice, again and again. Here you hold the dice: see what may come, draw a token, or choose one yourself.',
  'write.next': 'Next token',
  'write.play': 'Play',
  'write.pause': 'Pause',
  'write.undo': 'Take back',
  'write.again': 'Begin again',
  'write.empty': 'Writing can begin as soon as there is a model.',
  'write.text': 'The text so far',
  'write.text.none': 'nothing yet',
  'write.hint':
    'Faint tokens were expected, strong ones were unlikely; a dotted frame marks those that you chose.',
  'write.pending': 'Only part of a character so far: {name}.',
  'write.drawn': 'Drawn: {name}. The model gave it {probability}.',
  'write.drawn.other':
    'Drawn: {name}. The model gave it {probability}; its draw chance was {adjusted}.',
  'write.undone': 'Taken back: {name}.',
  'write.undone.again':
    'The dice would fall the same way again: choose another token below, or another temperature.',
  'write.refilled':
    'The context was full: from here on the model sees only the last half of the text.',
  'write.unseen':
    'The text before the amber line has left the context: the model no longer sees it.',
  'write.taken': 'Chosen by you: {name}. The model gave it {probability}.',
  'write.ended':
    'The model ended the text here (■): “{=write.undo}” removes the end, “{=write.again}” the text.',
  'write.full': 'The text is as long as the context and ends here.',
  'write.limit': 'The text ends here: it may have at most 65,536 bytes.',
  'write.reread':
    'The model has trained meanwhile: it read its context again, with the weights of step {step}.',
  'write.coming': 'What may come next',
  'write.coming.caption': 'The likeliest tokens at step {step}. Press one to choose it.',
  'write.meaning': 'What shades and figures mean',
  'write.coming.unsure':
    'Entropy: {before} nats; {after} after temperature, top-k and top-p ({doubt}). Tokens that can be drawn: {drawable}.',
  'write.coming.tiny':
    '{count} {count|is|are} so unlikely that their probability rounds to 0: {count|it|they} cannot be drawn.',
  'write.coming.ended': 'The model ended the text.',
  'write.col.model': 'The model says',
  'write.col.dice': 'Draw chance',
  'write.take': 'Choose {name}',
  'write.cut.topK': 'Cut off by top-k = {k}',
  'write.cut.topP': 'Cut off by top-p = {p}',
  'write.cut.tiny': 'So unlikely that their probability rounds to 0',
  'write.cut.both': 'Cut off by top-k = {k} and top-p = {p}',
  'write.cut.greedy': 'Never drawn: temperature 0 always takes the likeliest',
  'write.rest': '{count} {count|other|others}',
  'write.dice': 'The dice',
  'write.dice.wait':
    'A number between 0 and 1 is drawn. The line from 0 to 1 is divided among the tokens, in the order of the vocabulary: each gets a part as long as its probability. The token whose part contains the number is written.',
  'write.dice.others': 'Hatched: all tokens less likely than the listed ones.',
  'write.dice.fell':
    'The dice showed {number}. That is in the part of {name}, from {start} to {end}.',
  'write.dice.then':
    'That was with temperature {temperature}, top-k {k} and top-p {p}; your new settings count from the next token on.',
  'write.dice.taken': 'No dice: you chose {name}.',
  'write.dice.greedy': 'No dice: temperature 0 takes the likeliest token, {name}.',
  'write.cache': 'The KV cache: stored keys and values',
  'write.cache.lead':
    'Every token leaves a key and a value in each layer. Later tokens look them up instead of computing them again.',
  'write.cache.more': 'How the KV cache works',
  'write.cache.layer': 'Layer {layer}',
  'write.cache.keys': 'Keys',
  'write.cache.values': 'Values',
  'write.cache.filled':
    '{rows} of {capacity} positions are filled: {bytes}. Each of {layers} {layers|layer|layers} stores a key and a value of {channels} {channels|number|numbers} per token.',
  'write.cache.new': '{count} computed for the last token',
  'write.cache.old': 'stored earlier',
  'write.cache.free': 'free',
  'write.cache.refilled':
    'The context was full. The text continues from its last half: {count} {count|token was|tokens were} read again, from position 1.',
  'write.cache.reread':
    'The weights had changed, so everything was computed again. While training is paused the weights stay, and the cache saves work.',
  'write.work': 'Multiply-adds for the last token',
  'write.work.with': 'With the cache',
  'write.work.without': 'Without it',
  'write.work.saved':
    'For this text so far: {with} instead of {without}; the cache saved {share} of the work.',
  'write.table': 'The tokens so far as a table',
  'write.table.caption': 'Probabilities before and after temperature, top-k and top-p',
  'write.col.number': 'Dice',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly writer: typeof writer;
  }
}
