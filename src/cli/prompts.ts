import { fact } from '../messages/messages.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nearestName } from '../contract/nearest-name.ts';
import { isFileName } from '../plan/entrants.ts';
import { packageRoot } from '../plan/package-root.ts';
import { UsageError } from './exit-code.ts';

export const DEFAULT_PROMPT = 'default';

export interface PromptFile {
  file: string;
  text: string;
}

/**
 * @param name of a built-in prompt, or a file
 * @throws UsageError when its name is unknown
 */
export function readPrompt(name: string = DEFAULT_PROMPT): PromptFile {
  const file = isFileName(name) ? name : path.join(promptFolder(), `${name}.md`);
  if (existsSync(file)) return { file, text: readFileSync(file, 'utf8') };
  const known = builtInPrompts();
  throw new UsageError(fact('unknown_prompt', { name, meant: nearestName(name, known) ?? '', known }));
}

export function builtInPrompts(): string[] {
  return readdirSync(promptFolder())
    .map((name) => path.basename(name, '.md'))
    .toSorted();
}

function promptFolder(): string {
  return path.join(packageRoot(), 'prompts');
}
