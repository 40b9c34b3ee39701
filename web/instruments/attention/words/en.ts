/** The maps of attention. */
export const attention = {
  'attention.title': 'Attention',
  'attention.lead':
    'To guess the next token, each one (a row) looks back at earlier ones (columns).',
  'attention.probe': 'Look at this text',
  'attention.probe.back': 'Back to “{text}”',
  'attention.empty': 'The maps appear as soon as there is a model.',
  'attention.grid': 'All heads',
  'attention.beginning': '▸ stands before each text, as its first token.',
  'attention.axis.layer': 'Layers',
  'attention.head': 'Layer {layer}, head {head}',
  'attention.head.at': '{head}, at {step}',
  'attention.step': 'step {step}',
  'attention.scale': 'Weight',
  'attention.hint': 'Point at a cell, or press arrow keys, to read it.',
  'attention.hint.touch': 'Tap a cell to read it.',
  'attention.sideways': 'The map is wider than the screen: swipe it sideways.',
  'attention.keys': 'Arrow keys move from cell to cell.',
  'attention.how': 'How this weight is computed',
  'attention.weight': '{from} (row {row}) looks at {to} (column {column}) with weight {weight}.',
  'attention.omitted':
    'The last {omitted} {omitted|token does|tokens do} not fit and {omitted|is|are} left out.',
  'attention.omitted.room': '{room} fit, the beginning included.',
  'attention.omitted.maps': 'The maps show {room} at most: more cells would be too small to read.',
  'attention.table': 'The weights as a table',
  'attention.table.caption': 'Weights of layer {layer}, head {head}: rows look at columns',
  'attention.table.from': 'from',
  'attention.enlarge': 'Enlarge',
  'attention.reduce': 'Back to the small map',
  'attention.grid.more': 'All {layers} layers are here: scroll within the maps.',
  'attention.more': 'More about this head',
  'attention.back.from':
    'Attention on this text is kept from step {step} on: from when it was looked at while the run trained here.',
  'attention.as': 'Show the head as',
  'attention.as.map': 'Map',
  'attention.as.arcs': 'Arcs',
  'attention.arcs.keys': 'Up and down arrow keys choose the token that looks.',
  'attention.arcs.hint':
    'Click a token, or use the up and down arrow keys, to see what it looks at.',
  'attention.arcs.hint.touch': 'Tap a token to see what it looks at.',
  'attention.arcs.sentence': '{token} (row {row}) looks most at: {targets}.',
  'attention.arcs.target': '{token} (row {row}) {weight}',
  'attention.habit.caption': 'What this head does, in plain statistics',
  'attention.habit.what': 'Mean weight on',
  'attention.habit.now': 'Now',
  'attention.habit.untrained': 'Untrained',
  'attention.habit.even': 'If even',
  'attention.habit.course': 'So far',
  'attention.habit.untrained.unknown':
    '“{=attention.habit.untrained}” is not known: this model came from a file, the text to learn has been changed since, or there is no room for a second model.',
  'attention.habit.course.none': '“{=attention.habit.course}” is drawn while it trains here.',
  'attention.habit.previous': 'the token before',
  'attention.habit.previous.help':
    'How much of its attention each token gives, on average, to the token right before it.',
  'attention.habit.itself': 'itself',
  'attention.habit.itself.help':
    'How much of its attention each token keeps for itself, on average.',
  'attention.habit.first': 'the first token',
  'attention.habit.first.help':
    'How much each token gives to the very first one. Heads often rest there when they have nothing to say.',
  'attention.habit.same': 'the same token earlier',
  'attention.habit.same.help':
    'How much a token gives to earlier copies of itself, where there are any.',
  'attention.habit.spread': 'How evenly it is spread',
  'attention.habit.entropy': 'between 0 and 1',
  'attention.habit.entropy.help':
    'Normalised entropy: 1 when attention is spread evenly over all tokens seen, 0 when each token looks at a single one.',
  'attention.habit.rule':
    '“{=attention.habit.untrained}” is the same model before its first step; “{=attention.habit.even}” would be attention spread over all tokens alike. A habit is named when a head is well above even: when it has closed at least {clear} of the gap between even and 1, such as 0.4 where even would be 0.2. “{=attention.spread}” means a spread of {spread} or more, “{=attention.mixed}” anything else.',
  'attention.habit.overlap':
    'The rows overlap: the token before may also be the first one, and counts for both. So they can add up to more than 1.',
  'attention.verdict.previous': 'Looks at the token before: {strength}.',
  'attention.verdict.itself': 'Looks at itself: {strength}.',
  'attention.verdict.first': 'Looks at the first token: {strength}.',
  'attention.verdict.same': 'Looks at earlier copies of the same token: {strength}.',
  'attention.verdict.spread': 'Looks everywhere equally: {strength}.',
  'attention.verdict.alone': 'A single token can look at nothing but itself.',
  'attention.verdict.none': 'Looks here and there: no habit stands out.',
  'attention.verdict.peaked': 'Looks at about one token at a time.',
  'attention.verdict.before': 'Before training: {strength}.',
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
