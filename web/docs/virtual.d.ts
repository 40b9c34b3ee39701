declare module 'virtual:docs-entries/*' {
  // A declaration of a module cannot hold a relative import.
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports
  const entries: readonly import('./shown-entry.ts').ShownEntry[];
  export default entries;
}

declare module 'virtual:glossary/formulas' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports
  const formulas: import('./shown-term.ts').TermFormulas;
  export default formulas;
}

declare module 'virtual:glossary/*' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports
  const terms: readonly import('./shown-term.ts').ShownTerm[];
  export default terms;
}
