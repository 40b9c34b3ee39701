/** What the build puts into the forms that are one file. */
declare module 'virtual:worker-source' {
  /** The worker's script, bundled as a classic one. */
  const source: string;
  export default source;
}

declare module 'virtual:inlined' {
  /** The engine's module, as in bytes-as-text.ts. */
  export const engine: string;
  /** The sample texts that are in this form, by the name of their file. */
  export const texts: Readonly<Record<string, string>>;
}

declare module '*.css?inline' {
  const css: string;
  export default css;
}
