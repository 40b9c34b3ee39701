/** Modules that the build makes for single-file forms. */
declare module 'virtual:worker-source' {
  /** The worker's script, bundled as a classic script. */
  const source: string;
  export default source;
}

declare module 'virtual:inlined' {
  /** The engine's module, encoded as in bytes-as-text.ts. */
  export const engine: string;
  /** The embedded sample texts, by file name. */
  export const texts: Readonly<Record<string, string>>;
}

declare module '*.css?inline' {
  const css: string;
  export default css;
}
