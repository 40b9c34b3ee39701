/** All instruments, as embed/build/instruments.ts collects them. */
declare module 'virtual:instruments' {
  const instruments: readonly import('./instrument.ts').Instrument[];
  export default instruments;
}
