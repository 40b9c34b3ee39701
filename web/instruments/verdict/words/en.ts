/** The verdict below the newest text. */
export const verdict = {
  'verdict.checking': 'Checking how much is new…',
  'verdict.new': 'All {count} are new.',
  'verdict.new.one': 'It is new.',
  'verdict.new.stream': 'All of it is new: nothing is copied from your text.',
  'verdict.some': '{fresh} new, {copied} from your text: {place}.',
  'verdict.mostly':
    'Mostly from your text: {characters} {characters|character|characters} in a row, {place}.',
  'verdict.part':
    'Partly from your text: {characters} {characters|character|characters} in a row, {place}.',
  'verdict.copied': 'Word for word from your text: {place}.',
  'verdict.line': 'line {line}',
  'verdict.chance': 'Lines this short repeat by chance.',
  'verdict.half': 'It was half new at {place}.',
  'verdict.step': 'step {step}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly verdict: typeof verdict;
  }
}
