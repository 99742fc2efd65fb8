import type { Task } from './schema.ts';

/** The size of a page, in CSS pixels. */
export interface Viewport {
  width: number;
  height: number;
}

const DEFAULT: Viewport = { width: 1280, height: 720 };

/** The viewport in which a task is done, whatever the entrant. */
export function viewportOf({ setup }: Task): Viewport {
  return setup?.viewport ?? DEFAULT;
}
