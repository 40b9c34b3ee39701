/** What the toy says. */
export const toy = {
  'toy.title': 'The toy',
  'toy.pressed': 'pressed {text}',
} as const;

declare module '../../../../../../web/i18n/areas.ts' {
  interface FirstWords {
    readonly toy: typeof toy;
  }
}
