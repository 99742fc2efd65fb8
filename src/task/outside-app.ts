import { posix } from 'node:path';
import { z } from 'zod';
import { addProblem, rule } from '../contract/validation/wording.ts';
import { fact } from '../messages/messages.ts';

/**
 * A path for the judge only. It has one spelling, apart from case, so that no other spelling reaches an app that does not check the
 * judge's secret.
 */
export const PathForJudge = z
  .string()
  .regex(/^(?=\/.{2})(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~-]+)+\/?$/, rule('judge_path'));

const PlaceInFolder = z.string().refine((place) => isPlain(place.replace(/\/$/, '')), rule('place_in_folder'));

function isPlain(place: string): boolean {
  return posix.normalize(place) === place && !/^\.{1,2}(\/|$)|^\/|\\/.test(place);
}

const Command = z
  .array(z.string().max(4_096))
  .min(1, rule('command_empty'))
  .refine(([program]) => program !== '', rule('program_empty'))
  .superRefine((words, context) => {
    for (const [index, word] of words.entries()) refuseOthers(word, [index], context);
  });

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const Variables = z
  .record(z.string().regex(VARIABLE, rule('not_a_variable')), z.string())
  .superRefine((env, context) => {
    for (const [name, value] of Object.entries(env)) refuseOthers(value, [name], context);
  });

/** An app in any language, started as a process of its own: none of its code runs in ours, and no shell starts it. */
export const OutsideApp = z
  .strictObject({
    folder: z
      .string()
      .min(1, rule('path_empty'))
      .describe(
        "the app's folder, inside the suite's folder or its parent; each episode starts the app in a fresh copy",
      ),
    leave_out: z
      .array(PlaceInFolder)
      .min(1, rule('left_out_nothing'))
      .optional()
      .describe(
        'files and folders that the app does not need, such as documents and tests; they are neither copied nor hashed',
      ),
    command: Command.describe(
      'the program (on the PATH, or a path with a slash) and its arguments; it must listen on port `{{port}}` of 127.0.0.1, given here or by `env`',
    ),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe(
        'the port that the app always takes, if it cannot take one from `{{port}}`; its episodes then run one at a time',
      ),
    env: Variables.default({}).describe(
      'variables; `{{port}}` works here, too, as in `PORT: "{{port}}"`; the app also gets PATH, HOME, TMPDIR, LANG, TZ, NODE_ENV, `TOUCHSTONE_SECRET` and `TOUCHSTONE_PARAMETERS`',
    ),
    clock_env: z
      .string()
      .regex(VARIABLE, rule('not_a_variable'))
      .optional()
      .describe('a variable that gets the [clock](worlds.md#a-clock) of a task, as `2026-03-02T09:00:00.000Z`'),
    faketime: z
      .boolean()
      .optional()
      .describe('gives the app the clock of a task by `libfaketime`, which must be installed'),
    ready: z
      .string()
      .startsWith('/', rule('not_a_site_path', { example: '/' }))
      .default('/')
      .describe('a path that answers with success or a redirect when the app is ready, within two minutes'),
    state: PathForJudge.optional().describe(
      'the path of its whole state as JSON, at most 16 MB; without it, contracts cannot use `app_state` and `unchanged`',
    ),
    reset: z
      .union([PathForJudge, Command], rule('reset_type'))
      .optional()
      .describe(
        "sets up the start state: a path to which the instance's parameters are posted, or a command that runs first",
      ),
  })
  .superRefine(({ command, env, port }, context) => {
    if (port !== undefined || [...command, ...Object.values(env)].some((text) => text.includes('{{port}}'))) return;
    addProblem(fact('port_not_passed', { port: '{{port}}' }), context);
  });
export type OutsideApp = z.infer<typeof OutsideApp>;

function refuseOthers(text: string, path: (string | number)[], context: z.RefinementCtx): void {
  const unknown = [...text.matchAll(/\{\{(\w*)\}\}/g)].find(([, name]) => name !== 'port');
  if (unknown === undefined) return;
  addProblem(fact('placeholder_unknown', { placeholder: unknown[0], known: '{{port}}' }), context, path);
}
