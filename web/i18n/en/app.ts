/** The page as a whole. */
export const app = {
  'app.title': 'Glasshouse',
  'app.tagline': 'Grow a GPT behind glass',
  'app.lead':
    'A small language model learns your text, here in this tab. Press Start and watch: the loss falls, nonsense turns into words, attention takes shape. Nothing you paste leaves this tab.',
  'app.language': 'Language',
  'app.theme': 'Colours',
  'app.theme.auto': 'Auto light/dark',
  'app.theme.light': 'Light',
  'app.theme.dark': 'Dark',
  'app.footer':
    'The engine is written from scratch in C and compiled to WebAssembly. The same text, settings and seed give the same losses, to the last bit, on every machine.',
  'app.docs': 'How it works',
  'app.place.page':
    'Background workers are refused here, so training shares the page’s own thread: it still works, only less smoothly.',
  'app.place.threads': 'Training uses {threads} threads of this machine.',
  'app.place.thread': 'Training uses one thread of this machine.',
  'closer.title': 'Look closer',
  'list.separator': ', ',
  'token.bos': 'the beginning',
  'token.bytes': 'byte {hex}',
  'token.space': 'the space',
  'token.newline': 'the line break',
  'token.text': '“{text}”',
} as const;
