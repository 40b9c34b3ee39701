/** The loss of each token of a text. */
export const tokens = {
  'tokens.finding': 'It was surprised most by {name}: it had given it {probability}.',
  'tokens.finding.none':
    'Nothing here surprised it: even {name}, the least expected, had {probability}.',
  'tokens.finding.show': 'Show this token',
  'tokens.lead':
    'The model reads the text from left to right and says at every position how likely each next token is. A faint cell: it expected this token. A strong cell: it was surprised.',
  'tokens.field': 'Text to read',
  'tokens.addressed':
    'Text that you write here (up to {count} {count|character|characters}) becomes part of the address of this page. It leaves this tab only if you share that address.',
  'tokens.source.probe': 'The text of the attention maps',
  'tokens.source.heldOut': 'Held-out text',
  'tokens.heldOut.none': 'This run holds nothing out.',
  'tokens.heldOut.do': 'Hold out a tenth and train again',
  'tokens.heldOut.short':
    'The text is too short to hold out that share. Add text or choose a larger share.',
  'tokens.source.written': 'What it wrote',
  'tokens.blank': 'Line ends alone are nothing to read. Write something between them.',
  'tokens.empty': 'The cells appear as soon as there are a model and a text.',
  'tokens.omitted':
    'The last {count} {count|token does|tokens do} not fit and {count|is|are} left out.',
  'tokens.cut':
    '{count} {count|token does|tokens do} not fit into the context and {count|is|are} left out. The last token shown is guessed but not read, so the attention maps end before it.',
  'tokens.mean': 'Mean loss',
  'tokens.nats': '{value} nats',
  'tokens.bits': 'Bits per character',
  'tokens.perplexity': 'Perplexity',
  'tokens.scored': 'Tokens with a loss',
  'tokens.before': 'The tokens below still belong to the previous text.',
  'tokens.step': 'step {step}',
  'tokens.scale': 'Loss',
  'tokens.scale.sure': '0',
  'tokens.scale.guessing': '{loss} guessing',
  'tokens.scale.end': '{loss}+',
  'tokens.cells': 'The tokens of the text',
  'tokens.hint':
    'Choose a token to see what the model expected there. Arrow keys go from token to token.',
  'tokens.hint.touch': 'Tap a token to see what the model expected there.',
  'tokens.number': 'The number is the loss, in nats.',
  'tokens.cell': '{name}, loss {loss}',
  'tokens.cell.first': '{name}, the first: nothing comes before it',
  'tokens.page': '{first}–{last} of {count}',
  'tokens.page.back': 'Earlier tokens',
  'tokens.page.on': 'Later tokens',
  'tokens.detail': 'The chosen token',
  'tokens.chosen': 'Token {position}: {name}',
  'tokens.chosen.first': 'Nothing comes before it, so there is nothing to guess from.',
  'tokens.chosen.score':
    'Loss {loss}: the model gave it {probability}. Rank {rank} among all tokens. Entropy {entropy} nats: {doubt}.',
  'tokens.doubt': 'as unsure as among {choices} equally likely {choices|token|tokens}',
  'tokens.doubt.none': 'almost sure of a single token',
  'tokens.capped':
    'Probabilities below 10⁻³⁰ (10⁻²⁸%) count as 10⁻³⁰, a loss of {loss}, in the mean and the perplexity too.',
  'tokens.candidates': 'What the model expected after {before}',
  'tokens.begun': '{text} and the {count|byte|bytes} {hex}',
  'tokens.real': 'this came',
  'tokens.rank.short': 'no. {rank}',
  'tokens.rank.tied': '{first}–{last} (tied)',
  'tokens.rank.marked': '{rank}, {mark}',
  'tokens.end': 'the end',
  'tokens.all': 'All {count}',
  'tokens.likeliest': 'The likeliest {count}',
  'tokens.fewer': 'Fewer',
  'tokens.col.token': 'Token',
  'tokens.col.loss': 'Loss',
  'tokens.col.probability': 'Probability',
  'tokens.col.rank': 'Rank',
  'tokens.col.entropy': 'Entropy',
  'tokens.table': 'The losses of these tokens as a table',
  'tokens.table.caption': 'Loss and entropy in nats',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly tokens: typeof tokens;
  }
}
