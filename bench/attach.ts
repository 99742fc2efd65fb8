/**
 * What does the gateway cost a tool? Playwright MCP takes the same round of calls (navigate, snapshot, type, click) on the
 * same local page in two browsers: attached to the browser's own debugging port, and to our gateway before it.
 * Interleaved, the first of each round in turn; prints the median of each call and the ratio of the two.
 *
 *   npm run bench:attach [-- <rounds>]
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CdpConnection } from '../src/browser/cdp.ts';
import { startChromium } from '../src/browser/chromium-process.ts';
import { requireBrowser } from '../src/browser/find.ts';
import { startGateway } from '../src/browser/gateway/gateway.ts';
import { chromiumFlags, makeProfile } from '../src/browser/flags.ts';
import { launchBrowser } from '../src/browser/launch.ts';
import { Observer } from '../src/browser/observer.ts';
import { pipeWire } from '../src/browser/wire.ts';
import { Entrants } from '../src/plan/entrants.ts';
import { packageRoot } from '../src/plan/package-root.ts';
import { giveFolder, otherUser } from '../src/process/other-user.ts';
import { removeFolder } from '../src/process/own-folder.ts';
import type { SurfaceSession } from '../src/surface/surface.ts';
import type { ToolCall } from '../src/task/tool.ts';
import { loadApp } from '../src/world/load-app.ts';
import { startLocalWorld } from '../src/world/local.ts';
import { createTlsIdentity } from '../src/world/tls-identity.ts';

const rounds = Number(process.argv[2] ?? 30);
const WARM_UP = 3;
const ORIGIN = 'http://basics.localhost';

/** One round, with the tools of Playwright MCP; elements are named by selectors, so that no call needs the reply of another. */
const CALLS: readonly ToolCall[] = [
  { tool: 'browser_navigate', args: { url: `${ORIGIN}/contact` } },
  { tool: 'browser_snapshot', args: {} },
  { tool: 'browser_type', args: { target: '[name=name]', text: 'Ada Lovelace' } },
  { tool: 'browser_type', args: { target: '[name=email]', text: 'ada@example.org' } },
  { tool: 'browser_click', args: { target: 'h1' } },
  { tool: 'browser_snapshot', args: {} },
];

/** A browser with a tool server that is attached to it, and the time of every call so far, by its place in the round. */
interface Lane {
  session: SurfaceSession;
  /** Sends the gateway, if there is one, what an episode sends it. */
  begins: (call: ToolCall) => void;
  times: number[][];
  close(): Promise<void>;
}

const identity = await createTlsIdentity();
const world = await startLocalWorld({
  sites: [
    {
      origin: ORIGIN,
      create: await loadApp(path.join(packageRoot(), 'apps/basics/app.ts')),
      hasState: true,
      standIn: false,
    },
  ],
  parameters: {},
  identity,
  live: false,
});
const direct = await openLane(false);
const through = await openLane(true);
for (let round = 0; round < rounds + WARM_UP; round += 1) {
  for (const lane of round % 2 === 0 ? [direct, through] : [through, direct]) await play(lane);
  process.stderr.write(`\r${round + 1}/${rounds + WARM_UP}`);
}
await Promise.all([direct.close(), through.close()]);
await world.close();
report();

async function openLane(hasGateway: boolean): Promise<Lane> {
  const surface = (await Entrants.load()).surface('playwright-mcp');
  if (surface.needs !== 'endpoint') throw new Error('playwright-mcp attaches to a browser');
  const { browser, gateway, url } = hasGateway ? await behindGateway() : await withOwnPort();
  const seat = { cdpUrl: url, cdpPort: Number(new URL(url).port), tabs: () => [] };
  const session = await surface.open(seat, AbortSignal.timeout(60_000));
  return {
    session,
    begins: ({ args }) => gateway?.callBegins(args),
    times: CALLS.map(() => []),
    close: async () => {
      await session.close();
      await gateway?.close();
      await browser.close();
    },
  };
}

async function behindGateway() {
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
  browser.forwardTo(world.proxy.server);
  await browser.observer.freshPage();
  const gateway = await startGateway(browser);
  return { browser, gateway, url: gateway.url };
}

/** The same Chromium, as others start it: with a port of its own, and the judge on the pipe. */
async function withOwnPort() {
  const profile = makeProfile();
  const other = otherUser();
  const uid = other !== null && giveFolder(other, profile) ? other : null;
  const [backgroundProxy, sandbox] = [new URL(world.proxy.server).host, uid !== null || process.getuid?.() !== 0];
  const flags = chromiumFlags({ profile, backgroundProxy, trustedSpki: identity.spki, sandbox });
  const withPort = [...flags, '--remote-debugging-port=0'];
  const chromium = startChromium({ binary: requireBrowser('full').path, flags: withPort, profile, uid });
  const { input, output } = chromium.pipe;
  await (await Observer.attach(new CdpConnection(pipeWire(input, output)))).freshPage();
  const [port] = readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  const close = async (): Promise<void> => {
    chromium.kill();
    await chromium.ended;
    removeFolder(profile);
  };
  return { browser: { close }, gateway: null, url: `http://127.0.0.1:${port}` };
}

async function play({ session, begins, times }: Lane): Promise<void> {
  for (const [place, call] of CALLS.entries()) {
    const begun = performance.now();
    begins(call);
    const reply = await session.call(call, AbortSignal.timeout(60_000));
    if (!reply.ok) throw new Error(`${call.tool} failed: ${reply.text}`);
    times[place]?.push(performance.now() - begun);
  }
}

function report(): void {
  const [plain, ours] = [direct, through].map(({ times }) => times.map((each) => each.slice(WARM_UP)));
  if (plain === undefined || ours === undefined) throw new Error('nothing was measured');
  console.log(`\r${rounds} rounds, interleaved; median of each call in ms`);
  console.log(line('', 'browser’s own port', 'gateway', 'ratio'));
  for (const [place, { tool }] of CALLS.entries()) compare(tool, plain[place] ?? [], ours[place] ?? []);
  compare('the whole round', sums(plain), sums(ours));
  const pairs = plain.flatMap((times, place) =>
    times.map((time, round) => (ours[place]?.[round] ?? Number.NaN) / time),
  );
  console.log(`median of ${pairs.length} pairs of calls: ${median(pairs).toFixed(3)}`);
}

function compare(what: string, plain: readonly number[], ours: readonly number[]): void {
  const [a, b] = [median(plain), median(ours)];
  console.log(line(what, a.toFixed(1), b.toFixed(1), (b / a).toFixed(3)));
}

function line(what: string, ...numbers: readonly string[]): string {
  return [what.padEnd(18), ...numbers.map((each) => each.padStart(20))].join('');
}

/** How long each round took. */
function sums(times: readonly (readonly number[])[]): number[] {
  return (times[0] ?? []).map((_, round) => times.reduce((total, each) => total + (each[round] ?? Number.NaN), 0));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (place: number): number => sorted[Math.floor(place)] ?? Number.NaN;
  return (middle(sorted.length / 2) + middle((sorted.length - 1) / 2)) / 2;
}
