/** The page as one file: its styles come with its script. */
import '../styles/main.css';
import '../app/main.ts';
