import type { AgentChoice } from './agent-choice.ts';
import { keywordKind } from './kinds/keyword.ts';
import { nullKind } from './kinds/null.ts';
import { parrotKind } from './kinds/parrot.ts';
import { quitterKind } from './kinds/quitter.ts';
import { randomKind } from './kinds/random.ts';
import { referenceKind } from './kinds/reference.ts';
import { retryingReferenceKind } from './kinds/retrying-reference.ts';
import { teleportKind } from './kinds/teleport.ts';
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
