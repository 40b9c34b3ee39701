/** Pictures of the heads, loaded once there is attention to show. */
export { HeadGrid } from './head-grid.tsx';
export { LargeHead } from './large-head.tsx';
