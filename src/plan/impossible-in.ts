import type { Surface } from '../surface/surface.ts';
import type { Pins } from './pins.ts';

/** Why a surface cannot run in this browser; null when it can. */
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
