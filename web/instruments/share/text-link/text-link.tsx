/** A line below the reader's own text, to copy a link that contains this text. */
import { CopyLink } from '../../../kit/copy-link.tsx';
import { linkToPage } from '../../../store/address/page-link.ts';
import { panelWith, useInstrument } from '../../component.tsx';

export const createTextLink = panelWith(TextLink, 'open');

function TextLink() {
  const context = useInstrument();
  const { words, state, home } = context;
  const { source, shown, version } = state;
  if (home === null || source !== 'own' || shown === '') return null;
  const onLink = () => linkToPage(context);
  return <CopyLink words={words} version={version} onLink={onLink} look="link" isOwn />;
}
