/** The worker's script inside the module, so that starting it needs no network. */
import source from 'virtual:worker-source';
import { workerOf } from '../engine/import-worker.ts';

export const WORKERS: readonly (() => Worker)[] = [() => workerOf(source)];
