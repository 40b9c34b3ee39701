/**
 * The engine of the site's page, started before the modules of the page are evaluated, which the
 * browser does meanwhile. Import this module first.
 */
import { ignore } from '../engine/errors.ts';
import { sources } from './sources.ts';

export const site = sources();

export const engine = site.startEngine();
// Callers that await the engine get the failure.
engine.catch(ignore);
