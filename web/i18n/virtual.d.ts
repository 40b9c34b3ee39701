/** Words of the instruments of a form of the page, as embed/build/instruments.ts collects them. */
/* eslint-disable @typescript-eslint/consistent-type-imports */
type First = Readonly<Record<import('./areas.ts').KeysOf<import('./areas.ts').FirstWords>, string>>;
type Later = Readonly<Record<import('./areas.ts').KeysOf<import('./areas.ts').LaterWords>, string>>;

declare module 'virtual:words/en' {
  const words: First;
  export default words;
}
declare module 'virtual:words/zh' {
  const words: First;
  export default words;
}
declare module 'virtual:words/en-later' {
  const words: Later;
  export default words;
}
declare module 'virtual:words/zh-later' {
  const words: Later;
  export default words;
}
