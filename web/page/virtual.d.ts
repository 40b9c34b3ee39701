/** The code of the instruments of a form of the page, as embed/build/instruments.ts collects it. */
/* eslint-disable @typescript-eslint/consistent-type-imports */
declare module 'virtual:panels' {
  type Panel = import('../instruments/panel.ts').CreatePanel;
  type LaterPanel = import('../instruments/panel.ts').CreateLaterPanel;
  type Lang = import('../i18n/index.ts').Lang;

  /** Code of the panels, by instrument id. */
  export const CODE: Readonly<
    Record<
      string,
      | { readonly create: Panel }
      | {
          readonly load: () => Promise<LaterPanel>;
          /** Resolves to the function that fetches the panel's further content, if it has one. */
          readonly preload: () => Promise<((lang: Lang) => Promise<unknown>) | undefined>;
        }
    >
  >;
  /** Sections of a run's report, in order. */
  export const REPORTS: readonly (() => Promise<import('../instruments/panel.ts').MakeSection>)[];
}
