/**
 * Time limits of the tests, in milliseconds. A poll ends before its test does: so a slow wait fails
 * with the last value and not with "test timed out".
 */

/** One value is polled until it is as expected. */
export const POLL = 15_000;

/** A run reaches a state: a training is part of the wait. */
export const REACH = 25_000;

/** One test, and each of its hooks. */
export const TEST = 60_000;
