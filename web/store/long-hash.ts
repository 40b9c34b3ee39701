/** SHA-256 in parts; a separate file, so that a bundle contains this function alone. */
export { sha256 } from '@noble/hashes/sha2.js';
