/** Embeddings in the plane. */
export const embeddings = {
  'plane.lead':
    'Inside the model every token is a list of numbers, its embedding. Here each list is a point, drawn along the two directions in which the lists differ most. Tokens that the model uses alike move together.',
  'plane.vowels':
    '{list} found each other: in the model, the nearest token of each is another vowel.',
  'plane.pair': 'The model uses {one} and {other} most alike of all: no other two are so near.',
  'plane.show': 'Show them',
  'plane.shown': 'Show',
  'plane.shown.tokens': 'the tokens',
  'plane.shown.positions': 'the positions',
  'plane.shown.before': 'a text, before the first layer',
  'plane.shown.after': 'a text, after layer {block}',
  'plane.text': 'The text of the attention maps: “{text}”.',
  'plane.omitted.rows':
    'The first {first} are shown, {count} {count|other is|others are} left out.',
  'plane.unused': 'Left out: {count} {count|byte|bytes} that the text never uses.',
  'plane.omitted.text': 'At the end of the text {count} {count|token is|tokens are} left out.',
  'plane.empty': 'The points appear as soon as there is a model.',
  'plane.wait': 'Reading the numbers of the model…',
  'plane.broken':
    'At step {step} some of these numbers are no longer finite, so they cannot be drawn.',
  'plane.said':
    'Step {step}. The two axes show {share} of the variance ({first} and {second}). They are the main axes of step {axes}.',
  'plane.said.alike': 'Step {step}. All points are alike.',
  'plane.axes': 'Use the axes of this step',
  'plane.picture': 'the embeddings',
  'plane.keys': 'Arrow keys go from point to point.',
  'plane.hint': 'Choose a point to see its nearest neighbours. Arrow keys go from point to point.',
  'plane.hint.touch': 'Tap a point to see its nearest neighbours.',
  'plane.read': '{name}: nearest {near}',
  'plane.chosen': 'The chosen point',
  'plane.near': 'Nearest to {name}',
  'plane.near.none': 'It has no direction yet: all its numbers are 0.',
  'plane.cosine':
    'Nearness is the cosine of all their numbers: 1 is the same direction, 0 is nothing in common. Points close together in the picture may not be near.',
  'plane.position': 'position {place}',
  'plane.place': '{token}, position {place}',
  'plane.kind.vowel': 'vowels',
  'plane.kind.letter': 'other letters',
  'plane.kind.piece': 'several letters',
  'plane.kind.digit': 'digits',
  'plane.kind.sign': 'other signs',
  'plane.kind.place': 'A line joins the points in order, from faint to strong.',
  'plane.table': 'The points as a table',
  'plane.table.caption': 'Step {step}, in the axes of step {axes}',
  'plane.table.first':
    'Step {step}, in the axes of step {axes}: the first {count} {count|point|points}',
  'plane.col.point': 'Point',
  'plane.col.near': 'Nearest, with its cosine',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly embeddings: typeof embeddings;
  }
}
