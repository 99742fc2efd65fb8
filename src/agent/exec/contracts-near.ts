import { markedFolders } from '../../process/sandbox/marked-folders.ts';
import { CONTRACT_MARKS } from '../../task/suite-file.ts';
import { AgentError } from '../agent.ts';
import type { ExecCommand } from './command.ts';

/**
 * Suites, bundles and histories (`.git`) below what a command may read, and suites and bundles that this lies in.
 * @throws AgentError `bad_agent_file` when there is too much to look through.
 */
export function contractsNear({ id, folder, readable }: ExecCommand, maxFolders?: number): string[] {
  const places = [folder, ...readable];
  const found = markedFolders(places, CONTRACT_MARKS, maxFolders);
  if (found !== null) return found;
  throw new AgentError(
    'bad_agent_file',
    `the agent ${id} may read ${places.join(', ')}: too many folders to find suites and bundles in`,
    'put it into a folder of its own, and name smaller ones in "readable"',
  );
}
