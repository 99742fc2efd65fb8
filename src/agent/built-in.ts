import type { AgentChoice } from './agent-choice.ts';
import { keywordKind } from './kinds/keyword.ts';
import { nullKind, parrotKind, quitterKind, teleportKind } from './kinds/controls.ts';
import { randomKind } from './kinds/random.ts';
import { referenceKind } from './kinds/reference.ts';
import { retryingReferenceKind } from './kinds/retrying-reference.ts';
import { transcriptKind } from './kinds/transcript.ts';

/** Our agents that ask no model, in the order of `list`. */
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
