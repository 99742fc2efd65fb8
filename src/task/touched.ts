import type { NamedElement } from '../fault/fields.ts';
import type { Task } from './schema.ts';

/** The elements that a task's solution on the page acts on, each once, in its order. */
export function touchedBy({ solutions = [] }: Pick<Task, 'solutions'>): NamedElement[] {
  const steps = solutions.find((each) => each.for === 'page')?.steps ?? [];
  const elements = new Map<string, NamedElement>();
  for (const step of steps) {
    if (step.do === 'click') elements.set(`${step.role} ${step.name}`, { role: step.role, name: step.name });
    if (step.do === 'fill' || step.do === 'choose') elements.set(step.label, { name: step.label });
  }
  return [...elements.values()];
}
