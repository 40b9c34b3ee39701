/** What draws curves: uPlot, once it is safe to load. */
import './valid-language.ts';

export { default } from 'uplot';
