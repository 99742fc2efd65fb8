import { fact } from '../../messages/messages.ts';
import { requireBrowser } from '../../browser/find.ts';
import { launchBrowser } from '../../browser/launch.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import { ON_THE_PAGE, TRIAL_ORIGIN, TrialPage } from '../../episode/trial/trial-page.ts';
import { NOT_SHOWN, type Trial, type TriedStep, tryOut } from '../../episode/trial/trial.ts';
import { serverIn } from '../../plan/entrants.ts';
import { mcpSurface } from '../../surface/mcp/mcp-surface.ts';
import type { ServerFile } from '../../surface/mcp/server-file.ts';
import { startLocalWorld } from '../../world/local.ts';
import { createTlsIdentity } from '../../world/tls-identity.ts';
import type { Request } from '../command.ts';
import type { SurfaceOptions } from '../commands/write.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { tableOf } from '../terminal-sections.ts';
import type { Terminal } from '../terminal.ts';
import type { Column } from '../../report/document.ts';
import { mainLine, shortened } from '../../messages/printable.ts';
import { counted } from '../../report/numbers.ts';

/** Most lines of a reply, and characters of a line. */
const MAX_LINES = 40;
const MAX_LINE = 200;

export async function surface(
  { args: [action = '', file = ''], options }: Request<SurfaceOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (action === 'bench') return await (await import('./surface-bench.ts')).benchSurface(file, options, terminal);
  const actions = '"surface try <file.yaml>" or "surface bench <file.yaml>"';
  if (action !== 'try') throw new UsageError(fact('unknown_action', { action, actions }));
  const server = await serverIn(file);
  const trial = await tried(server);
  const isWell =
    trial.look?.ok === true &&
    trial.missed.length === 0 &&
    trial.steps.every(({ outcome }) => outcome === 'done' || outcome === 'unbound');
  const redactor = createRedactor(secretsFromEnvironment(process.env, server.server.secrets));
  for (const line of options.json ? [JSON.stringify({ ok: isWell, file, ...trial })] : linesOf(file, trial))
    terminal.out(redactor.text(line));
  return isWell ? EXIT.done : EXIT.gateNotMet;
}

/** @throws UsageError when the server is missing, or does not start */
async function tried(file: ServerFile): Promise<Trial> {
  const through = mcpSurface(file);
  if (through.unavailable !== null)
    throw new UsageError(fact('server_unavailable', { file: file.file, why: through.unavailable }));
  const [identity, page] = [await createTlsIdentity(), new TrialPage()];
  const site = { origin: TRIAL_ORIGIN, create: () => page.app, hasState: true, standIn: false };
  const world = await startLocalWorld({ sites: [site], parameters: {}, identity, live: false });
  try {
    const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
    try {
      return await tryOut(through, file.server.binding, { browser, world, page });
    } catch (error) {
      throw error instanceof Error
        ? new UsageError(fact('server_failed', { file: file.file, why: error.message }))
        : error;
    } finally {
      await browser.close();
    }
  } finally {
    await world.close();
  }
}

function linesOf(file: string, { version, tools, look, matched, missed, steps }: Trial): string[] {
  const head = [
    `${version ?? 'a server that does not identify itself'}: ${counted(tools.length, 'tool')}`,
    ...tools.map(({ name, input_schema: schema }) => `  ${name}${argumentsIn(schema)}`),
  ];
  if (look === null) {
    const remedy = `write "binding" into ${file}: "look", the tool that shows the page, and "elements", how a line of its reply names an element`;
    return [...head, '', `it has no binding; ${remedy}`];
  }
  const found = [
    ...head,
    '',
    `"look" ${look.ok ? 'replies' : 'fails'}:`,
    ...excerpt(look.text),
    ...(look.ok ? [] : ['if the server needs another call first, write it into "ready"']),
    '',
    `"elements" finds ${counted(matched.length, 'element')}:`,
  ];
  return [
    ...found,
    ...tableOf(MATCHED, matched),
    ...missed.map(({ role, name }) => `not found: ${role} "${name}"; change "elements", or the arguments of "look"`),
    '',
    ...tableOf(STEPS, steps),
    ...steps.flatMap((each) => remarkOn(each, matched)),
    '',
    `${ON_THE_PAGE.length - missed.length} of ${ON_THE_PAGE.length} elements found, ${steps.filter(({ outcome }) => outcome === 'done').length} of ${steps.length} steps done`,
  ];
}

const MATCHED: readonly Column<Trial['matched'][number]>[] = [
  { head: 'ref', words: true, text: ({ ref }) => ref },
  { head: 'role', words: true, text: ({ role }) => role },
  { head: 'name', words: true, text: ({ name, text }) => (name === '' ? (text ?? '') : name) },
  { head: 'line', words: true, text: ({ line }) => cut(line.trim()) },
];

const STEPS: readonly Column<Trial['steps'][number]>[] = [
  { head: 'step', text: ({ step }) => step },
  { head: 'outcome', words: true, text: ({ outcome }) => outcome },
  { head: 'call', words: true, text: callIn },
];

function argumentsIn(schema: Trial['tools'][number]['input_schema']): string {
  const { properties = {} } = schema;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return names.length === 0 ? '' : ` {${names.join(', ')}}`;
}

function callIn({ call }: TriedStep): string | null {
  return call === null ? null : cut(`${call.tool} ${JSON.stringify(call.args)}`);
}

/** The result of a failed step, and its remedy. */
function remarkOn({ step, outcome, call, reply, expected, reported }: TriedStep, matched: Trial['matched']): string[] {
  if (outcome === 'unbound' && step === 'wait_for')
    return ['wait_for: not bound; "look" is repeated until the text is there'];
  if (outcome === 'unbound') return [`${step}: not bound; a solution that has this step cannot be followed`];
  if (outcome === 'failed') {
    const named = matched.find(({ ref }) =>
      [ref, Number(ref)].some((each) => Object.values(call?.args ?? {}).includes(each)),
    );
    const remedy =
      reply === NOT_SHOWN
        ? '"elements", or the arguments of "look"'
        : `binding.${step}${named === undefined ? '' : `, or "elements" if the server has no element "${named.ref}"`}`;
    return [`${step}: failed: ${cut(mainLine(reply ?? 'no reply'))}; change ${remedy}`];
  }
  if (outcome === 'done') return [];
  const seen = reported.length === 0 ? 'nothing' : reported.join(', ');
  return [
    `${step}: the page should have reported ${expected}, but reported ${cut(seen)}; change binding.${step}, or take it out`,
  ];
}

function excerpt(text: string): string[] {
  const lines = text.split('\n');
  const rest = lines.length - MAX_LINES;
  return [
    ...lines.slice(0, MAX_LINES).map((line) => `  ${cut(line)}`),
    ...(rest > 0 ? [`  … ${rest} more lines`] : []),
  ];
}

function cut(line: string): string {
  return shortened(line, MAX_LINE);
}
