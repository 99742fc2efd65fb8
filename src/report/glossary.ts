import type { Mode, WorldKind } from '../bundle/row-words.ts';
import type { Grade } from '../claim/eligibility.ts';
import type { ReportedAgent } from './report.ts';

export const WORLDS: Readonly<Record<WorldKind, string>> = {
  live_web: 'the real web, as it was that day',
  recorded_web: 'the real web, replayed from a recording',
  facsimile: 'a local stand-in for a real site',
  real_app: 'a real application, installed here',
  fixture_app: 'an app that comes with the suite',
};

export const MODES: Readonly<Record<Mode, string>> = {
  'dry-run': 'nothing was run',
  skip: 'it could not be run',
  control: 'agents that must not pass, to try the judge',
  replay: 'recorded calls, issued again',
  scripted: 'the solution that comes with the task',
  mock: 'a fake instead of the model',
  facsimile: 'a model or a program decided, on a stand-in',
  'recorded-real': 'an agent on a recording of the real web',
  live: 'an agent decided as it went, and replayed no recording',
};

/** The word for a mode: for a facsimile, which the kind of the world already names, who decided. */
export function modeText(mode: Mode): string {
  return mode === 'facsimile' ? 'agent' : mode;
}

export const GRADES: Readonly<Record<Grade, string>> = {
  primary: 'may be published as a result',
  diagnostic: 'explains, and does not rank',
  smoke: 'too few repetitions for more than a smoke test',
  scaffold: 'tests the harness itself, not agents',
};

const DECIDERS: Readonly<Record<NonNullable<ReportedAgent['decider']>, string>> = {
  model: 'a model, asked call by call',
  process: 'a program of its own',
  baseline: 'a simple rule, as a baseline',
  transcript: 'recorded calls, issued again',
  reference: 'the solution that comes with the task',
  control: 'a control, which must not pass',
};

/** One line about an agent; null of an unknown one. */
export function agentGloss({ about, decider }: ReportedAgent): string | null {
  if (decider === undefined) return about ?? null;
  if (about === undefined) return DECIDERS[decider];
  return decider === 'control' ? `${about}: a control, which must not pass` : about;
}

const SURFACES = new Map([
  ['aria', 'the accessibility tree of the page'],
  ['dom', 'HTML and selectors'],
  ['nac3', 'the actions that a page declares for agents'],
  ['app-mcp', 'the MCP server of the app'],
  ['webmcp', 'the tools that a page offers by WebMCP'],
  ['pixels', 'a picture of the page, and places on it'],
  ['playwright', 'the library, behind tools of ours'],
  ['puppeteer', 'the library, behind tools of ours'],
  ['stagehand', 'the library, behind tools of ours'],
  ['own', 'the agent drives the browser itself'],
]);

/** One line about a built-in surface; null of any other. */
export function surfaceGloss(id: string): string | null {
  return SURFACES.get(id) ?? null;
}
