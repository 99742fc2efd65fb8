import { loadTypeScript } from '../process/typescript-loader.ts';
import { type CreateApp, defineApp } from './app.ts';
import { fact } from '../messages/messages.ts';
import { WorldError } from './error.ts';
import { defineRealApp } from './real-app/define-real-app.ts';
import { messageOf } from '../contract/message-of.ts';

/**
 * Loads an app file (TypeScript or JavaScript), which imports `defineApp` or `defineRealApp` from `touchstone`.
 * An app is code that runs on this machine, so only suites and packages that one trusts may bring one.
 * @throws WorldError when the file cannot be run or has no app as its default export.
 */
export async function loadApp(file: string): Promise<CreateApp> {
  let exported: unknown;
  try {
    exported = await loadTypeScript(file, {
      virtualModules: { touchstone: { defineApp, defineRealApp } },
      reloads: false,
    });
  } catch (error) {
    const remedy = remedyOf(error);
    throw new WorldError(fact('app_cannot_be_run', { file, why: messageOf(error), remedy }), error);
  }
  if (typeof exported === 'object' && exported !== null && 'default' in exported && isCreateApp(exported.default)) {
    return exported.default;
  }
  throw new WorldError(fact('app_has_no_default', { file }));
}

/** An app whose error, when it cannot be made, names its file. */
export function namingFile(file: string, create: CreateApp): CreateApp {
  return async (...given) => {
    try {
      return await create(...given);
    } catch (error) {
      if (error instanceof WorldError) throw error;
      throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
    }
  };
}

/** An app may know better than we do: something that it needs may be missing. */
function remedyOf(error: unknown): string {
  const own = error instanceof Error && 'remedy' in error ? error.remedy : null;
  return typeof own === 'string' && own !== '' ? own : 'fix the file';
}

function isCreateApp(value: unknown): value is CreateApp {
  return typeof value === 'function';
}
