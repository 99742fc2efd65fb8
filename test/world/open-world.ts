import type { App } from '../../src/world/app.ts';
import { startLocalWorld } from '../../src/world/local.ts';
import { createTlsIdentity, type TlsIdentity } from '../../src/world/tls-identity.ts';
import type { WorldHere } from '../../src/world/world-proxy.ts';

let made: Promise<TlsIdentity> | null = null;

export type OpenWorld = WorldHere & AsyncDisposable;

export function answering(fetch: App['fetch']): Partial<App> {
  return { fetch };
}

/** Refusals by address. */
export function refusals(world: WorldHere): Record<string, number> {
  return Object.fromEntries(world.refused().map(({ address, times }) => [address, times]));
}

/** A world of these apps by origin, closed with its scope: `await using world = await openWorld({ 'http://a.test': … })`. */
export async function openWorld(
  apps: Record<string, Partial<App>>,
  { live = false, whole = false } = {},
): Promise<OpenWorld> {
  made ??= createTlsIdentity();
  const world = await startLocalWorld({
    sites: Object.entries(apps).map(([origin, app]) => ({
      origin,
      create: () => ({ fetch: () => new Response('hello'), state: () => null, ...app }),
      hasState: app.state !== undefined,
      standIn: false,
    })),
    parameters: {},
    identity: await made,
    live,
    whole,
  });
  return { ...world, [Symbol.asyncDispose]: () => world.close() };
}
