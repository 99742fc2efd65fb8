import { posix } from 'node:path';
import { z } from 'zod';

/** A path for the judge alone. It has one spelling but for case, so that no other reaches an app that does not check the judge's secret. */
export const PathForJudge = z
  .string()
  .regex(
    /^(?=\/.{2})(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~-]+)+\/?$/,
    "must be a path with a name of its own, for example /__state, of ASCII letters, digits, '.', '_', '~' and '-' between slashes",
  );

/** A place in the folder, spelled as it is found there. */
const PlaceInFolder = z
  .string()
  .refine(
    (place) => isPlain(place.replace(/\/$/, '')),
    "must be the path of a file or folder in the app's folder, for example README.md or docs",
  );

function isPlain(place: string): boolean {
  return posix.normalize(place) === place && !/^\.{1,2}(\/|$)|^\/|\\/.test(place);
}

const Command = z
  .array(z.string().max(4_096))
  .min(1, 'is empty; name a program and its arguments')
  .refine(([program]) => program !== '', 'names no program')
  .superRefine((words, context) => {
    for (const [index, word] of words.entries()) refuseOthers(word, [index], context);
  });

const Variables = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not the name of a variable'), z.string())
  .superRefine((env, context) => {
    for (const [name, value] of Object.entries(env)) refuseOthers(value, [name], context);
  });

/** Each start has a port of its own, and a program learns it in no other way: not even PORT is set unless `env` sets it. */
const PORTLESS =
  "never tells the program its port, on which it must listen; pass {{port}} to it: env: { PORT: '{{port}}' }, or as an argument of command; or declare the port that it always takes: port: 4000";

/** An app in any language, which is started as a process of its own: no code of it runs in ours, and no shell starts it. */
export const OutsideApp = z
  .strictObject({
    folder: z
      .string()
      .min(1, 'is empty; write a path relative to the suite file')
      .describe(
        "the app's folder, inside the suite's folder or its parent; each episode starts the app in a fresh copy",
      ),
    leave_out: z
      .array(PlaceInFolder)
      .min(1, 'is empty; name a file or a folder, or leave it out')
      .optional()
      .describe('files and folders that the app does not need; they are neither copied nor hashed'),
    command: Command.describe(
      'the program (on the PATH, or a path with a slash) and its arguments; it must listen on `{{port}}` of 127.0.0.1',
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
      'variables; the app also gets PATH, HOME, TMPDIR, LANG, TZ, NODE_ENV, `TOUCHSTONE_SECRET` and `TOUCHSTONE_PARAMETERS`',
    ),
    ready: z
      .string()
      .startsWith('/', 'must be a path on the site, for example /')
      .default('/')
      .describe('a path that answers with success when the app is ready, within two minutes'),
    state: PathForJudge.optional().describe(
      'the path of its whole state as JSON, at most 16 MB; without it, contracts cannot use `app_state` and `unchanged`',
    ),
    reset: z
      .union([PathForJudge, Command], 'must be a path on the site, or a list of a program and its arguments')
      .optional()
      .describe(
        "sets up the start state: a path to which the instance's parameters are posted, or a command that runs first",
      ),
  })
  .superRefine(({ command, env, port }, context) => {
    if (port !== undefined || [...command, ...Object.values(env)].some((text) => text.includes('{{port}}'))) return;
    context.addIssue({ code: 'custom', message: PORTLESS });
  });
export type OutsideApp = z.infer<typeof OutsideApp>;

function refuseOthers(text: string, path: (string | number)[], context: z.RefinementCtx): void {
  const unknown = [...text.matchAll(/\{\{(\w*)\}\}/g)].find(([, name]) => name !== 'port');
  if (unknown === undefined) return;
  context.addIssue({ code: 'custom', path, message: `asks for ${unknown[0]}; there is {{port}}` });
}
