/** Errors of links that contain or name a text, when a link is opened or made. */
export const links = {
  'error.link-size': 'This link holds too much: {0}, at most {1} are allowed.',
  'error.share-packed':
    'The text is too long for a link: packed it has {0} {0|character|characters}, and {1} fit. Choose another form, or open this page over https: the text can then be a file beside the page.',
  'error.share-size':
    'The text is too long for this form: {0} {0|byte|bytes}, at most {1}. Shorten it; a link or a frame can also name a file of up to 16,000,000 bytes.',
  'error.share-bytes':
    'This text is not UTF-8 or contains a NUL, so this form would change it. Choose a link or a frame.',
  'error.link-text':
    'The text in this link cannot be read. The link may have been cut off: ask for it again, or paste the text here.',
  'error.link-browser':
    'This browser is too old to unpack the text in this link. Open the link in a newer one, or paste the text here.',
  'error.link-file':
    'The text file in this link has a name that is not allowed: {name}. Ask for a new link.',
  'error.link-fetch':
    'The text file {name} could not be loaded. It must lie beside embed.html, under exactly this name.',
  'error.link-hash':
    'The text file {name} has changed since this link was made. Ask for a new link.',
} as const;

declare module '../areas.ts' {
  interface FirstWords {
    readonly links: typeof links;
  }
}
