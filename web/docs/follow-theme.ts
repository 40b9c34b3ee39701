/** Applies the app's theme to the documentation, which otherwise follows the system. */
import { applyTheme, recallTheme } from '../page/theme.ts';

const follow = (): void => {
  applyTheme(recallTheme(), document.documentElement);
};
follow();
// The reader may change the theme in another tab.
window.addEventListener('storage', follow);
