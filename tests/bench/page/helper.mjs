// A helper thread in a browser.
import { help } from '../../node/threads.mjs';

self.onmessage = ({ data }) => help(data);
