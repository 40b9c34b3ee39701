/** The map of attention of the column, enlarged in a tab. */
export { createAttentionWide as create } from '../attention.tsx';
