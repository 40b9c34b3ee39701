/** The attention map of the column, enlarged in a tab. */
export { createAttentionWide as create } from '../attention.tsx';
