/** How the model works, in five pictures: at most 200 words. */
export const story = {
  'story.lead': 'How a language model works, in five pictures of your own run.',
  'story.numbers': 'Text becomes numbers',
  'story.numbers.text':
    'The text is cut into tokens: letters, or pieces of words. To the model each one is only a number.',
  'story.look': 'It looks back',
  'story.look.text':
    'To guess what comes next, it weighs the tokens before: the stronger their colour, the more they count.',
  'story.look.cell': '{from} gives {share} of its attention to {to}.',
  'story.guess': 'It guesses',
  'story.guess.text':
    'Every token gets a chance to be next. An untrained model knows nothing: the chances are about alike.',
  'story.learn': 'It learns',
  'story.learn.text':
    'Each step compares guesses with your text, and moves all {count} weights a little, so that what really came gets likelier.',
  'story.write': 'It writes',
  'story.write.text':
    'It rolls dice: likely tokens come up often, unlikely ones seldom. The token is added, and it guesses again.',
  'story.after': 'After {text}, at step {step}',
  'story.token': 'Next token',
  'story.chance': 'Its chance',
  'story.real': 'came next',
  'story.wait': 'Press “{=run.start}” to see this picture.',
  'story.docs': 'The same with all formulas',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly story: typeof story;
  }
}
