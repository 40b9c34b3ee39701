/** A line below the reader's own text: a link that contains it. */
import { createCopyLink } from '../../../kit/copy-link.ts';
import { linkToPage } from '../../../store/address/page-link.ts';
import { panelOf } from '../../panel.ts';
import type { CreateLaterPanel } from '../../panel.ts';

export const createTextLink: CreateLaterPanel = (container, context) => {
  const { words, state, home } = context;
  const onLink = () => linkToPage(context);
  const link = createCopyLink({ words, look: 'link', onLink });
  link.update(true);
  container.append(link.root);
  const resize = (): void => undefined;
  const destroy = (): void => {
    container.replaceChildren();
  };
  let shown = state.version;
  return panelOf({ resize, destroy }, () => {
    if (shown !== state.version) link.forget();
    shown = state.version;
    link.root.hidden = home === null || state.source !== 'own' || state.shown === '';
  });
};
