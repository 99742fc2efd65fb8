import { messageOf } from '../contract/message-of.ts';
import type { SurfaceSession } from '../surface/surface.ts';
import { within } from './deadline.ts';
import type { Place } from './place.ts';

/** How long a surface may take to open, in ms. */
const OPEN_TIMEOUT_MS = 30_000;

/** Opens the surface of a place. One that opens too late is closed as soon as it does: a tool's processes are not to stay. */
export async function openSurface(
  place: Pick<Place, 'openSurface'>,
  limitMs = OPEN_TIMEOUT_MS,
): Promise<{ surface: SurfaceSession } | { failure: string }> {
  // A promise, even of a surface that throws before it has one.
  const opening = Promise.resolve().then(() => place.openSurface());
  try {
    const opened = await within(limitMs, () => opening);
    if (opened.finished) return { surface: opened.value };
    opening.then((late) => late.close()).catch(() => {});
    return { failure: `the surface did not open within ${limitMs} ms` };
  } catch (error) {
    return { failure: `the surface could not be opened: ${messageOf(error)}` };
  }
}
