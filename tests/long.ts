/** Tests that `make test` leaves to `make test-all`. */
import { test } from 'vitest';

/** LONG=1, which `make test-all` sets: every test runs, at its full length. */
export const isLong = process.env['LONG'] === '1';

/** A test that is skipped unless LONG=1. A shorter one makes the same claim in `make test`. */
export const long = test.runIf(isLong);
