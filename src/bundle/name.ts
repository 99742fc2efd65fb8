import { z } from 'zod';

/**
 * A name of a campaign, suite, task, agent or surface. It goes into reports, file names and `run_id` as it is, so it holds no
 * markup, no path and no `__`.
 */
export const Name = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/, 'is not a name; write letters and digits joined by single "-" or "_"');

/** An agent may have the name of a model, with a dot in its version. `www.` would begin a link in Markdown. */
export const AgentName = z
  .string()
  .max(100)
  .regex(
    /^(?![Ww]{3}\.)[A-Za-z0-9]+([-_.][A-Za-z0-9]+)*$/,
    'is not a name; write letters and digits joined by single "-", "_" or ".", and no "www." before it',
  );
