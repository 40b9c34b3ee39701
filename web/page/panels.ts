/**
 * The panels of this form of the page, in their places: what the build has collected from the
 * folders of the instruments.
 */
import instruments from 'virtual:instruments';
import { CODE, REPORTS } from 'virtual:panels';
import { SITE } from '../base/form.ts';
import { TAB_GROUPS } from '../base/instrument.ts';
import type { COLUMNS, Instrument } from '../base/instrument.ts';
import type { Lang } from '../i18n/index.ts';
import { lazily, whenAsked } from '../instruments/lazily.ts';
import type { CreatePanel, LoadPanel, MakeSection } from '../instruments/panel.ts';

/** A tab with its code. */
export interface TabPanel extends Instrument {
  readonly load: LoadPanel;
  /** Fetches code and all that the panel shows beside it. */
  readonly preload: (lang: Lang) => Promise<unknown>;
}

/** Code with the styles of what is opened by a press, which other forms have from the start. */
const styled = <Code>(code: Promise<Code>): Promise<Code> =>
  SITE ? Promise.all([code, import('../styles/later.css')]).then(([loaded]) => loaded) : code;

function createOf({ id, comes }: Instrument): CreatePanel {
  const code = CODE[id]!;
  if ('create' in code) return code.create;
  const load: LoadPanel = () => styled(code.load());
  return comes === 'asked' ? whenAsked(load) : lazily(load);
}

const isTab = ({ place }: Instrument): boolean => TAB_GROUPS.some((group) => group === place);

/** The panels of a column from top to bottom; a panel has the id of its section. */
export function panelsOf(
  column: (typeof COLUMNS)[number],
): readonly (Instrument & { readonly create: CreatePanel })[] {
  return instruments
    .filter(({ place, isHere }) => place === column && isHere)
    .map((one) => ({ ...one, create: createOf(one) }));
}

/** The tabs, from left to right. */
export const TAB_PANELS: readonly TabPanel[] = instruments
  .filter((one) => isTab(one) && one.isHere)
  .map((one) => {
    const code = CODE[one.id]!;
    if ('create' in code) throw new Error(`the code of the tab ${one.id} comes too early`);
    return {
      ...one,
      load: () => styled(code.load()),
      preload: async (lang) => (await code.preload())?.(lang),
    };
  });

/** Sections that instruments give to the report of a run, in its order. */
export const loadSections = (): Promise<readonly MakeSection[]> =>
  Promise.all(REPORTS.map((load) => load()));
