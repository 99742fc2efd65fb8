import { z } from 'zod';
import { fact } from '../messages/messages.ts';
import { EVEN_IF_FIELDS_ARE_WRONG, exactlyOne, onlyWith } from '../contract/fields.ts';
import { addProblem, eachNamedOnce, rule } from '../contract/validation/wording.ts';
import { Roles, Credentials } from './auth.ts';
import { SuiteCaps } from './caps.ts';
import { Id, TaskName } from './instance.ts';
import { OutsideApp } from './outside-app.ts';

/** Outside the suite's own folder, so it counts only if it holds what it held when the suite was written. */
const DataFolder = z.strictObject({
  folder: z.string().min(1, rule('path_empty')),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, rule('not_a_sha256')),
});

const RelativePath = z.string().min(1, rule('path_empty'));

const Origin = z.string().superRefine((text, context) => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text) return;
  addProblem(fact('not_an_origin'), context);
});

/** One origin that the browser can reach: an app of ours, a program, or a folder of files as a stand-in for a real site. */
export const SuiteSite = z
  .strictObject({
    origin: Origin.describe('scheme and host without a port, such as `http://shop.localhost`'),
    app: RelativePath.optional().describe(
      'a TypeScript file that exports an [app](write-a-task.md#the-app) or a [real application](worlds.md#real-applications)',
    ),
    static: RelativePath.optional().describe('a folder of files'),
    program: OutsideApp.optional().describe('[an app in any language](#an-app-in-any-language)'),
    files: z.array(RelativePath).optional().describe('other folders that an `app` serves from; they are hashed too'),
    data: DataFolder.optional().describe(
      'a `folder` anywhere, such as a checkout, and the `sha256` of its tree; an `app` answers from it by `data(request)`',
    ),
    stand_in: z.literal(true).optional().describe('required for an origin outside `.localhost`'),
    shared: z.literal(true).optional().describe('one server answers all episodes, so they run one at a time'),
    mcp: z
      .string()
      .startsWith('/', rule('not_a_site_path', { example: '/mcp' }))
      .optional()
      .describe("path of the app's MCP server (Streamable HTTP)"),
    webmcp: z.literal(true).optional().describe('its pages register WebMCP tools'),
  })
  .superRefine((site, context) => {
    exactlyOne(site, ['app', 'static', 'program'], context);
    onlyWith(site, ['app'], ['files', 'data'], context);
    if (site.shared !== undefined && site.static !== undefined) {
      addProblem(fact('goes_only_with', { owner: '"app" or "program"' }), context, ['shared']);
    }
    if (site.mcp !== undefined && !(site.static === undefined && site.origin.startsWith('http:'))) {
      addProblem(fact('goes_only_with', { owner: '"app" or "program", on an http: origin,' }), context, ['mcp']);
    }
    if (!isLocal(site.origin) && site.stand_in === undefined)
      addProblem(fact('stand_in_missing'), context, ['stand_in']);
  }, EVEN_IF_FIELDS_ARE_WRONG);

const LocalWorld = z.strictObject({
  kind: z.literal('local'),
  sites: z
    .array(SuiteSite)
    .min(1, rule('list_empty', { entry: 'site' }))
    .superRefine(eachNamedOnce(({ origin }) => origin, 'origin', fact('listed_twice'))),
});

/** The web as it was recorded, or stand-in pages. */
const ArchiveWorld = z.strictObject({
  kind: z.literal('archive'),
  /** The zip that "touchstone record" makes. */
  archive: RelativePath.refine((path) => /\.zip$/i.test(path), rule('not_a_zip')),
  /** Query parameters to ignore when a request is looked up, such as a time or a random number. */
  ignore_query: z.array(z.string().min(1, rule('query_parameter_empty'))).default([]),
});

/** Waives a weakened contract that passes the same stored end states as the contract, or a made route that fails. */
export const Waived = z.strictObject({
  /** As `touchstone qualify` names it, for example `success.children.0:drop`. */
  mutant: z
    .string()
    .regex(/^(?:(?:success|guards)[a-z.\d]*:[a-z]+(?:_[a-z\d]+)*|route:[a-z]+-[a-z]+)$/, rule('not_a_mutant')),
  /** Shown in reports verbatim, so without markup. */
  reason: z
    .string()
    .max(200)
    .regex(/^(?:[\p{L}\p{N} ,;:()'"-]|\.(?=\s|$))*\p{L}(?:[\p{L}\p{N} ,;:()'"-]|\.(?=\s|$))*$/u, rule('waiver_reason')),
});
export type Waived = z.infer<typeof Waived>;

const Waiver = z.strictObject({ task: TaskName, ...Waived.shape });
export type Waiver = z.infer<typeof Waiver>;

/** Paths are relative to the file. */
export const Suite = z.strictObject({
  id: Id.describe('letters and digits joined by single `-` or `_`'),
  title: z.string().min(1, rule('title_empty')).describe('for people'),
  description: z.string().optional().describe('for people, in a sentence'),
  kinds: z
    .enum(['seed', 'all'])
    .default('all')
    .describe('`seed` refuses extensions of the contract language in all tasks'),
  tasks: z
    .array(RelativePath)
    .min(1, rule('list_empty', { entry: 'task file' }))
    .describe('task files in the order in which they run; `*`, `**` and `?` are wildcards'),
  world: z
    .discriminatedUnion('kind', [LocalWorld, ArchiveWorld])
    .describe('`local` with `sites`, or `archive` with a recorded [archive](worlds.md#archives) and `ignore_query`'),
  credentials: Credentials.default({}).describe('values that logins need; environment variables of the same names win'),
  roles: Roles.default({}).describe('users as which tasks can begin signed in'),
  screenshot_classes: RelativePath.optional().describe(
    'folder of [exemplars](contracts.md#screenshot_class): `<class_id>/*.png`',
  ),
  caps: SuiteCaps.optional().describe('raises the [caps](models.md#caps) that its tasks may set, for long work'),
  least_repetitions: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('repetitions per cell that a claim needs, if more than the policy asks'),
  waivers: z
    .array(Waiver)
    .superRefine(eachNamedOnce(({ task, mutant }) => `${task} ${mutant}`, 'mutant', fact('waived_twice')))
    .default([])
    .describe('mutants that no end state can kill, with the [reason](qualify.md#waivers)'),
});
export type Suite = z.infer<typeof Suite>;

/** Whether no public site can have the origin. */
export function isLocal(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1';
}
