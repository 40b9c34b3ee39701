/** The words of a form of the page, as embed/build/instruments.ts collects them. */
/* eslint-disable @typescript-eslint/consistent-type-imports */
type PageLang = import('./lang.ts').Lang;
type FirstTexts = Readonly<
  Record<import('./areas.ts').KeysOf<import('./areas.ts').FirstWords>, string>
>;
type LaterTexts = Readonly<
  Record<import('./areas.ts').KeysOf<import('./areas.ts').LaterWords>, string>
>;

/** Both parts of each catalogue, on demand. */
declare module 'virtual:words/loaders' {
  const loaders: Readonly<
    Record<
      PageLang,
      { readonly first: () => Promise<FirstTexts>; readonly later: () => Promise<LaterTexts> }
    >
  >;
  export default loaders;
}
/** The whole catalogues. */
declare module 'virtual:words/all' {
  const whole: Readonly<Record<PageLang, FirstTexts & LaterTexts>>;
  export default whole;
}
