import { fact } from '../messages/messages.ts';
import { nestingProblem } from '../contract/json.ts';
import { parsePlainly, type Parsed, type Problem } from '../contract/validation/problem.ts';
import { isRecord } from '../contract/validation/record.ts';
import { ValueSources, drawnInstances, possibleInstances, type DrawSecret } from './draw.ts';
import { type Instance, Instances, type Parameters } from './instance.ts';

/** An untrusted task; `instance` is null unless its file lists instances. */
export interface Expanded {
  value: unknown;
  instance: string | null;
}

/** Fields that keep their placeholders. */
const KEPT = new Set(['id', 'draw']);

/** Decides, with the id of a task and an index, the seed of each drawn instance. */
export interface DrawnFrom {
  secret: DrawSecret;
  suite: string;
}

/**
 * Makes a task of each instance, with its parameters in place of `{{name}}`. A text that is only a placeholder becomes the
 * parameter itself, which may be a number. With a secret, as many instances are drawn as a task with `draw` lists.
 */
export function expandInstances(value: unknown, from: DrawnFrom | null = null): Parsed<Expanded[]> {
  if (!isRecord(value) || nestingProblem(value) !== null) return { ok: true, value: [{ value, instance: null }] };
  const { instances, draw: sources, ...template } = value;
  if (instances === undefined) {
    if (sources === undefined) return { ok: true, value: [{ value, instance: null }] };
    return { ok: false, problems: [{ path: ['draw'], what: fact('goes_only_with', { owner: '"instances"' }) }] };
  }
  if (value['instance'] !== undefined) {
    return { ok: false, problems: [{ path: ['instance'], what: fact('instance_and_instances') }] };
  }
  const parsed = parsePlainly(Instances, instances, ['instances']);
  if (!parsed.ok) return parsed;
  const draw = parsePlainly(ValueSources.optional(), sources, ['draw']);
  if (!draw.ok) return draw;
  const filled =
    draw.value === undefined || from === null
      ? parsed.value.map((instance) => fill(template, instance))
      : drawnInstances(draw.value, { ...from, task: String(value['id']), count: parsed.value.length }).map((instance) =>
          fill({ ...template, draw: sources }, instance),
        );
  // Checks values that this secret does not draw, too.
  const possible = possibleInstances(draw.value ?? {}).map((instance) => fill(template, instance));
  const found = [filled.flatMap((each) => each.problems), ...possible.map((each) => each.problems)];
  const problems = found.find(({ length }) => length > 0);
  if (problems !== undefined) return { ok: false, problems };
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
  const fields = Object.entries(template).map(([field, value]) => [
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
