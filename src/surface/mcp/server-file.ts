import path from 'node:path';
import { z } from 'zod';
import { type Parsed, parsePlainly } from '../../contract/validation/problem.ts';
import { Id } from '../../task/id.ts';
import { readSource } from '../../task/source/read-source.ts';
import { type FileProblem, inFile } from '../../task/source/source.ts';
import { BindingFile, CallPattern } from './binding-file.ts';
import { placeholdersIn } from './placeholders.ts';

/** What arguments, variables and the ready check may ask for. */
const KNOWN = ['cdpUrl', 'cdpPort', 'folder', 'home'];

const Filled = z.string().superRefine((text, context) => {
  const unknown = placeholdersIn(text).find((name) => !KNOWN.includes(name));
  if (unknown === undefined) return;
  const known = KNOWN.map((name) => `{{${name}}}`).join(', ');
  context.addIssue({ code: 'custom', message: `asks for {{${unknown}}}; there are ${known}` });
});
const Variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not the name of a variable');
const RelativeScript = z
  .string()
  .regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/, 'must be a path inside the package, without ".."');

/**
 * A tool server that speaks MCP over its standard input and output and attaches to a browser by its debugging port: how it
 * is started, and how the steps of a solution are done with its tools.
 */
export const Server = z
  .strictObject({
    /** As on the command line and in rows. */
    id: Id,
    about: z.string().optional(),
    /** An npm package that is installed beside Touchstone, and the script of it that our own Node runs. */
    package: z.string().optional(),
    script: RelativeScript.optional(),
    /** A program: on the PATH, or a path as seen from this file. A script (`.js`, `.mjs`, `.cjs`) is run by our own Node. */
    command: z.string().min(1, 'is empty; name a program').optional(),
    /** The environment variable that names the program, for servers that everybody has elsewhere. */
    command_from: Variable.optional(),
    /** `{{cdpUrl}}`, `{{cdpPort}}`, `{{folder}}` (of this file) and `{{home}}` (of the server) are filled in. */
    args: z.array(Filled).default([]),
    /** Beside PATH, HOME, TMPDIR and LANG it has no variables but these. */
    env: z.record(Variable, Filled).default({}),
    /** A call that must succeed before the agent begins. */
    ready: CallPattern.optional(),
    /** How long it may take to start, to list its tools and to be ready, in ms. */
    start_timeout_ms: z.int().min(1).max(25_000).default(20_000),
    binding: BindingFile.optional(),
  })
  .superRefine((server, context) => {
    const ways = [server.package, server.command, server.command_from].filter((way) => way !== undefined);
    if (ways.length !== 1) {
      const message = `needs exactly one of package, command, command_from; it has ${ways.length}`;
      context.addIssue({ code: 'custom', message });
    }
    if ((server.package === undefined) !== (server.script === undefined)) {
      context.addIssue({ code: 'custom', path: ['script'], message: 'goes with package, and package with it' });
    }
  });
export type Server = z.infer<typeof Server>;

/** A server's file, read. */
export interface ServerFile {
  /** Its whole path. */
  file: string;
  server: Server;
}

/** Reads a server's file. Reports everything that is wrong with it at once. */
export async function readServerFile(file: string): Promise<Parsed<ServerFile, FileProblem>> {
  const read = await readSource(file);
  if (!read.ok) return { ok: false, problems: read.problems.map((problem) => ({ ...problem, file })) };
  const parsed = parsePlainly(Server, read.value.value);
  if (!parsed.ok) return { ok: false, problems: inFile(file, read.value, parsed.problems) };
  return { ok: true, value: { file: path.resolve(file), server: parsed.value } };
}
