import type { Surface } from '../surface/surface.ts';
import type { Pins } from './pins.ts';

/** Why a surface cannot be run here, with this browser; null when it can. */
export function unavailableWith(
  surface: Surface,
  { version, ours }: Pick<Pins['browser'], 'version' | 'ours'>,
): string | null {
  if (surface.unavailable !== null) return surface.unavailable;
  if (surface.needs === 'endpoint') return null;
  const { needsChromium = 0, needsStart } = surface;
  if (!ours && needsStart !== undefined) {
    return `its browser has to be started with ${needsStart}, and nobody knows how this one was; leave out --browser-endpoint`;
  }
  if (Number.parseInt(version, 10) >= needsChromium) return null;
  return `it was tried with Chromium ${needsChromium} and later, and this is ${version}; install another`;
}
