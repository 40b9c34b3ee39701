/** The tab with the enlarged attention panel. */
export { createAttentionWide as create } from '../attention.tsx';
