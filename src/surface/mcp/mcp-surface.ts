import path from 'node:path';
import type { Confined } from '../../process/sandbox/confined.ts';
import { type SandboxLaunch, prepareLaunch } from '../../process/sandbox/launch.ts';
import { variablesNamed } from '../../process/environment.ts';
import type { EndpointSeat, EndpointSurface } from '../surface.ts';
import { bindingOf, ChosenTab, ServerTargets } from './binding.ts';
import { processNeedsOf, hiddenFromServers, type Program, programOf } from './server-program.ts';
import type { McpSession } from './mcp-session.ts';
import { filledObject, stepsWithoutCall, withValues, placeholdersIn, type Values } from '../binding.ts';
import { handOver } from '../../task/given-files.ts';
import type { ServerFile } from './server-file.ts';

/** A tool server as a surface: all the tools that it lists, and its replies unchanged. @param prepare for tests */
export function mcpSurface(file: ServerFile, prepare = prepareLaunch): EndpointSurface {
  const program = programOf(file);
  const isMissing = 'missing' in program;
  return {
    id: file.server.id,
    needs: 'endpoint',
    network: file.server.network,
    interaction: 'multi-turn',
    version: isMissing ? 'not installed' : (program.version ?? 'as it says when it runs'),
    unavailable: isMissing ? program.missing : null,
    bindsSteps: file.server.binding !== undefined,
    lacksSteps: file.server.binding === undefined ? [] : stepsWithoutCall(file.server.binding),
    processNeeds: () => {
      if (isMissing) return null;
      const { command, folder, files } = program;
      return processNeedsOf([command, folder, ...files], visibleTo(file, program));
    },
    open: async (seat, signal) => {
      if (isMissing) throw new Error(program.missing);
      const hidden = hiddenFromServers(visibleTo(file, program));
      const launch = await prepare((home) => confinedServer(file, program, seat, home), seat.cdpUrl, hidden);
      return await openSession(file, launch, seat, signal);
    },
  };
}

async function openSession(
  file: ServerFile,
  launch: SandboxLaunch,
  seat: EndpointSeat,
  signal: AbortSignal,
): Promise<McpSession> {
  const { id, binding, ready, start_timeout_ms: limitMs } = file.server;
  // Imported only here, so that listing surfaces loads no client.
  const [{ McpSession: Session }, { ServerProcess }] = await Promise.all([
    import('./mcp-session.ts'),
    import('./server-process.ts'),
  ]);
  const process = new ServerProcess(launch);
  const values = { ...filledBySeat(seat), home: launch.home.inside, folder: path.dirname(file.file) };
  const readyValues = { ...values, ...new ChosenTab(seat.tabs).values };
  const readyCalls = ready.map(({ tool, args }) => ({ tool, args: filledObject(args, readyValues) }));
  const tooLate = new AbortController();
  const timer = setTimeout(() => {
    tooLate.abort(new Error(`it was not ready within ${limitMs} ms`));
  }, limitMs);
  try {
    const paths = await handOver(launch.home, seat.given);
    const bind = bindingOf(binding, seat.tabs, paths);
    const targets = binding === undefined ? undefined : new ServerTargets(binding);
    const traits = { name: `the server ${id}`, bind, targets, ready: readyCalls, files: [...paths.values()] };
    return await Session.open(process, traits, AbortSignal.any([signal, tooLate.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function confinedServer(file: ServerFile, program: Program, seat: EndpointSeat, home: string): Confined {
  const { args, env, secrets, network } = file.server;
  const values = { ...filledBySeat(seat), home, folder: path.dirname(file.file) };
  const filled = Object.entries(env).map(([name, text]) => [name, withValues(text, values)]);
  return {
    program: program.command,
    args: [...program.args, ...args.map((arg) => withValues(arg, values))],
    folder: program.folder,
    cwd: null,
    files: program.files,
    readable: readableBy(file, program),
    variables: { ...variablesNamed(secrets), ...Object.fromEntries(filled) },
    network,
  };
}

function filledBySeat({ cdpUrl, cdpPort }: EndpointSeat): Values {
  return { cdpUrl, cdpPort };
}

function visibleTo(file: ServerFile, program: Program): string[] {
  return [program.folder, ...readableBy(file, program)];
}

/** The folders of the program's files, what the server file lists, and its own folder if it uses the placeholder `folder`. */
function readableBy({ file, server }: ServerFile, { files }: Program): string[] {
  const folder = path.dirname(file);
  const usesFolder = [...server.args, ...Object.values(server.env)].some((text) =>
    placeholdersIn(text).includes('folder'),
  );
  const named = server.readable.map((place) => path.resolve(folder, place));
  return [...files.map((place) => path.dirname(place)), ...named, ...(usesFolder ? [folder] : [])];
}
