import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { Surface } from '../surface/surface.ts';
import type { Task } from '../task/schema.ts';
import type { World } from '../world/way-in.ts';
import { openContextPlace } from './context-place.ts';
import { openEndpointPlace } from './endpoint-place.ts';
import type { Place } from './place.ts';

/** A place that is made for what the surface needs. */
export function openPlace(surface: Surface, browser: JudgedBrowser, world: World, task: Task): Promise<Place> {
  return surface.needs === 'context'
    ? openContextPlace(surface, browser, world, task)
    : openEndpointPlace(surface, browser, world, task);
}
