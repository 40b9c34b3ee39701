/** Texts of the page outside the panels, and names of special tokens. */
export const app = {
  'app.title': 'Glasshouse',
  'app.newer':
    'This site has a newer version, and parts of this page can no longer be loaded. Reload the page: a run that has begun is saved and continues.',
  'app.newer.reload': 'Reload the page',
  'app.days': '{days} {days|day|days}',
  'app.locked': 'Fixed for this lesson.',
  'app.place.page':
    'Background workers are not allowed here, so training shares the page’s own thread: it works, but less smoothly.',
  'app.place.threads': 'Trains on {threads} threads.',
  'app.place.thread': 'Trains on one thread.',
  'app.missing':
    'This part of the page could not be loaded. Press again once the connection is back.',
  'app.broken':
    'This part of the page failed: {name}. The rest still works. To get this part back, reload the page.',
  'tabs.title': 'Look closer',
  'tabs.missing':
    'This part of the page could not be loaded. The page keeps trying; you can also press its tab again.',
  'tabs.up': 'Back to the tabs',
  'tabs.play': 'Play',
  'tabs.play.about': 'Write token by token and watch the dice',
  'tabs.understand': 'Understand',
  'tabs.understand.about': 'The model, number by number',
  'tabs.keep': 'Keep and share',
  'tabs.keep.about': 'Runs, files, lessons and links',
  'list.separator': ', ',
  'list.more': '{list} and {count} more',
  'token.bos': 'the beginning',
  'token.bytes': '{count|byte|bytes} {hex}',
  'token.part': '{count|byte|bytes} {hex}, {place} of {total} of “{text}”',
  'token.marks': '▸ is the beginning, ■ the end.',
  'token.unreadable': 'unreadable',
  'token.space': 'the space',
  'token.newline': 'the line break',
  'token.text': '“{text}”',
  'token.plain': 'the plain “{text}” (U+{code})',
  'token.wide': 'the wide “{text}” (U+{code})',
  'token.unseen': 'U+{code}',
  'token.unseen.0000': 'the NUL character (U+{code})',
  'token.unseen.0007': 'the bell character (U+{code})',
  'token.unseen.0008': 'the backspace character (U+{code})',
  'token.unseen.0009': 'the tab',
  'token.unseen.001B': 'the escape character (U+{code})',
  'token.unseen.00A0': 'the no-break space (U+{code})',
  'token.unseen.00AD': 'the soft hyphen (U+{code})',
  'token.unseen.200B': 'the zero-width space (U+{code})',
  'token.unseen.200C': 'the zero-width non-joiner (U+{code})',
  'token.unseen.200D': 'the zero-width joiner (U+{code})',
  'token.unseen.200E': 'the left-to-right mark (U+{code})',
  'token.unseen.200F': 'the right-to-left mark (U+{code})',
  'token.unseen.202E': 'the right-to-left override (U+{code})',
  'token.unseen.2060': 'the word joiner (U+{code})',
  'token.unseen.3000': 'the wide space (U+{code})',
  'token.unseen.FE0F': 'the sign for drawing in colour (U+{code})',
  'token.unseen.FEFF': 'the byte order mark (U+{code})',
} as const;

declare module '../areas.ts' {
  interface FirstWords {
    readonly app: typeof app;
  }
}
