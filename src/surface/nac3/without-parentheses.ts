/** A text without what stands between an opening parenthesis and the next closing one. A page may open as many as it likes, and close none. */
export function withoutParentheses(text: string): string {
  const parts = text.split(')');
  const last = parts.pop() ?? '';
  const kept = parts.map((part) => (part.includes('(') ? part.slice(0, part.indexOf('(')) : `${part})`));
  return kept.join('') + last;
}
