import { z } from 'zod';
import { eachNamedOnce } from '../contract/fields.ts';
import { rule } from '../contract/validation/wording.ts';
import { fact } from '../messages/messages.ts';

/** An id is part of file names and of `run_id`, whose parts are separated by `__`. */
export const Id = z
  .string()
  .max(80, rule('id_too_long', { most: 80 }))
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/, rule('not_an_id'));

/** Longest text of a parameter, in characters: it may stand in many places of a task. */
const MAX_TEXT = 1_000;

/** Values by name, which stand in the task as `{{name}}` and are given to the apps of its world. */
const Parameters = z.record(
  z.string().regex(/^[A-Za-z]\w*$/, rule('parameter_name')),
  z.union([z.string().max(MAX_TEXT), z.number()], rule('parameter_type', { most: MAX_TEXT })),
);
export type Parameters = z.infer<typeof Parameters>;

/** A task with its values filled in. A task that is written without instances has one, named `default`. */
export const Instance = z.strictObject({
  name: Id,
  seed: z.int().optional().describe('the seed that its values were drawn from'),
  parameters: Parameters.describe('values that replace `{{name}}` in the task and are passed to its apps'),
});
export type Instance = z.infer<typeof Instance>;

/** Most instances of one task. */
const MAX_INSTANCES = 100;

/** The instances of a task file: one task is made for each. */
export const Instances = z
  .array(Instance)
  .min(1, rule('list_empty', { entry: 'instance' }))
  .max(MAX_INSTANCES, rule('too_many_instances', { most: MAX_INSTANCES }))
  .superRefine(eachNamedOnce(({ name }) => name, 'name', fact('name_taken')));

const DEFAULT_INSTANCE = 'default';

interface Instanced {
  id: string;
  instance?: Pick<Instance, 'name'> | undefined;
}

/** A name as {@link taskName} gives it, as other files may hold it. */
export const TaskName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*(@[A-Za-z0-9]+([-_][A-Za-z0-9]+)*)?$/, rule('not_a_task_name'));

/** The instance's name, as rows have it. */
export function instanceName({ instance }: Pick<Instanced, 'instance'>): string {
  return instance?.name ?? DEFAULT_INSTANCE;
}

/** Name a task for the command line, file names and reports: `id`, or `id@instance` where it has several. */
export function taskName({ id, instance }: Instanced): string {
  return nameOfInstance(id, instance?.name ?? DEFAULT_INSTANCE);
}

/** The same, of a task that a row names. */
export function nameOfInstance(task: string, instance: string): string {
  return instance === DEFAULT_INSTANCE ? task : `${task}@${instance}`;
}

/** A task with what was planned to go wrong in it, as people read and type it: `sign-in + page-modal`. */
export function nameWithFaults(name: string, faults: readonly string[]): string {
  return [name, ...faults].join(' + ');
}

/** The same, of an episode that a row names. */
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
