/** Runs with each file of browser tests: a test fails on problems of its pages. */
import { afterEach } from 'vitest';
import { judgeProblems } from './harness.ts';

afterEach(judgeProblems);
