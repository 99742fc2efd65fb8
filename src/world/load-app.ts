import { loadTypeScript } from '../process/typescript-loader.ts';
import { type CreateApp, defineApp } from './app.ts';
import { WorldError } from './error.ts';
import { defineRealApp } from './real-app/define-real-app.ts';
import { messageOf } from '../contract/message-of.ts';

const REMEDY = 'write "export default defineApp(() => ({ fetch, state }))"; docs/write-a-task.md shows an app';

/**
 * Loads an app file (TypeScript or JavaScript), which imports `defineApp` or `defineRealApp` from `touchstone`.
 * An app is code that runs on this machine, so only suites and packages that one trusts may bring one.
 * @param anew whether its modules are run once more, so that it shares nothing with what was loaded before
 * @throws WorldError `bad_app` when the file cannot be run or has no app as its default export.
 */
export async function loadApp(file: string, { anew = false }: { anew?: boolean } = {}): Promise<CreateApp> {
  let exported: unknown;
  try {
    exported = await loadTypeScript(file, {
      virtualModules: { touchstone: { defineApp, defineRealApp } },
      anew,
    });
  } catch (error) {
    const why = messageOf(error);
    throw new WorldError('bad_app', `the app ${file} cannot be run: ${why}`, remedyOf(error), error);
  }
  if (typeof exported === 'object' && exported !== null && 'default' in exported && isCreateApp(exported.default)) {
    return exported.default;
  }
  throw new WorldError('bad_app', `${file} has no app as its default export`, REMEDY);
}

/** An app may know better than we do: what it needs may be missing, and not be its fault. */
function remedyOf(error: unknown): string {
  const own = error instanceof Error && 'remedy' in error ? error.remedy : null;
  return typeof own === 'string' && own !== '' ? own : 'fix the file';
}

function isCreateApp(value: unknown): value is CreateApp {
  return typeof value === 'function';
}
