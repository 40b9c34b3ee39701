/** The page in a frame or an element, and links made by others. */
export const embed = {
  'embed.home': 'Glasshouse: open the whole page',
  'embed.task.back': 'The part of the task before this one',
  'embed.task.on': 'The next part of the task',
  'embed.unknown': 'Unknown parameters: {params}. They were ignored.',
  'error.text-awaited': 'The text comes from the page around this one. It is not here yet.',
  'error.text-locked':
    'The text of this lesson did not come with it, and none can be chosen here. Ask the person who gave you this page.',
  'error.policy':
    'The page around this one forbids WebAssembly. Its Content-Security-Policy has to allow ‘wasm-unsafe-eval’ in script-src.',
} as const;
