/** Entry of the single-file page; its styles are imported by the script. */
import '../styles/main.css';
import '../styles/later.css';
import '../i18n/all.ts';
import '../page/main.ts';
