/**
 * Every time limit of the tests, in milliseconds. Each is smaller than the one that encloses it, so
 * that a slow wait fails with the value it last saw and not with "test timed out".
 */

/** One value is polled until it is as expected. */
export const POLL = 15_000;

/** A run reaches a state: a training is part of the wait. */
export const REACH = 25_000;

/** One test, and each of its hooks. */
export const TEST = 60_000;
