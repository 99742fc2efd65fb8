import { z } from 'zod';

/**
 * A name of a campaign, suite, task, agent or surface. It appears in reports, file names and
 * `run_id` as it is, so it can hold no markup, no path and no `__`.
 */
export const Name = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/, 'is not a name; write letters and digits joined by single "-" or "_"');

/** An agent may be named after a model, whose version has a dot in it. What begins with `www.` would be a link in Markdown. */
export const AgentName = z
  .string()
  .max(100)
  .regex(
    /^(?![Ww]{3}\.)[A-Za-z0-9]+([-_.][A-Za-z0-9]+)*$/,
    'is not a name; write letters and digits joined by single "-", "_" or ".", and no "www." before it',
  );
