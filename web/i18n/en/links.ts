/**
 * Links that hold a text, or name one: what is wrong with those of others, and why one cannot be
 * made.
 */
export const links = {
  'error.link-size': 'What this link holds is too long: {0}, at most {1} are allowed.',
  'error.share-packed':
    'The text is too long for a link: packed it has {0} {0|character|characters}, and {1} fit. Choose another form, or open this page over https: the text can then lie as a file beside the page.',
  'error.share-size':
    'The text is too long to be shared in this form: {0} {0|byte|bytes}, at most {1}. Shorten it; a link or a frame can also name a file of up to 16,000,000 bytes.',
  'error.share-bytes':
    'This text is not UTF-8, or has a NUL in it: in this form it would not survive unchanged. Choose a link or a frame.',
  'error.link-text':
    'The text in this link cannot be read. The link may have been cut off on its way: ask for it again, or paste the text here.',
  'error.link-browser':
    'This browser is too old to unpack the text in this link. Open the link in a newer one, or paste the text here.',
  'error.link-file': 'This link names its text file in a way that is not allowed: {name}.',
  'error.link-fetch':
    'The text file {name} could not be loaded. It has to lie beside embed.html, under exactly this name.',
  'error.link-hash':
    'The text file {name} is not the one that this link was made for: its contents have changed.',
} as const;
