/** Texts of the header and the footer. */
export const header = {
  'app.tagline': 'Grow a GPT behind glass',
  'app.skip': 'Skip to training',
  'app.lead':
    'Press {=run.start}: a small language model learns this text, and nonsense turns into words. Nothing you paste leaves this tab.',
  'app.language': 'Language',
  'app.theme': 'Colours',
  'app.theme.auto': 'Auto light/dark',
  'app.theme.light': 'Light',
  'app.theme.dark': 'Dark',
  'app.footer':
    'Written from scratch in C. Same text, settings and seed: the same losses, to the last bit.',
  'app.docs': 'How it works',
  'app.teachers': 'For teachers',
  'tour.begin': 'Take a tour',
} as const;

declare module '../areas.ts' {
  interface FirstWords {
    readonly header: typeof header;
  }
}
