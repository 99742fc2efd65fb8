type Variables = Partial<Record<'INIT_CWD' | 'npm_lifecycle_event', string>>;

/**
 * Returns the folder in which a command was typed where `npm run touchstone` runs it, as npm runs scripts in the root of the package;
 * null where nothing but that folder is meant, as in a script of ours that names files from there.
 */
export function typedFolder({ INIT_CWD: typed, npm_lifecycle_event: script }: Variables): string | null {
  return script === 'touchstone' && typed !== undefined && typed !== '' ? typed : null;
}
