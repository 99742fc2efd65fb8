import path from 'node:path';
import type { Bind } from '../../task/intent.ts';
import { installedPackage } from '../installed-package.ts';

/** The script that a server is, run with our own Node, and the version that rows name. */
export interface ServerProgram {
  script: string;
  version: string;
}

/** A third-party tool server that speaks MCP over its standard input and output and attaches to a browser by its debugging port. */
export interface ToolServer {
  /** As on the command line and in rows. */
  id: string;
  /** Or why there is none, and what to do about that. */
  program: ServerProgram | { missing: string };
  /** Its arguments; `{{cdpUrl}}` and `{{cdpPort}}` are filled in. */
  args: readonly string[];
  /** How a solution's step is done with its tools. */
  bind: Bind;
}

/** The server that an npm package brings, if somebody has installed it beside us. */
export function programOf(packageName: string, script: string): ToolServer['program'] {
  const found = installedPackage(packageName);
  return 'missing' in found ? found : { script: path.join(found.folder, script), version: found.version };
}

/** The arguments of a server, with what an episode fills in. */
export function filledIn(args: readonly string[], { cdpUrl, cdpPort }: { cdpUrl: string; cdpPort: number }): string[] {
  return args.map((arg) => arg.replaceAll('{{cdpUrl}}', cdpUrl).replaceAll('{{cdpPort}}', String(cdpPort)));
}
