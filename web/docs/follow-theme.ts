/** The documentation in the colours that the reader chose in the app; without a script, in the system's. */
import { applyTheme, recallTheme } from '../page/theme.ts';

const follow = (): void => {
  applyTheme(recallTheme(), document.documentElement);
};
follow();
// Another tab of the same reader may change its mind.
window.addEventListener('storage', follow);
