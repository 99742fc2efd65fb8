import { z } from 'zod';
import { hashJson } from '../contract/canonical.ts';
import { rule } from '../contract/validation/wording.ts';
import { Contract } from '../contract/schema.ts';
import { Faults } from '../fault/schema.ts';
import { Auth } from './auth.ts';
import { ValueSources } from './draw.ts';
import { Id, Instance } from './instance.ts';
import { NearMiss, PageUrl, Solution } from './intent.ts';
import { LONG_WORK, SuiteCaps } from './caps.ts';
import type { NamedElement } from '../fault/fault-kind.ts';

const DEFAULT_STEPS = 30;
const DEFAULT_DURATION_MS = 120_000;

const CATEGORIES = [
  'info_retrieval',
  'multi_step_navigation',
  'form_fill',
  'transactional_mock',
  'recovery',
  'dynamic_ui',
  'long_horizon',
] as const;

const Text = z.string().regex(/\S/, rule('title_empty'));

const Setup = z.strictObject({
  clearCookies: z
    .boolean()
    .optional()
    .describe('accepted without effect: every episode starts without cookies, storage and cache'),
  viewport: z
    .strictObject({ width: z.int().min(1).max(7680), height: z.int().min(1).max(7680) })
    .optional()
    .describe('size of the page, 1280 × 720 by default'),
  clock: z.iso
    .datetime({ offset: true, error: rule('not_a_clock') })
    .optional()
    .describe('the [time](worlds.md#a-clock) at which an episode begins, for page and app: `2026-03-02T09:00:00Z`'),
  wholeExchanges: z
    .literal(true)
    .optional()
    .describe('evidence also has headers, without credentials, and bodies of responses'),
});

/** `validateTask` checks a task file; docs/task-reference.md is drawn from the descriptions. */
export const Task = z.strictObject({
  id: Id.describe('unique in the suite'),
  title: Text.describe('for people'),
  startUrl: PageUrl.describe('a page on a site of the world, or `about:blank`'),
  goal: Text.describe('the whole instruction for the agent'),
  maxSteps: z
    .int()
    .min(1)
    .max(LONG_WORK.steps)
    .default(DEFAULT_STEPS)
    .describe('tool calls; more than 100 if `caps` of the suite allow it'),
  maxDurationMs: z
    .int()
    .min(1)
    .max(LONG_WORK.wall_ms)
    .default(DEFAULT_DURATION_MS)
    .describe(
      "wall time of the agent's part; an agent that asks a model has at least [what its turns need](models.md#caps); more than 600000 if `caps` allow it",
    ),
  maxTurns: z
    .int()
    .min(1)
    .max(LONG_WORK.turns)
    .optional()
    .describe('lowers the cap on model calls, 50 or what `caps` allow'),
  maxTokens: z.int().min(1).optional().describe('lowers the cap on tokens, input and output'),
  maxUsd: z
    .number()
    .positive()
    .max(LONG_WORK.cost_usd)
    .optional()
    .describe('lowers the cap on cost, 0.5 or what `caps` allow'),
  kinds: z.literal('seed').optional().describe('`seed` refuses extensions of the contract language'),
  success: Contract.describe('[contract](contracts.md): fails at the start, passes at the end'),
  guards: Contract.optional().describe('contract that passes at both: nothing else was damaged'),
  milestones: z
    .array(
      z.strictObject({
        clause: z.string().regex(/^success(\.children\[\d+\])+$/, rule('not_a_clause')),
        weight: z.number().positive().max(1_000).default(1),
      }),
    )
    .min(1)
    .max(100)
    .optional()
    .describe(
      'clauses of `success` below nothing but `and`, each with a `weight`; rows have the [share reached](contracts.md#milestones)',
    ),
  files: z
    .array(z.string().min(1, rule('path_empty')))
    .min(1)
    .max(20)
    .optional()
    .describe('files of the suite that the agent can [upload](write-a-task.md#files); together at most 5 MB'),
  setup: Setup.optional().describe(
    '`clock`: the [time](worlds.md#a-clock) at which an episode begins; `viewport`: `width` and `height` of the page, 1280 × 720 by default; `wholeExchanges: true`: evidence also has headers, without credentials, and at most 64 KB of the body of each response; `clearCookies` has no effect',
  ),
  tags: z.array(Text).optional().describe('for your own use'),
  category: z.enum(CATEGORIES).optional(),
  world: z.enum(['local']).optional().describe('`local` if the task needs apps or files'),
  /** A task file may list `instances` instead: one task is made for each. */
  instance: Instance.optional().describe('in TypeScript: the name and parameters of one instance'),
  draw: ValueSources.optional().describe(
    '[where values are drawn from](write-a-task.md#a-private-split) with `--secret-file`',
  ),
  caps: SuiteCaps.optional().describe('the `caps` of its suite'),
  auth: Auth.optional().describe('how the user [signs in](#credentials-and-roles); absent if no sign-in is needed'),
  faults: Faults.optional().describe('[faults](stress.md): the task runs without any, and once with each'),
  solutions: z.array(Solution).optional().describe('steps that complete the task; `reference` follows them'),
  nearMisses: z
    .array(NearMiss)
    .optional()
    .describe('steps that look like a solution and must not pass, each with its `why`'),
});
export type Task = z.infer<typeof Task>;

/** Fields with a default may be left out. */
export type TaskInput = Omit<z.input<typeof Task>, 'caps'>;

/** The hash of a whole task, defaults applied. */
export function taskHash(task: Task): string {
  return hashJson(task);
}

/** Whether a proof with this `task_hash` is of the task: proofs of earlier versions included its faults. */
export function isProofOf(hash: string, task: Task): boolean {
  return hash === proofHash(task) || hash === taskHash(task);
}

/** The hash without faults, since trials run without them, and without milestones, which change no verdict. */
export function proofHash({ faults: _faults, milestones: _milestones, ...task }: Task): string {
  return hashJson(task);
}

export function contractHash({ success, guards }: Task): string {
  return hashJson({ success, guards: guards ?? null });
}

/** The elements that the solution on the page acts on, each once, in order. */
export function touchedBy({ solutions = [] }: Pick<Task, 'solutions'>): NamedElement[] {
  const steps = solutions.find((each) => each.for === 'page')?.steps ?? [];
  const elements = new Map<string, NamedElement>();
  for (const step of steps) {
    if ('name' in step && step.name !== '')
      elements.set(`${step.role} ${step.name}`, { role: step.role, name: step.name });
    if ('label' in step && step.label !== '') elements.set(step.label, { name: step.label });
  }
  return [...elements.values()];
}

/** In CSS pixels. */
export interface Viewport {
  width: number;
  height: number;
}

const DEFAULT_VIEWPORT: Viewport = { width: 1280, height: 720 };

/** The same for all entrants. */
export function viewportOf({ setup }: Task): Viewport {
  return setup?.viewport ?? DEFAULT_VIEWPORT;
}
