/** SHA-256 in parts; in a file of its own, so that a bundle takes this function alone. */
export { sha256 } from '@noble/hashes/sha2.js';
