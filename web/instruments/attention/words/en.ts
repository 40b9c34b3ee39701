/** The maps of attention. */
export const attention = {
  'attention.title': 'Attention',
  'attention.lead':
    'To guess the next token, each token (a row) looks back at earlier ones (columns).',
  'attention.probe': 'Look at this text',
  'attention.probe.back': 'Back to “{text}”',
  'attention.empty': 'The maps appear as soon as there is a model.',
  'attention.grid': 'All heads',
  'attention.beginning': '▸ marks the beginning of each text. It is the first token.',
  'attention.axis.layer': 'Layers',
  'attention.head': 'Layer {layer}, head {head}',
  'attention.head.at': '{head}, at {step}',
  'attention.step': 'step {step}',
  'attention.scale': 'Weight',
  'attention.hint': 'Point at a cell or press it, or use the arrow keys, to read it.',
  'attention.hint.touch': 'Tap a cell to read it.',
  'attention.sideways': 'The map is wider than the screen: swipe it sideways.',
  'attention.keys': 'Arrow keys move from cell to cell.',
  'attention.how': 'How this weight is computed',
  'attention.weight': '{from} (row {row}) looks at {to} (column {column}) with weight {weight}.',
  'attention.omitted':
    'The last {omitted} {omitted|token does|tokens do} not fit and {omitted|is|are} left out.',
  'attention.omitted.room': '{room} fit, including the beginning.',
  'attention.omitted.maps': 'The maps show at most {room}: more cells would be too small to read.',
  'attention.table': 'The weights as a table',
  'attention.table.caption': 'Weights of layer {layer}, head {head}: rows look at columns',
  'attention.table.from': 'from',
  'attention.save.map': 'Save the map:',
  'attention.save.arcs': 'Save the arcs:',
  'attention.enlarge': 'Enlarge',
  'attention.reduce': 'Back to the small map',
  'attention.grid.more': 'Scroll within the maps to see all {layers} layers.',
  'attention.more': 'More about this head',
  'attention.back.from':
    'Attention on this text is recorded from step {step} on, when you first looked at this text.',
  'attention.as': 'Show the head as',
  'attention.as.map': 'Map',
  'attention.as.arcs': 'Arcs',
  'attention.arcs.keys': 'Up and down arrow keys choose the token that looks.',
  'attention.arcs.hint':
    'Click a token, or use the up and down arrow keys, to see what it looks at.',
  'attention.arcs.hint.touch': 'Tap a token to see what it looks at.',
  'attention.arcs.sentence': '{token} (row {row}) looks most at: {targets}.',
  'attention.arcs.target': '{token} (row {row}) {weight}',
  'attention.habit.caption': 'What this head does, in numbers',
  'attention.habit.what': 'Average attention to',
  'attention.habit.now': 'Now',
  'attention.habit.untrained': 'Untrained',
  'attention.habit.even': 'If uniform',
  'attention.habit.course': 'Over time',
  'attention.habit.untrained.unknown':
    '“{=attention.habit.untrained}” is unknown: this model came from a file, its text has changed, or a second model does not fit into memory.',
  'attention.habit.course.none':
    '“{=attention.habit.course}” is drawn while the model trains here.',
  'attention.habit.previous': 'the token before',
  'attention.habit.previous.help':
    'The share of its attention that each token gives, on average, to the token right before it.',
  'attention.habit.itself': 'itself',
  'attention.habit.itself.help':
    'The share of its attention that each token keeps for itself, on average.',
  'attention.habit.first': 'the first token',
  'attention.habit.first.help':
    'The share that each token gives to the very first one. Heads often rest there when they have nothing to say.',
  'attention.habit.same': 'the same token earlier',
  'attention.habit.same.help':
    'The share that a token gives to earlier copies of itself, if there are any.',
  'attention.habit.spread': 'How evenly it is spread',
  'attention.habit.entropy': 'between 0 and 1',
  'attention.habit.entropy.help':
    'Normalised entropy: 1 if attention is spread evenly over all visible tokens, 0 if each token looks at a single one.',
  'attention.habit.rule':
    '“{=attention.habit.untrained}” is this model before its first step; “{=attention.habit.even}” is attention spread evenly over all tokens. A head is named after a habit if its value is clearly above uniform: at least {clear} of the way from uniform to 1, for example 0.4 where uniform is 0.2. “{=attention.spread}” means a spread of {spread} or more, “{=attention.mixed}” everything else.',
  'attention.habit.overlap':
    'The rows overlap: the token before may also be the first one, and then counts in both rows. So they can add up to more than 1.',
  'attention.verdict.cell': '{from} looks at {to}: {share}.',
  'attention.verdict.cell.before': '{from} looks at {to}: {share}; {before} before training.',
  'attention.verdict.spread': 'Every token looks about equally at all tokens before it.',
  'attention.verdict.alone': 'A single token can only look at itself.',
  'attention.badge.previous': 'before',
  'attention.badge.itself': 'itself',
  'attention.badge.first': 'first',
  'attention.badge.same': 'same',
  'attention.spread': 'spread',
  'attention.mixed': 'mixed',
  'attention.badge.none': '{=attention.mixed}',
  'attention.badge.spread': '{=attention.spread}',
  'picture.attention': 'Attention of layer {layer}, head {head}, at step {step}',
  'picture.attention.axes': 'Each row is a token and shows which earlier tokens it looks at.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly attention: typeof attention;
  }
}
