/** The documentation in the colours that the reader chose in the app; without a script, in the system's. */
import { applyTheme, recallTheme } from '../app/theme.ts';

const follow = (): void => {
  applyTheme(recallTheme());
};
follow();
// Another tab of the same reader may change its mind.
window.addEventListener('storage', follow);
