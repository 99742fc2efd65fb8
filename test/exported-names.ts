/** Matches an export at its declaration, not a re-export. */
const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (?<name>\w+)/gm;

export function exportedTwice(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const exporters = new Map<string, string[]>();
  for (const [file, text] of sources) {
    const names = new Set([...text.matchAll(DECLARED)].map(({ groups }) => groups?.['name'] ?? ''));
    for (const name of names) exporters.set(name, [...(exporters.get(name) ?? []), file]);
  }
  return new Map([...exporters].filter(([, files]) => files.length > 1));
}
