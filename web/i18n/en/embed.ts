/** The page in a frame or an element, and links made by others. */
export const embed = {
  'embed.home': 'Glasshouse: open the whole page',
  'error.link-size': 'What this link holds is too long: {0}, at most {1} are allowed.',
  'error.share-packed':
    'The text is too long for a link: packed it has {0} {0|character|characters}, and {1} fit. Choose another form, or put the text as a file beside embed.html (the page for teachers says how).',
  'error.share-size':
    'The text is too long to be shared in a lesson: {0} {0|byte|bytes}, at most {1}. Put it as a file beside embed.html (the page for teachers says how), or shorten it.',
  'error.link-text':
    'The text in this link cannot be read. The link may have been cut off on its way: ask for it again, or paste the text here.',
  'error.link-file': 'This link names its text file in a way that is not allowed: {name}.',
  'error.link-hash':
    'The text file {name} is not the one that this link was made for: its contents have changed.',
  'error.link-insecure':
    'The text of this link can be checked on pages with https only, so it is not used here.',
  'error.policy':
    'The page around forbids WebAssembly. Its Content-Security-Policy has to allow ‘wasm-unsafe-eval’ in script-src.',
} as const;
