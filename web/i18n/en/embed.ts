/** Texts of frames and elements, and the report of unknown link parameters. */
export const embed = {
  'embed.home': 'Glasshouse: open the whole page',
  'embed.task.back': 'Previous part of the task',
  'embed.task.on': 'Next part of the task',
  'embed.unknown': 'Unknown parameters: {params}. They were ignored.',
  'error.text-awaited': 'The text comes from the page around this one and has not arrived yet.',
  'error.text-locked':
    'The text of this lesson is missing, and you cannot choose another one here. Ask the person who gave you this page.',
  'error.policy':
    'The page around this one forbids WebAssembly. Its Content-Security-Policy must allow ‘wasm-unsafe-eval’ in script-src.',
} as const;

declare module '../areas.ts' {
  interface FirstWords {
    readonly embed: typeof embed;
  }
}
