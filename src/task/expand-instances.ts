import { fact } from '../messages/messages.ts';
import { nestingProblem } from '../contract/json.ts';
import { parsePlainly, type Parsed, type Problem } from '../contract/validation/problem.ts';
import { isRecord } from '../contract/validation/record.ts';
import { type Instance, Instances, type Parameters } from './instance.ts';

/** An untrusted task; `instance` is null unless its file lists instances. */
export interface Expanded {
  value: unknown;
  instance: string | null;
}

/** Fields that keep their placeholders. */
const KEPT = new Set(['id', 'instances']);

/**
 * Makes a task of each instance, with its parameters in place of `{{name}}`. A text that is only a placeholder becomes the
 * parameter itself, which may be a number.
 */
export function expandInstances(value: unknown): Parsed<Expanded[]> {
  if (!isRecord(value) || value['instances'] === undefined || nestingProblem(value) !== null) {
    return { ok: true, value: [{ value, instance: null }] };
  }
  if (value['instance'] !== undefined) {
    return { ok: false, problems: [{ path: ['instance'], what: fact('instance_and_instances') }] };
  }
  const parsed = parsePlainly(Instances, value['instances'], ['instances']);
  if (!parsed.ok) return parsed;
  const filled = parsed.value.map((instance) => fill(value, instance));
  const problems = filled.flatMap((each) => each.problems);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: filled.map(({ task, name }) => ({ value: task, instance: name })) };
}

function fill(template: Record<string, unknown>, instance: Instance) {
  const problems: Problem[] = [];
  const missing = (path: Problem['path'], name: string): void => {
    const known = Object.keys(instance.parameters);
    problems.push({
      path: [...path],
      what: fact('parameter_unknown', { name, instance: instance.name, count: known.length, known }),
    });
  };
  const fields = Object.entries(template)
    .filter(([field]) => field !== 'instances')
    .map(([field, value]) => [
      field,
      KEPT.has(field) ? value : withParameters(value, instance.parameters, [field], missing),
    ]);
  return { name: instance.name, problems, task: { ...Object.fromEntries(fields), instance } };
}

const PLACEHOLDER = /\{\{\s*([A-Za-z]\w*)\s*\}\}/g;
const ONLY_PLACEHOLDER = new RegExp(`^${PLACEHOLDER.source}$`);

type Missing = (path: Problem['path'], name: string) => void;

function withParameters(value: unknown, parameters: Parameters, path: Problem['path'], missing: Missing): unknown {
  if (typeof value === 'string') return textWith(value, parameters, path, missing);
  if (Array.isArray(value)) {
    return value.map((each, index) => withParameters(each, parameters, [...path, index], missing));
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, each]) => [key, withParameters(each, parameters, [...path, key], missing)]),
  );
}

function textWith(text: string, parameters: Parameters, path: Problem['path'], missing: Missing): string | number {
  const valueOf = (name: string): string | number => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (value === undefined) missing(path, name);
    return value ?? '';
  };
  const only = ONLY_PLACEHOLDER.exec(text)?.[1];
  if (only !== undefined) return valueOf(only);
  return text.replaceAll(PLACEHOLDER, (_placeholder, name: string) => String(valueOf(name)));
}

/** The tasks of a file, one or a list, and their places in it. */
export function candidatesIn(value: unknown): { value: unknown; path: number[] }[] {
  if (isRecord(value) || !Array.isArray(value)) return [{ value, path: [] }];
  const entries: readonly unknown[] = value;
  return entries.map((entry, index) => ({ value: entry, path: [index] }));
}
