/** Descriptor of an instrument, read from the `instrument.json` in its folder. */

/** Columns of the page, and groups of tabs. */
export const COLUMNS = ['input', 'run', 'inside'] as const;
export const TAB_GROUPS = ['play', 'understand', 'keep'] as const;

/** Name of the tab section, in lessons and as an element id. */
export const TAB_SECTION = 'closer';

export interface Instrument {
  /** The name of its folder. */
  readonly id: string;
  /** A column, a group of tabs, or `around`: outside both, such as the tour. */
  readonly place: (typeof COLUMNS)[number] | (typeof TAB_GROUPS)[number] | 'around';
  /** Position among the instruments of the same place, from the left or from the top. */
  readonly order?: number;
  /**
   * When the panel of a column is created. `first`: in the first task; `soon`: in later tasks, one
   * by one; `idle`: when Start can be pressed and the browser is idle; `asked`: when the reader
   * goes to the panel. Tabs are created when opened.
   */
  readonly comes?: 'first' | 'soon' | 'idle' | 'asked';
  /**
   * Present if lessons can hide the panel. `asked`: shown only in lessons that name it. `lock`:
   * lessons can lock its controls.
   */
  readonly lesson?: { readonly asked?: boolean; readonly lock?: boolean };
  /** Id of the panel with which lessons show and hide it. */
  readonly follows?: string;
  /** Name of the lock that disables the whole tab. */
  readonly locked?: string;
  /** Whether the instrument is only on the site's own page. */
  readonly site?: boolean;
  /**
   * Whether the panel shows results of a run: while one is in sight, Start does not scroll to the
   * samples.
   */
  readonly shows?: boolean;
  /** Whether the header's first link about the model opens this tab. */
  readonly explains?: boolean;
  /** Position of the instrument's section in the report of a run; absent without a section. */
  readonly report?: number;
  /** Names of the instrument in links of earlier versions. */
  readonly aliases?: readonly string[];
  /** Whether this form of the page (form.ts) has the instrument. */
  readonly isHere: boolean;
}

export const isTab = ({ place }: Pick<Instrument, 'place'>): boolean =>
  TAB_GROUPS.some((group) => group === place);

/** Ids that the link parameters `view`, `show` and `lock` accept. `all` is in page order. */
export function namesOf(all: readonly Omit<Instrument, 'isHere'>[]) {
  const ids = (has: (one: Omit<Instrument, 'isHere'>) => boolean): readonly string[] =>
    all.filter(has).map(({ id }) => id);
  return {
    view: ids(isTab),
    show: [...ids(({ lesson }) => lesson !== undefined), TAB_SECTION],
    lock: ids(({ lesson }) => lesson?.lock === true),
  } as const;
}
