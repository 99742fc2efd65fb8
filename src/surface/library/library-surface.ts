import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageFolderOf } from '../../process/package-folder.ts';
import type { Confined } from '../../process/sandbox/confined.ts';
import { prepareLaunch } from '../../process/sandbox/launch.ts';
import type { Bind } from '../../task/intent.ts';
import { elementFor } from '../aria/element-for.ts';
import type { SnapshotElement } from '../../task/snapshot-text.ts';
import { bindElements, callOf, elementCalls, TAB_CALLS } from '../binding.ts';
import { installedPackage } from '../installed-package.ts';
import { foreseenOf, hiddenFromServers } from '../mcp/hidden-from-servers.ts';
import type { EndpointSeat, EndpointSurface, SurfaceSession } from '../surface.ts';

const OUR_CODE = fileURLToPath(new URL('../..', import.meta.url));
/** Tells Node how our code is written. */
const OUR_PACKAGE = path.join(packageFolderOf(OUR_CODE) ?? OUR_CODE, 'package.json');

interface LibraryTraits {
  /** As on the command line and in rows. */
  id: string;
  packageName: string;
  /** Address of the module that describes it; `server`, which serves its tools, stands beside it. */
  module: string;
  /** The elements that a snapshot shows, in the order of the page, with the selector of each as its reference. */
  elementsIn: (snapshot: string) => SnapshotElement[];
}

/** A library as a surface: served by a process of ours, as third-party tools are by theirs. */
export function librarySurface(traits: LibraryTraits): EndpointSurface {
  const found = installedPackage(traits.packageName);
  const isMissing = 'missing' in found;
  return {
    id: traits.id,
    needs: 'endpoint',
    interaction: 'multi-turn',
    version: isMissing ? 'not installed' : found.version,
    unavailable: isMissing ? found.missing : null,
    foreseen: () => (isMissing ? null : foreseenOf([process.execPath, OUR_CODE, OUR_PACKAGE], [OUR_CODE])),
    open: async (seat, signal) => {
      if (isMissing) throw new Error(found.missing);
      return await openSession(traits, seat, signal);
    },
  };
}

async function openSession(
  { id, module, elementsIn }: LibraryTraits,
  { cdpUrl }: EndpointSeat,
  signal: AbortSignal,
): Promise<SurfaceSession> {
  const confined: Confined = {
    program: process.execPath,
    args: [...serverBeside(module), cdpUrl],
    // Where our own code lies, and nothing else of ours.
    folder: OUR_CODE,
    cwd: null,
    files: [OUR_PACKAGE],
    readable: [],
    variables: {},
    network: 'gateway',
  };
  const launch = await prepareLaunch(() => confined, cdpUrl, hiddenFromServers([OUR_CODE]));
  // Whoever only asks what surfaces there are loads no client.
  const [{ McpSession }, { ServerProcess }] = await Promise.all([
    import('../mcp/mcp-session.ts'),
    import('../mcp/server-process.ts'),
  ]);
  const server = new ServerProcess(launch);
  const session = await McpSession.open(server, { name: id }, signal);
  return {
    tools: session.tools,
    isolation: session.isolation,
    bind: bindWith(elementsIn),
    call: (wanted, cancel) => session.call(wanted, cancel),
    close: () => session.close(),
  };
}

/** The script that Node is to run: JavaScript where it is installed; TypeScript in a clone, where `tsx` is. */
function serverBeside(module: string): string[] {
  const script = fileURLToPath(new URL(`server${path.extname(module)}`, module));
  if (!script.endsWith('.ts')) return [script];
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, script];
}

const CALLS = { ...TAB_CALLS, switch_tab: callOf('tabs', { index: '{{index}}' }), ...elementCalls('selector') };

/** A solution's step as a call of the tools that all libraries share. */
export function bindWith(elementsIn: LibraryTraits['elementsIn']): Bind {
  const bind = bindElements(CALLS, (step, last) =>
    last?.ok === true ? elementFor(step, elementsIn(last.text)) : undefined,
  );
  return (intent, last) => bind(intent, last, null);
}
