import { messageOf } from '../contract/message-of.ts';
import type { SurfaceSession } from '../surface/surface.ts';
import { within } from '../process/deadline.ts';
import type { Place } from './place.ts';

/** Time for a surface to open, in ms, from the start of a tool server until it is ready. */
const OPEN_TIMEOUT_MS = 60_000;
/** Time for the processes of a surface that did not open to end, in ms. */
const END_TIMEOUT_MS = 10_000;

interface Limits {
  openMs: number;
  endMs: number;
}

/** Opens the surface of a place. Ends one that does not open in time, and closes it if it still opens: no process may remain. */
export async function openSurface(
  place: Pick<Place, 'openSurface'>,
  { openMs, endMs }: Limits = { openMs: OPEN_TIMEOUT_MS, endMs: END_TIMEOUT_MS },
): Promise<{ surface: SurfaceSession } | { failure: string }> {
  let opening: Promise<SurfaceSession> | undefined;
  try {
    const opened = await within(openMs, async (signal) => await (opening = place.openSurface(signal)));
    if (opened.finished) return { surface: opened.value };
    await within(endMs, async () => (await opening)?.close());
    return { failure: `the surface did not open within ${openMs} ms` };
  } catch (error) {
    return { failure: `the surface could not be opened: ${messageOf(error)}` };
  }
}
