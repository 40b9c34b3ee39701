/**
 * The panels of this form of the page by column, and its tabs, from the folders of the instruments,
 * which the build collects.
 */
import instruments from 'virtual:instruments';
import { CODE, REPORTS } from 'virtual:panels';
import { SITE } from '../base/form.ts';
import { isTab } from '../base/instrument.ts';
import type { COLUMNS, Instrument } from '../base/instrument.ts';
import type { Lang } from '../i18n/index.ts';
import { lazily, whenAsked } from '../instruments/lazily.ts';
import type { CreatePanel, LoadPanel, MakeSection } from '../instruments/panel.ts';

/** An instrument that is a tab, with the loaders of its code. */
export interface TabPanel extends Instrument {
  readonly load: LoadPanel;
  /** Loads the code and the further content of the panel. */
  readonly preload: (lang: Lang) => Promise<unknown>;
}

/** Loads code, and on the site the styles of later panels; other forms load all styles at once. */
const styled = <Code>(code: Promise<Code>): Promise<Code> =>
  SITE ? Promise.all([code, import('../styles/later.css')]).then(([loaded]) => loaded) : code;

function createOf({ id, comes }: Instrument): CreatePanel {
  const code = CODE[id]!;
  if ('create' in code) return code.create;
  const load: LoadPanel = () => styled(code.load());
  return comes === 'asked' ? whenAsked(load) : lazily(load);
}

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

/** Loads the report sections of the instruments, in order. */
export const loadSections = (): Promise<readonly MakeSection[]> =>
  Promise.all(REPORTS.map((load) => load()));
