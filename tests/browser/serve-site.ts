/**
 * Vitest's global setup: one server of the built site with its published headers, for all tests.
 */
import { join } from 'node:path';
import { preview } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    siteUrl: string;
  }
}

export default async function serveSite(project: TestProject): Promise<() => Promise<void>> {
  const server = await preview({
    configFile: join(import.meta.dirname, '../../vite.config.ts'),
    logLevel: 'warn',
    preview: { host: '127.0.0.1', port: 0 },
  });
  const url = server.resolvedUrls?.local[0];
  if (url === undefined) throw new Error('the site has no address');
  project.provide('siteUrl', url);
  return () => server.close();
}
