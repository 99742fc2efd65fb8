/** Variables of our environment, those of these names that are set. */
export function variablesNamed(names: readonly string[]): Record<string, string> {
  const found = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}
