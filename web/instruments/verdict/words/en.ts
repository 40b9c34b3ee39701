/** The verdict below the newest text. */
export const verdict = {
  'verdict.checking': 'Checking what of it is new…',
  'verdict.new': 'All {count} are new.',
  'verdict.new.one': 'It is new.',
  'verdict.new.stream': 'All of it is new: nothing is copied from your text.',
  'verdict.some': '{fresh} new, {copied} from your text: ',
  'verdict.mostly':
    'Mostly from your text: {characters} {characters|character|characters} in a row, ',
  'verdict.part':
    'Partly from your text: {characters} {characters|character|characters} in a row, ',
  'verdict.copied': 'Word for word from your text: ',
  'verdict.line': 'line {line}',
  'verdict.and': ', ',
  'verdict.end': '.',
  'verdict.chance': '. Lines this short repeat by chance.',
  'verdict.half': '. It was half new at ',
  'verdict.step': 'step {step}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly verdict: typeof verdict;
  }
}
