/** Descriptor of an instrument, read from the `instrument.json` in its folder. */

/** Columns of the page, and groups of tabs. */
export const COLUMNS = ['input', 'run', 'inside'] as const;
export const TAB_GROUPS = ['play', 'understand', 'keep'] as const;

/** Name of the tab section, in lessons and as an element id. */
export const TAB_SECTION = 'closer';

export interface Instrument {
  /** The name of its folder. */
  readonly id: string;
  /** A column, a group of tabs, or around all of them. */
  readonly place: (typeof COLUMNS)[number] | (typeof TAB_GROUPS)[number] | 'around';
  /** Counts the instruments of a place, from the left or from the top. */
  readonly order?: number;
  /**
   * When the panel of a column comes: in the first task, soon after, once there is nothing better
   * to do, or when somebody goes to it. Tabs come when they are opened.
   */
  readonly comes?: 'first' | 'soon' | 'idle' | 'asked';
  /** Lessons can show the panel; `asked`: only by its name; `lock`: they can lock its controls. */
  readonly lesson?: { readonly asked?: boolean; readonly lock?: boolean };
  /** Name of the lock that disables the whole tab. */
  readonly locked?: string;
  /** Only on the site's own page. */
  readonly site?: boolean;
  /** Shows results of a run: with such a panel in sight, Start does not scroll to the samples. */
  readonly shows?: boolean;
  /** The place of its section in the report of a run. */
  readonly report?: number;
  /** Names in links of earlier versions. */
  readonly aliases?: readonly string[];
  /** Whether this form of the page has it. */
  readonly isHere: boolean;
}

export const isTab = ({ place }: Pick<Instrument, 'place'>): boolean =>
  TAB_GROUPS.some((group) => group === place);

/** Names in addresses: values of `view`, `show` and `lock`. `all` is in page order. */
export function namesOf(all: readonly Omit<Instrument, 'isHere'>[]) {
  const ids = (has: (one: Omit<Instrument, 'isHere'>) => boolean): readonly string[] =>
    all.filter(has).map(({ id }) => id);
  return {
    view: ids(isTab),
    show: [...ids(({ lesson }) => lesson !== undefined), TAB_SECTION],
    lock: ids(({ lesson }) => lesson?.lock === true),
  } as const;
}
