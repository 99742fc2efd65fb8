/** Everything that an agent was told: its goal, the tools, and all replies so far. */
export class Heard {
  readonly #texts = new Set<string>();

  hear(text: string): void {
    this.#texts.add(text);
  }

  /** Whether a value stood there, and not only as a piece of a longer word or number. */
  has(value: string): boolean {
    return value !== '' && [...this.#texts].some((text) => standsIn(text, value));
  }
}

function standsIn(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const isWhole = !/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + value.length));
    if (isWhole) return true;
  }
  return false;
}
