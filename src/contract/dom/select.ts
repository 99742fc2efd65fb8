export function selectorProblem(_selector: string): string | null {
  return null;
}
