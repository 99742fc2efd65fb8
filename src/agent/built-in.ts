import type { AgentChoice } from './agent-choice.ts';
import { keywordKind } from './kinds/keyword.ts';
import { nullKind, parrotKind, quitterKind, teleportKind } from './kinds/controls.ts';
import { randomKind } from './kinds/random.ts';
import { referenceKind } from './kinds/reference.ts';
import { retryingReferenceKind } from './kinds/retrying-reference.ts';
import { transcriptKind } from './kinds/transcript.ts';

/** Every agent of ours that asks no model, in the order in which they are listed. Models are lines in `src/model/models.ts`. */
export const AGENTS: readonly AgentChoice[] = [
  referenceKind,
  retryingReferenceKind,
  transcriptKind,
  nullKind,
  parrotKind,
  quitterKind,
  teleportKind,
  randomKind,
  keywordKind,
];
