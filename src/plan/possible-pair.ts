import type { AgentChoice } from '../agent/agent-choice.ts';
import { ARIA, OWN } from '../surface/surface-ids.ts';
import type { Surface } from '../surface/surface.ts';
import { NO_TOOLS, type SurfaceTraits } from '../surface/traits.ts';
import type { LoadedWorld } from '../task/suite-paths.ts';
import type { Injectable } from '../fault/fault-kind.ts';
import type { Pins } from './pins.ts';
import { type ArmedFault, drawFault, type Fault, faultKindOf, type FaultState } from '../fault/schema.ts';
import { taskName } from '../task/instance.ts';
import { type Task, touchedBy } from '../task/schema.ts';
import type { Plan, PlannedEpisode, PlannedTask } from './plan.ts';

/** Why an agent cannot act through a surface in any task; null if it can. */
export function impossiblePair(
  { id, decider, drivesItself = false, followsSteps = false, readsTrees = false }: AgentChoice,
  surface: string,
  { interaction, tools_of: owner, binds_steps: binds }: Pick<SurfaceTraits, 'interaction' | 'tools_of' | 'binds_steps'>,
): string | null {
  if (interaction === 'one-shot' && decider !== 'model') {
    return `${id} decides call by call, and the plan of a one-shot surface is made by a model`;
  }
  if (readsTrees && surface !== ARIA)
    return `${id} reads the accessibility trees that ${ARIA} shows, and no other surface`;
  if (followsSteps && !binds) return `${id} follows steps, and the file of the surface has no binding for them`;
  if (drivesItself === (owner === NO_TOOLS)) return null;
  return drivesItself
    ? `${id} drives the browser itself, so its surface is ${OWN}`
    : `${id} acts by the tools of a surface, and ${OWN} has none`;
}

/** The surface through which an agent is tried on a task proved through another. */
export function surfaceOfTrial({ readsTrees = false }: AgentChoice, provedThrough: string): string {
  return readsTrees ? ARIA : provedThrough;
}

/** Why an agent sees nothing through a surface of pictures; null if it takes pictures, or the surface shows more. */
export function unseenPictures({ id, takesPictures = true }: AgentChoice, surface: Surface): string | null {
  const showsPictures = surface.needs === 'context' && surface.showsPictures === true;
  if (takesPictures || !showsPictures) return null;
  return `${id} takes no pictures by the API of its provider, and ${surface.id} shows nothing else`;
}

export function hasAppTools({ tools_of: owner }: Pick<SurfaceTraits, 'tools_of'>): boolean {
  return owner === 'app_server' || owner === 'app_pages';
}

/** Why a task's app lacks tools for this surface; null if it has or needs none. */
export function missingTools({ toolsOf }: Surface, world: LoadedWorld, startUrl: string): string | null {
  if (toolsOf === undefined || toolsOf === NO_TOOLS) return null;
  const sites = world.kind === 'local' ? world.sites : [];
  const site = sites.find(({ origin }) => startUrl !== 'about:blank' && new URL(startUrl).origin === origin);
  if (toolsOf === 'app_server')
    return site?.mcp === undefined ? 'the app has no MCP server; its site names none' : null;
  return site?.webmcp === undefined
    ? 'the pages of the app register no tools; its site says nothing of "webmcp"'
    : null;
}

/** Why a surface cannot upload the files that a task gives; null if it can, or if the task gives none. */
export function missingUpload(
  surface: string,
  {
    tools_of: owner,
    binds_steps: binds,
    lacks_steps: lacks,
  }: Pick<SurfaceTraits, 'tools_of' | 'binds_steps' | 'lacks_steps'>,
  { files }: Pick<Task, 'files'>,
): string | null {
  const canUpload = owner === NO_TOOLS || (owner === 'page_user' && binds && !lacks.includes('upload'));
  return files === undefined || canUpload ? null : `the task gives files, and ${surface} cannot upload them`;
}

/**
 * The faults that can be injected into an entrant, by the traits of its surface. An agent that drives the browser itself has a
 * surface without tools.
 */
export function injectableOf(traits: Pick<SurfaceTraits, 'in_process' | 'tools_of'>): Injectable {
  const drivesItself = traits.tools_of === NO_TOOLS;
  return {
    drivesItself,
    showsPages: !hasAppTools(traits),
    hasServer: !traits.in_process && !drivesItself,
  };
}

/** Null if a surface can run in this browser. */
export function impossibleIn(
  { version, ours }: Pick<Pins['browser'], 'version' | 'ours'>,
  surface: Surface,
): { status: 'not_applicable' | 'unavailable'; why: string } | null {
  if (surface.needs === 'endpoint' && !ours) return { status: 'not_applicable', why: ATTACHES };
  const why = surface.unavailable ?? (surface.needs === 'context' ? lackOf(surface, { version, ours }) : null);
  return why === null ? null : { status: 'unavailable', why };
}

const ATTACHES =
  'it attaches to a browser, where it would find all that its owner has open; leave out --browser-endpoint';

function lackOf(
  { needsChromium = 0, needsStart }: Extract<Surface, { needs: 'context' }>,
  { version, ours }: Pick<Pins['browser'], 'version' | 'ours'>,
): string | null {
  if (!ours && needsStart !== undefined) {
    return `its browser has to be started with ${needsStart}, and this one may not be; leave out --browser-endpoint`;
  }
  if (Number.parseInt(version, 10) >= needsChromium) return null;
  return `it was tried with Chromium ${needsChromium} and later, and this is ${version}; install another`;
}

type Seeded = Pick<Plan, 'seed'>;
type InEpisode = Pick<PlannedEpisode, 'planned' | 'iteration'>;

/** The drawn fault of an episode; null without one, a reason if it cannot be injected. */
export function faultOf(
  episode: InEpisode,
  plan: Seeded,
  entrant: Injectable,
): { armed: ArmedFault | null } | { impossible: string } {
  const { fault } = episode.planned;
  if (fault === undefined) return { armed: null };
  const why = faultKindOf(fault).whyNot(entrant);
  return why === null ? drawn(fault, episode, plan) : { impossible: why };
}

/** The fault that the plan draws for an episode, for all entrants; null without one. */
export function plannedFault(episode: InEpisode, plan: Seeded): ArmedFault | null {
  const { fault } = episode.planned;
  if (fault === undefined) return null;
  const found = drawn(fault, episode, plan);
  return 'armed' in found ? found.armed : null;
}

function drawn(fault: Fault, { planned: { suite, task }, iteration }: InEpisode, { seed }: Seeded) {
  return drawFault(fault, { seed, suite, task: taskName(task), iteration }, touchedBy(task));
}

/** The row's faults for an episode in which none was armed. */
export function neverArmed({ fault }: Pick<PlannedTask, 'fault'>): FaultState[] {
  if (fault === undefined) return [];
  return [{ id: fault.id, kind: fault.kind, armed: false, fired: false, cleared: false }];
}
