/** The receipt of the shown run, for a panel that stands around it. */
export { receiptBelow } from './receipt/receipt.tsx';
