/** Whether the long run was asked for (`make test-all`): `it.runIf(LONG)`. */
export const LONG = process.env['LONG'] === '1';
