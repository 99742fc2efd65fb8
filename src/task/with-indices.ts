/** The place of a clause as an author finds it in a file: `success.children[0]`, where rows and mutants say `success.children.0`. */
export function withIndices(path: string): string {
  return path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
}
