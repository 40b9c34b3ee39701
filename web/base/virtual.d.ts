/** All instruments, as embed/build/instruments.ts collects them. */
declare module 'virtual:instruments' {
  // A declaration of a module cannot hold a relative import.
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports
  const instruments: readonly import('./instrument.ts').Instrument[];
  export default instruments;
}
