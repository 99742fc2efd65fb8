/** Deepest nesting of lists and maps that a value inside a task or contract may have. */
const MAX_NESTING = 64;

const MAX_VALUES = 20_000;

/**
 * Says why a value cannot be JSON of a sane size, or null when it can. Looks without recursion, so that a hostile value
 * (very deep, containing itself, or fanned out by shared references) gives an answer instead of a stack overflow.
 */
export function nestingProblem(value: unknown): string | null {
  const waiting = [{ value, depth: 1 }];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    const { depth } = next;
    if (depth > MAX_NESTING) {
      return `is nested deeper than ${MAX_NESTING} levels, or contains itself; flatten it`;
    }
    for (const inner of Object.values(next.value)) {
      seen += 1;
      if (seen > MAX_VALUES) return `holds more than ${MAX_VALUES} values; make it smaller`;
      waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  return null;
}

/** Whether lists and maps stand inside one another more than so many levels deep, or contain themselves. Without recursion. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  const waiting = [{ value, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: container, depth } = next;
    if (typeof container !== 'object' || container === null) continue;
    if (depth > levels) return true;
    for (const inner of Object.values(container)) waiting.push({ value: inner, depth: depth + 1 });
  }
  return false;
}
