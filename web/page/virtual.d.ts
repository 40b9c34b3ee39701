/** The code of the instruments of a form of the page, as embed/build/instruments.ts collects it. */
/* eslint-disable @typescript-eslint/consistent-type-imports */
declare module 'virtual:panels' {
  type Panel = import('../instruments/panel.ts').CreatePanel;
  type LaterPanel = import('../instruments/panel.ts').CreateLaterPanel;
  type Lang = import('../i18n/index.ts').Lang;

  /** By the id of the instrument. */
  export const CODE: Readonly<
    Record<
      string,
      | { readonly create: Panel }
      | {
          readonly load: () => Promise<LaterPanel>;
          /** Fetches what the panel shows beside its code. */
          readonly preload: () => Promise<((lang: Lang) => Promise<unknown>) | undefined>;
        }
    >
  >;
  /** Sections of the report of a run, in its order. */
  export const REPORTS: readonly (() => Promise<import('../instruments/panel.ts').MakeSection>)[];
}
