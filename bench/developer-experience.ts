/**
 * Axis F of seed 002, diagnostic: what is it like to write against a surface? For each that runs here: the lines of its
 * driver (what `reference` needs to work through it), counted by a parser; how complete the schemas of its tools are; and
 * how it reports planted mistakes: does the reply name the wrong argument and a remedy?
 *
 *   npm run bench:dx [-- <surface>,<surface>]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { Lexer } from 'yaml';
import { z } from 'zod';
import { requireBrowser } from '../src/browser/find.ts';
import { launchBrowser } from '../src/browser/launch.ts';
import { Entrants } from '../src/plan/entrants.ts';
import { packageRoot } from '../src/plan/package-root.ts';
import { messageOf } from '../src/contract/message-of.ts';
import { openPlace } from '../src/episode/place.ts';
import { OWN } from '../src/surface/surface-ids.ts';
import type { Surface, SurfaceSession } from '../src/surface/surface.ts';
import type { JsonObject } from '../src/contract/json.ts';
import type { ToolDefinition, ToolReply } from '../src/task/tool.ts';
import { defineTask } from '../src/task/validate.ts';
import { defineApp } from '../src/world/app.ts';
import { startLocalWorld } from '../src/world/local.ts';
import { createTlsIdentity } from '../src/world/tls-identity.ts';

const ORIGIN = 'http://page.localhost';
const PAGE = '<!doctype html><title>Page</title><h1>Page</h1><button>Send</button>';
const CALL_TIMEOUT_MS = 2_000;
/** A word on the remedy or the expected value. A coarse measure, the same for all. */
const REMEDY =
  /expect|must|should|required|missing|provide|available|instead|one of|\b(?:use|try|take|call|choose|write|give|see)\b/i;

const Argument = z.looseObject({ description: z.string().optional() });
const Arguments = z.looseObject({
  properties: z.record(z.string(), Argument).default({}),
  required: z.array(z.string()).default([]),
});

/** What the lexer of YAML puts between tokens: marks of a document, a scalar, an error, a byte order. */
const YAML_MARKS = ['\u0002', '\u0018', '\u001f', '\ufeff'];

/** What came of the planted mistakes. */
interface PlantedMistakes {
  planted: number;
  refused: number;
  named: number;
  remedied: number;
}

const asked = process.argv[2]?.split(',') ?? null;
const entrants = await Entrants.load();
// `own` has no tools, and no driver.
const withTools = entrants.surfaces.filter(({ id }) => id !== OWN);
const surfaces = withTools.filter(({ id, unavailable }) => asked?.includes(id) ?? unavailable === null);
const lines = [
  [
    'surface',
    'driver lines',
    'tools',
    'arguments described',
    'arguments typed',
    'mistakes',
    'refused',
    'named',
    'remedy',
  ],
];
for (const surface of surfaces) {
  process.stderr.write(`${surface.id} …\n`);
  lines.push(await lineOf(surface).catch((error: unknown) => [surface.id, messageOf(error)]));
}
for (const line of lines) console.log(line.join('\t'));

async function lineOf(surface: Surface): Promise<string[]> {
  const identity = await createTlsIdentity();
  const create = defineApp(() => ({
    fetch: () => new Response(PAGE, { headers: { 'content-type': 'text/html' } }),
    state: () => null,
  }));
  const sites = [{ origin: ORIGIN, create, hasState: false, standIn: false }];
  const world = await startLocalWorld({ sites, parameters: {}, identity, live: false });
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
  try {
    const startUrl = `${ORIGIN}/`;
    const task = defineTask({ id: 'dx', title: 'DX', startUrl, goal: 'None', success: { kind: 'no_dialog' } });
    const place = await openPlace(surface, browser, world, task);
    try {
      await place.start(startUrl);
      return await cellsOf(surface.id, await place.openSurface(AbortSignal.timeout(60_000)));
    } finally {
      await place.close();
    }
  } finally {
    await browser.close();
    await world.close();
  }
}

async function cellsOf(id: string, session: SurfaceSession): Promise<string[]> {
  try {
    const mistakes = await plantMistakes(session);
    const { described, typed, total } = schemaCompleteness(session.tools);
    const counts = [mistakes.planted, mistakes.refused, mistakes.named, mistakes.remedied].map(String);
    const lineCount = String(driverLines(id));
    return [id, lineCount, String(session.tools.length), `${described}/${total}`, `${typed}/${total}`, ...counts];
  } finally {
    await session.close();
  }
}

function schemaCompleteness(tools: readonly ToolDefinition[]) {
  const all = tools.flatMap(({ input_schema: schema }) => Object.values(Arguments.parse(schema).properties));
  const described = all.filter(({ description = '' }) => description !== '').length;
  const typed = all.filter((each) =>
    ['type', 'enum', 'anyOf', 'oneOf', 'const', '$ref'].some((key) => key in each),
  ).length;
  return { described, typed, total: all.length };
}

/** For every tool: each required argument left out (the others too), and the first one of a wrong type; and a tool that is not there. */
async function plantMistakes(session: SurfaceSession): Promise<PlantedMistakes> {
  const mistakes: PlantedMistakes = { planted: 0, refused: 0, named: 0, remedied: 0 };
  const plant = async (tool: string, args: JsonObject, names: readonly string[]): Promise<void> => {
    const reply = await session.call({ tool, args }, AbortSignal.timeout(CALL_TIMEOUT_MS));
    note(mistakes, reply, names);
  };
  for (const { name, input_schema: schema } of session.tools) {
    const { required } = Arguments.parse(schema);
    const [first] = required;
    if (first === undefined) continue;
    await plant(name, {}, required);
    await plant(name, Object.fromEntries(required.map((each) => [each, { not: 'this' }])), required);
  }
  await plant('no_such_tool', {}, ['no_such_tool']);
  return mistakes;
}

function note(mistakes: PlantedMistakes, { ok, text }: ToolReply, names: readonly string[]): void {
  mistakes.planted += 1;
  if (ok) return;
  mistakes.refused += 1;
  if (names.some((each) => text.includes(each))) mistakes.named += 1;
  if (REMEDY.test(text)) mistakes.remedied += 1;
}

/** Lines with code in them: of the file that describes a tool server, else of the folder of a surface of ours. */
function driverLines(id: string): number {
  const file = path.join(packageRoot(), 'surfaces', `${id}.yaml`);
  if (existsSync(file)) return yamlLines(readFileSync(file, 'utf8'));
  const folder = path.join(packageRoot(), 'src/surface', id);
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return sources.reduce((total, name) => total + typescriptLines(readFileSync(path.join(folder, name), 'utf8')), 0);
}

function yamlLines(text: string): number {
  let line = 0;
  const found = new Set<number>();
  for (const token of new Lexer().lex(text)) {
    if (!token.startsWith('#') && token.trim() !== '' && !YAML_MARKS.some((mark) => token.startsWith(mark)))
      found.add(line);
    line += token.split('\n').length - 1;
  }
  return found.size;
}

function typescriptLines(text: string): number {
  const { program, comments } = parseSync('driver.ts', text);
  const found = new Set<number>();
  const mark = (start: number, end: number): void => {
    const first = text.slice(0, start).split('\n').length;
    const last = first + text.slice(start, end).split('\n').length - 1;
    for (let line = first; line <= last; line += 1) found.add(line);
  };
  // Blank lines of a template are part of its text, and so are its lines that look like comments.
  new Visitor({ TemplateElement: ({ start, end }) => mark(start, end) }).visit(program);
  let code = text;
  for (const { start, end } of comments) {
    code = code.slice(0, start) + code.slice(start, end).replaceAll(/\S/g, ' ') + code.slice(end);
  }
  for (const { index } of code.matchAll(/\S+/g)) mark(index, index);
  return found.size;
}
