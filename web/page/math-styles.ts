/** How formulas look, with their font. */
import '../styles/math.css';
