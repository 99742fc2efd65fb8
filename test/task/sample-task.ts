import type { TaskInput } from '../../src/task/schema.ts';

/** A valid task with only the required fields. */
export const SAMPLE: TaskInput = {
  id: 'sample',
  title: 'A sample',
  startUrl: 'http://basics.localhost/',
  goal: 'Send the form.',
  success: { kind: 'url', pattern: 'done$' },
};

/** The same task as YAML, with lines added or, by name, replaced. */
export function sampleYaml(fields: Record<string, string> = {}): string {
  const lines: Record<string, string> = {
    id: 'sample',
    title: 'A sample',
    startUrl: 'http://basics.localhost/',
    goal: 'Send the form.',
    success: '{ kind: url, pattern: done$ }',
    ...fields,
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
