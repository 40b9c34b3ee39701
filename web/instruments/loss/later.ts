/** Parts loaded once there is something to draw, with uPlot. */
export { EarlierList } from './earlier-list.tsx';
export { LossControls } from './loss-controls.tsx';
export { Plot } from './plot/loss-plot.tsx';
