import path from 'node:path';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';

export function isExecutable(place: string): boolean {
  try {
    accessSync(place, constants.X_OK);
    return statSync(place).isFile();
  } catch {
    return false;
  }
}

export function programsOnPath(): string[] {
  return foldersOfPath().flatMap((folder) => {
    try {
      return readdirSync(folder).filter((name) => isExecutable(path.resolve(folder, name)));
    } catch {
      return [];
    }
  });
}

function foldersOfPath(): string[] {
  return (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
}

/** The first program of this name on the PATH, or null. */
export function onPath(name: string): string | null {
  return (
    foldersOfPath()
      .map((folder) => path.resolve(folder, name))
      .find(isExecutable) ?? null
  );
}

export function variablesNamed(names: readonly string[]): Record<string, string> {
  const found = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}
