import { z } from 'zod';
import { eachNamedOnce, rule } from '../contract/validation/wording.ts';
import { fact } from '../messages/messages.ts';

/** Part of file names and of `run_id`, whose parts are separated by `__`. */
export const Id = z
  .string()
  .max(80, rule('id_too_long', { most: 80 }))
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/, rule('not_an_id'));

/** The id that the name of a file gives; null if that has no letters or digits. */
export function idOfFileName(name: string): string | null {
  const joined = name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 80);
  return joined.replaceAll(/^-|-$/g, '') || null;
}

/** In characters: a parameter may be used in many places of a task. */
const MAX_TEXT = 1_000;

export const ParameterName = z.string().regex(/^[A-Za-z]\w*$/, rule('parameter_name'));

export const ParameterValue = z.union(
  [z.string().max(MAX_TEXT), z.number()],
  rule('parameter_type', { most: MAX_TEXT }),
);

/** Values by name, which replace `{{name}}` in the task and are passed to its apps. */
export const Parameters = z.record(ParameterName, ParameterValue);
export type Parameters = z.infer<typeof Parameters>;

/** A task without instances has one, named `default`. */
export const Instance = z.strictObject({
  name: Id,
  seed: z.int().optional().describe('the seed that its values were drawn from'),
  parameters: Parameters.describe('values that replace `{{name}}` in the task and are passed to its apps'),
});
export type Instance = z.infer<typeof Instance>;

export const MAX_INSTANCES = 100;

export const DRAWN = 'drawn-';

/** Whether an instance has a name that only drawn ones may have. */
export function hasDrawnName(name: string): boolean {
  return name.startsWith(DRAWN);
}

/** One task is made for each. */
export const Instances = z
  .array(Instance.refine(({ name }) => !hasDrawnName(name), { path: ['name'], error: rule('name_of_drawn') }))
  .min(1, rule('list_empty', { entry: 'instance' }))
  .max(MAX_INSTANCES, rule('too_many_instances', { most: MAX_INSTANCES }))
  .superRefine(eachNamedOnce(({ name }) => name, 'name', fact('name_taken')));

const DEFAULT_INSTANCE = 'default';

interface Instanced {
  id: string;
  instance?: Pick<Instance, 'name'> | undefined;
}

/** A name made by {@link taskName}. */
export const TaskName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*(@[A-Za-z0-9]+([-_][A-Za-z0-9]+)*)?$/, rule('not_a_task_name'));

export function instanceName({ instance }: Pick<Instanced, 'instance'>): string {
  return instance?.name ?? DEFAULT_INSTANCE;
}

/** The name of a task on the command line, in file names and reports: `id`, or `id@instance` if it has several. */
export function taskName({ id, instance }: Instanced): string {
  return nameOfInstance(id, instance?.name ?? DEFAULT_INSTANCE);
}

export function nameOfInstance(task: string, instance: string): string {
  return instance === DEFAULT_INSTANCE ? task : `${task}@${instance}`;
}

/** A task with its planned faults: `sign-in + page-modal`. */
export function nameWithFaults(name: string, faults: readonly string[]): string {
  return [name, ...faults].join(' + ');
}

export function episodeName({ task, instance, faults = [] }: NamedEpisode): string {
  return nameWithFaults(
    nameOfInstance(task, instance),
    faults.map(({ id }) => id),
  );
}

interface NamedEpisode {
  task: string;
  instance: string;
  faults?: readonly { id: string }[];
}
