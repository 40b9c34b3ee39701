/** The maps of attention. */
export const attention = {
  'attention.title': 'Attention',
  'attention.lead':
    'To guess what comes next, each token (a row) looks back at earlier ones (columns). The stronger the colour, the more it looks.',
  'attention.probe': 'Look at this text',
  'attention.empty': 'The maps appear as soon as there is a model.',
  'attention.grid': 'All heads',
  'attention.axis.layer': 'Layers',
  'attention.head': 'Layer {layer}, head {head}',
  'attention.step': 'step {step}',
  'attention.scale': 'Weight',
  'attention.hint': 'Point at a cell, or use the arrow keys in the map, to read its weight.',
  'attention.keys': 'Arrow keys move from cell to cell.',
  'attention.weight': '{from} (row {row}) looks at {to} (column {column}) with weight {weight}.',
  'attention.omitted': 'The last {omitted} tokens do not fit and are left out.',
  'attention.table': 'The weights as a table',
  'attention.table.caption': 'Weights of layer {layer}, head {head}: rows look at columns',
  'attention.table.from': 'from',
} as const;
