/** Setup file of the browser tests: fails a test if its pages had unexpected problems. */
import { afterEach } from 'vitest';
import { judgeProblems } from './harness.ts';

afterEach(judgeProblems);
