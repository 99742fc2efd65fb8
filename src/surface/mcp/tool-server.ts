import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import type { Bind } from '../../task/intent.ts';

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

const Manifest = z.looseObject({ version: z.string() });

/** The server that an npm package brings, if somebody has installed it beside us. */
export function programOf(packageName: string, script: string): ToolServer['program'] {
  const folders = createRequire(import.meta.url).resolve.paths(packageName) ?? [];
  for (const folder of folders) {
    try {
      const found = path.join(folder, packageName);
      const { version } = Manifest.parse(JSON.parse(readFileSync(path.join(found, 'package.json'), 'utf8')));
      return { script: path.join(found, script), version: `${packageName} ${version}` };
    } catch {
      // Not here; further up perhaps.
    }
  }
  return { missing: `${packageName} is not installed; run "npm install ${packageName}"` };
}

/** The arguments of a server, with what an episode fills in. */
export function filledIn(args: readonly string[], { cdpUrl, cdpPort }: { cdpUrl: string; cdpPort: number }): string[] {
  return args.map((arg) => arg.replaceAll('{{cdpUrl}}', cdpUrl).replaceAll('{{cdpPort}}', String(cdpPort)));
}
