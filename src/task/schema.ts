import { z } from 'zod';
import { hashJson } from '../contract/canonical.ts';
import { Contract } from '../contract/schema.ts';
import { Faults } from '../fault/schema.ts';
import { Auth } from './auth.ts';
import { Id } from './id.ts';
import { Instance } from './instance.ts';
import { NearMiss, PageUrl, Solution } from './intent.ts';
import { MODEL_CAPS } from './model-caps.ts';

/** The defaults of a task that says nothing else, and the most that a task may ask for. */
const STEPS = { default: 30, max: 100 } as const;
const DURATION_MS = { default: 120_000, max: 600_000 } as const;

const CATEGORIES = [
  'info_retrieval',
  'multi_step_navigation',
  'form_fill',
  'transactional_mock',
  'recovery',
  'dynamic_ui',
  'long_horizon',
] as const;

const Text = z.string().regex(/\S/, 'is empty; say it in words');

const Setup = z.strictObject({
  clearCookies: z.boolean().optional(),
  viewport: z.strictObject({ width: z.int().min(1).max(7680), height: z.int().min(1).max(7680) }).optional(),
});

/** A task: what is to be done and how it is judged. Names are the seed's; a task file is checked by `validateTask`. */
export const Task = z.strictObject({
  id: Id,
  title: Text,
  startUrl: PageUrl,
  goal: Text,
  maxSteps: z.int().min(1).max(STEPS.max).default(STEPS.default),
  maxDurationMs: z.int().min(1).max(DURATION_MS.max).default(DURATION_MS.default),
  /** Caps of agents that ask a model: they can lower what holds for all of those, and not raise it. */
  maxTurns: z.int().min(1).max(MODEL_CAPS.turns).optional(),
  maxTokens: z.int().min(1).optional(),
  maxUsd: z.number().positive().max(MODEL_CAPS.cost_usd).optional(),
  /** Holds these contracts to the seed's kinds and fields, in a suite that allows more. */
  kinds: z.literal('seed').optional(),
  /** Must be false at the start and true at the end. */
  success: Contract,
  /** Must be true at both: nothing else was damaged. */
  guards: Contract.optional(),
  setup: Setup.optional(),
  tags: z.array(Text).optional(),
  category: z.enum(CATEGORIES).optional(),
  /** The kind of world that the task needs; so far there is one. */
  world: z.enum(['local']).optional(),
  /** A task file may list `instances` in its place: one task is made for each. */
  instance: Instance.optional(),
  /** The way of signing in; absent where nobody has to be. */
  auth: Auth.optional(),
  /** The faults that can be injected: it is run without any, and once with each. */
  faults: Faults.optional(),
  solutions: z.array(Solution).optional(),
  nearMisses: z.array(NearMiss).optional(),
});
export type Task = z.infer<typeof Task>;

/** A task as its author writes it: whatever has a default may be left out. */
export type TaskInput = z.input<typeof Task>;

/** Names the whole task, defaults applied: two files that mean the same have the same hash. */
export function taskHash(task: Task): string {
  return hashJson(task);
}

/** Whether a proof with this `task_hash` is of the task. No trial has a fault in it, so a proof names none; those of earlier versions did. */
export function isProofOf(hash: string, task: Task): boolean {
  return hash === proofHash(task) || hash === taskHash(task);
}

/** Names the task as a proof does: all of it but its faults. */
export function proofHash({ faults: _faults, ...task }: Task): string {
  return hashJson(task);
}

/** Names how the task is judged, and nothing else of it. */
export function contractHash({ success, guards }: Task): string {
  return hashJson({ success, guards: guards ?? null });
}
