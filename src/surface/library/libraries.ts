import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageFolderOf, installedPackage } from '../../process/packages.ts';
import type { Confined } from '../../process/sandbox/confined.ts';
import { prepareLaunch } from '../../process/sandbox/launch.ts';
import type { Bind } from '../../task/intent.ts';
import type { ToolCall } from '../../task/tool.ts';
import { handOver, pathsIn } from '../../task/given-files.ts';
import { elementFor } from '../aria/elements.ts';
import { type SnapshotElement, elementsOf } from '../../task/snapshot-text.ts';
import { bindElements, callOf, CloserLook, elementCalls, stepsWithoutCall, TAB_CALLS } from '../binding.ts';
import { processNeedsOf, hiddenFromServers } from '../mcp/server-program.ts';
import type { EndpointSeat, EndpointSurface, SurfaceSession } from '../surface.ts';
import { elementsOfPuppeteer, elementsOfStagehand } from './snapshot-texts.ts';

const OUR_CODE = fileURLToPath(new URL('../..', import.meta.url));
/** Node needs its `type`. */
const OUR_PACKAGE = path.join(packageFolderOf(OUR_CODE) ?? OUR_CODE, 'package.json');

const SCRIPT = new URL(`server${path.extname(import.meta.url)}`, import.meta.url);
/** JavaScript if installed; TypeScript in a clone, which has `tsx`. */
const SERVER = SCRIPT.href.endsWith('.ts')
  ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, fileURLToPath(SCRIPT)]
  : [fileURLToPath(SCRIPT)];

interface LibraryTraits {
  id: string;
  packageName: string;
  /** In the order of the page, with their selectors as references. */
  elementsIn: (snapshot: string) => SnapshotElement[];
  /** Shows more than its other looks; absent if they show all. */
  closerLook?: ToolCall;
}

/** A library as a surface, served by a process of ours. */
export function librarySurface(traits: LibraryTraits): EndpointSurface {
  const found = installedPackage(traits.packageName);
  const isMissing = 'missing' in found;
  return {
    id: traits.id,
    needs: 'endpoint',
    interaction: 'multi-turn',
    version: isMissing ? 'not installed' : found.version,
    unavailable: isMissing ? found.missing : null,
    lacksSteps: stepsWithoutCall(CALLS),
    processNeeds: () => (isMissing ? null : processNeedsOf([process.execPath, OUR_CODE, OUR_PACKAGE], [OUR_CODE])),
    open: async (seat, signal) => {
      if (isMissing) throw new Error(found.missing);
      return await openSession(traits, seat, signal);
    },
  };
}

async function openSession(
  { id, elementsIn, closerLook }: LibraryTraits,
  { cdpUrl, given }: EndpointSeat,
  signal: AbortSignal,
): Promise<SurfaceSession> {
  const confinedIn = (home: string): Confined => ({
    program: process.execPath,
    args: [...SERVER, id, cdpUrl, ...pathsIn(home, given?.files ?? []).values()],
    folder: OUR_CODE,
    cwd: null,
    files: [OUR_PACKAGE],
    readable: [],
    variables: {},
    network: 'gateway',
  });
  const launch = await prepareLaunch(confinedIn, cdpUrl, hiddenFromServers([OUR_CODE]));
  // Listing surfaces loads no client.
  const [{ McpSession }, { ServerProcess }] = await Promise.all([
    import('../mcp/mcp-session.ts'),
    import('../mcp/server-process.ts'),
  ]);
  const server = new ServerProcess(launch);
  await handOver(launch.home, given);
  const session = await McpSession.open(server, { name: id, bind: bindWith(elementsIn, closerLook) }, signal);
  const { tools, isolation, bind } = session;
  return { tools, isolation, bind, call: (...call) => session.call(...call), close: () => session.close() };
}

const CALLS = {
  ...TAB_CALLS,
  switch_tab: callOf('tabs', { index: '{{index}}' }),
  ...elementCalls('selector'),
  click_at: callOf('click_at', { x: '{{x}}', y: '{{y}}' }),
};

export function bindWith(elementsIn: LibraryTraits['elementsIn'], closerLook?: ToolCall): Bind {
  const closer = new CloserLook(() => closerLook);
  const bind = bindElements(CALLS, (step, last) =>
    last?.ok === true ? elementFor(step, elementsIn(last.text)) : undefined,
  );
  return async (intent, last) => closer.after(await bind(intent, last, null));
}

export const playwright = librarySurface({
  id: 'playwright',
  packageName: 'playwright-core',
  elementsIn: (snapshot) => elementsOf(snapshot).map((element) => ({ ...element, ref: `aria-ref=${element.ref}` })),
});

export const puppeteer = librarySurface({
  id: 'puppeteer',
  packageName: 'puppeteer-core',
  elementsIn: elementsOfPuppeteer,
  closerLook: callOf('snapshot', { all: true }),
});

/** Without a model: its pages, snapshots and locators. */
export const stagehand = librarySurface({
  id: 'stagehand',
  packageName: '@browserbasehq/stagehand',
  elementsIn: elementsOfStagehand,
});
