/** The receipt as a panel of lessons. */
import { panelWith } from '../component.tsx';
import { Receipt } from '../common/receipt.tsx';

export const createReceipt = panelWith(
  () => (
    <div class="receipt">
      <Receipt heading="h2" />
    </div>
  ),
  'open',
);
