/** The page as one file: its styles come with its script. */
import '../styles/main.css';
import '../styles/later.css';
import '../i18n/all.ts';
import '../page/main.ts';
