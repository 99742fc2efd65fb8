import { z } from 'zod';
import { Mode } from '../bundle/row-words.ts';

/** The letters are those of seed 002. */
export const AXES = {
  task_completion: { letter: 'B/G', role: 'primary', when: 'always' },
  fault_recovery: { letter: 'D', role: 'primary', when: 'faults fired within complete tasks' },
  authentication: { letter: 'E', role: 'primary', when: 'folded into complete tasks' },
  sign_in_setup: { letter: 'E', role: 'diagnostic', when: 'always' },
  token_efficiency: { letter: 'A', role: 'diagnostic', when: 'always' },
  speed: { letter: 'C', role: 'diagnostic', when: 'always' },
  time_per_success: { letter: 'C', role: 'primary', when: 'weighted by success over complete tasks' },
  developer_experience: { letter: 'F', role: 'diagnostic', when: 'always' },
  episode_cost: { letter: 'cost', role: 'diagnostic', when: 'always' },
} as const;
export type Axis = keyof typeof AXES;

function axis<A extends (typeof AXES)[Axis]>({ letter, role, when }: A) {
  return z.strictObject({
    letter: z.literal<A['letter']>(letter),
    role: z.literal<A['role']>(role),
    when: z.literal<A['when']>(when),
  });
}

export const Axes = z.strictObject({
  task_completion: axis(AXES.task_completion),
  fault_recovery: axis(AXES.fault_recovery),
  authentication: axis(AXES.authentication),
  sign_in_setup: axis(AXES.sign_in_setup),
  token_efficiency: axis(AXES.token_efficiency),
  speed: axis(AXES.speed),
  time_per_success: axis(AXES.time_per_success),
  developer_experience: axis(AXES.developer_experience),
  episode_cost: axis(AXES.episode_cost),
});

/** The primary axes on which entrants are ranked; time per success is only graded. */
export type HeadlineAxis = Extract<Axis, 'task_completion' | 'fault_recovery' | 'authentication'>;

const MODES: readonly Mode[] = ['live', 'recorded-real'];
const HARNESS_MODES: readonly Mode[] = ['dry-run', 'skip', 'control', 'replay', 'scripted', 'mock'];

/**
 * The conditions of a headline. A change of any value or reason takes a new version: decisions are printed with it, and `verify` makes
 * them again.
 */
export const POLICY = {
  version: 8,
  /** Modes of headlines; those of the harness make a scaffold, all others a diagnosis. */
  modes: MODES,
  harness_modes: HARNESS_MODES,
  /** In every cell. */
  least_repetitions: { aggregate: 10, per_task: 20 },
  /** Below, a claim is about these tasks only. */
  least_templates: 20,
  least_entrants: 2,
  most_rerun_gap: 0.05,
  /** Largest share of an entrant's episodes attempted again: ending a campaign repeats an episode that was being lost. */
  most_reruns: 0.05,
  /** Largest share of an entrant's episodes left out of a comparison. */
  most_one_sided: 0.05,
  /** Level of the family of tests of an axis. */
  level: 0.05,
} as const;

export const Policy: z.ZodType<typeof POLICY> = z.strictObject({
  version: z.literal(POLICY.version),
  modes: z.array(Mode),
  harness_modes: z.array(Mode),
  least_repetitions: z.strictObject({
    aggregate: z.literal(POLICY.least_repetitions.aggregate),
    per_task: z.literal(POLICY.least_repetitions.per_task),
  }),
  least_templates: z.literal(POLICY.least_templates),
  least_entrants: z.literal(POLICY.least_entrants),
  most_rerun_gap: z.literal(POLICY.most_rerun_gap),
  most_reruns: z.literal(POLICY.most_reruns),
  most_one_sided: z.literal(POLICY.most_one_sided),
  level: z.literal(POLICY.level),
});
