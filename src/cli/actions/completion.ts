import { COMMANDS } from '../commands.ts';
import { bashCompletion } from '../completion/bash.ts';
import { completedCommands } from '../completion/completed.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { builtInProfiles } from '../fault-profiles.ts';
import { knownEntrants } from '../known-entrants.ts';
import { builtInPrompts } from '../prompts.ts';
import { builtInSuites } from '../suites.ts';

export async function completionFor(shell: string): Promise<string> {
  const { agents, surfaces } = await knownEntrants();
  const commands = completedCommands(COMMANDS, {
    suites: builtInSuites(),
    options: {
      agent: agents.map(({ id }) => id),
      surface: surfaces.map(({ id }) => id),
      prompt: builtInPrompts(),
      fault: builtInProfiles(),
    },
  });
  if (shell === 'fish') return fishCompletion(commands);
  return shell === 'zsh' ? zshCompletion(commands) : bashCompletion(commands);
}
