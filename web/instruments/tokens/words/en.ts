/** Single tokens: the loss of each in a text, and writing one after the other. */
export const tokens = {
  'tokens.lead':
    'The model reads the text from left to right and at every place says how likely each token is to come next. Where a cell is faint it saw the token coming; where it stands out it was surprised.',
  'tokens.field': 'Text to read',
  'tokens.addressed':
    'What you write here, up to {count} {count|character|characters}, becomes part of the address of this page. It leaves this tab only where you pass that address on.',
  'tokens.source.probe': 'The text of the attention maps',
  'tokens.source.heldOut': 'Text it never trained on',
  'tokens.heldOut.none':
    'To see it read text that it never trained on, set “{=option.validation}” to 0.1 (under “{=settings.more}” of “{=settings.group.data}”) and start a new run.',
  'tokens.heldOut.short':
    'The text is too short for its held-out share: with more text or a larger share there is text that it never trained on.',
  'tokens.source.written': 'What it wrote',
  'tokens.blank': 'Line ends alone give it nothing to read: write something between them.',
  'tokens.empty': 'The cells appear as soon as there are a model and a text.',
  'tokens.omitted': 'At the end of the text {count} {count|token is|tokens are} left out.',
  'tokens.cut':
    '{count} {count|token stands|tokens stand} beyond the context of a line and {count|is|are} left out. The last one shown is guessed, but not read: the maps of attention end before it.',
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
    'Loss {loss}: the model gave it {probability}. Place {rank} among all tokens. Entropy {entropy} nats: {doubt}.',
  'tokens.doubt': 'as unsure as among {choices} equally likely {choices|token|tokens}',
  'tokens.doubt.none': 'all but sure of a single token',
  'tokens.capped':
    'Less than 10⁻³⁰ (10⁻²⁸%) counts as that, a loss of {loss}, in the mean and the perplexity too.',
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
