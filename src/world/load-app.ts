import { createJiti } from 'jiti';
import { type CreateApp, defineApp } from './app.ts';

/**
 * Loads an app file (TypeScript or JavaScript), which imports `defineApp` from `touchstone`.
 * An app is code that runs on this machine, so only suites and packages that one trusts may bring one.
 * @throws Error when the file cannot be run or has no app as its default export.
 */
export async function loadApp(file: string): Promise<CreateApp> {
  const jiti = createJiti(import.meta.url, { fsCache: false, interopDefault: false, virtualModules: { touchstone: { defineApp } } });
  const exported: unknown = await jiti.import(file);
  if (typeof exported === 'object' && exported !== null && 'default' in exported && isCreateApp(exported.default)) {
    return exported.default;
  }
  throw new Error(`${file} has no app as its default export; write "export default defineApp(() => ({ fetch, state }))"`);
}

function isCreateApp(value: unknown): value is CreateApp {
  return typeof value === 'function';
}
