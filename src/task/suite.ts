import { z } from 'zod';
import { EVEN_IF_FIELDS_ARE_WRONG } from '../contract/field-rules.ts';
import { Roles } from './auth.ts';
import { Credentials } from './credentials.ts';
import { Id } from './id.ts';
import { TaskName } from './instance.ts';
import { OutsideApp } from './outside-app.ts';

const RelativePath = z.string().min(1, 'is empty; write a path relative to the suite file');

const Origin = z.string().superRefine((text, context) => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text) return;
  context.addIssue({
    code: 'custom',
    message: 'is not an origin; write scheme and host only, like http://basics.localhost',
  });
});

/** One origin that the browser can reach: an app of ours or a program that is run, or a folder of files that stands in for a real site. */
const Site = z
  .strictObject({
    origin: Origin,
    app: RelativePath.optional(),
    static: RelativePath.optional(),
    program: OutsideApp.optional(),
    /** Folders beside the app's own of which it serves files. */
    files: z.array(RelativePath).optional(),
    stand_in: z.literal(true).optional(),
    /** One server answers all episodes, as where the app passes requests on to one that runs already: they run one at a time. */
    shared: z.literal(true).optional(),
    /** Path of the app's own MCP server (Streamable HTTP). */
    mcp: z.string().startsWith('/', 'must be a path on the site, for example /mcp').optional(),
    /** Its pages register tools (W3C WebMCP). */
    webmcp: z.literal(true).optional(),
  })
  .superRefine((site, context) => {
    const given = [site.app, site.static, site.program].filter((each) => each !== undefined).length;
    if (given !== 1) {
      const found = given === 0 ? 'none is given' : `${given} are given`;
      context.addIssue({ code: 'custom', message: `needs exactly one of app, static, program; ${found}` });
    }
    if (site.files !== undefined && site.app === undefined) {
      context.addIssue({ code: 'custom', path: ['files'], message: 'goes with app' });
    }
    if (site.shared !== undefined && site.static !== undefined) {
      context.addIssue({ code: 'custom', path: ['shared'], message: 'goes with app or program' });
    }
    if (site.mcp !== undefined && !(site.static === undefined && site.origin.startsWith('http:'))) {
      context.addIssue({ code: 'custom', path: ['mcp'], message: 'goes with app or program, on an http: origin' });
    }
    if (!isLocal(site.origin) && site.stand_in === undefined) {
      const message = 'is missing; an origin outside .localhost must admit "stand_in: true"';
      context.addIssue({ code: 'custom', path: ['stand_in'], message });
    }
  }, EVEN_IF_FIELDS_ARE_WRONG);

const LocalWorld = z.strictObject({
  kind: z.literal('local'),
  sites: z
    .array(Site)
    .min(1, 'is empty; list at least one site')
    .superRefine((sites, context) => {
      for (const [index, { origin }] of sites.entries()) {
        if (sites.findIndex((site) => site.origin === origin) === index) continue;
        context.addIssue({ code: 'custom', path: [index, 'origin'], message: 'is listed twice; keep one of them' });
      }
    }),
});

/** The web as it was recorded, or as stand-in pages have it. */
const ArchiveWorld = z.strictObject({
  kind: z.literal('archive'),
  /** The zip that "touchstone record" makes. */
  archive: RelativePath.refine((path) => /\.zip$/i.test(path), 'is no zip; name a file that ends in .zip'),
  /** Query parameters that do not count when a request is looked up, such as a time or a random number. */
  ignore_query: z.array(z.string().min(1, 'is empty; name a query parameter')).default([]),
});

/** Why a change to a contract is let pass that no stored end state tells from the contract. */
export const Waived = z.strictObject({
  /** As `touchstone qualify` names it, for example `success.children.0:drop`. */
  mutant: z
    .string()
    .regex(/^(success|guards)[a-z.\d]*:[a-z]+(_[a-z\d]+)*$/, 'is not a mutant as "touchstone qualify" prints it'),
  /** Stands in reports as it is, so it can hold no markup. */
  reason: z
    .string()
    .max(200)
    .regex(
      /^(?:[\p{L}\p{N} ,;:()'"-]|\.(?=\s|$))*\p{L}(?:[\p{L}\p{N} ,;:()'"-]|\.(?=\s|$))*$/u,
      'is no plain text; write words, digits and plain punctuation, without slashes',
    ),
});
export type Waived = z.infer<typeof Waived>;

const Waiver = z.strictObject({ task: TaskName, ...Waived.shape });
export type Waiver = z.infer<typeof Waiver>;

/** A suite file: which tasks, and the world that they need. Paths are relative to the file. */
export const Suite = z.strictObject({
  id: Id,
  title: z.string().min(1, 'is empty; say it in words'),
  description: z.string().optional(),
  /** `seed` holds every contract to the seed's kinds and fields. */
  kinds: z.enum(['seed', 'all']).default('all'),
  /** Task files, in the order in which they are run; `*`, `**` and `?` stand for names. */
  tasks: z.array(RelativePath).min(1, 'is empty; list at least one task file'),
  world: z.discriminatedUnion('kind', [LocalWorld, ArchiveWorld]),
  /** The values that logins of its tasks need, by name; variables of the environment of the same names win. Nothing of it is written. */
  credentials: Credentials.default({}),
  /** Who its tasks can begin signed in as. */
  roles: Roles.default({}),
  /** The folder of exemplars: `<screenshot_classes>/<class_id>/*.png`. */
  screenshot_classes: RelativePath.optional(),
  /** Repetitions that a claim takes in every cell, where the policy's are too few for these tasks. */
  least_repetitions: z.int().min(1).max(10_000).optional(),
  /** Printed beside every claim that rests on their tasks. */
  waivers: z
    .array(Waiver)
    .superRefine((waivers, context) => {
      for (const [index, { task, mutant }] of waivers.entries()) {
        if (waivers.findIndex((other) => other.task === task && other.mutant === mutant) === index) continue;
        context.addIssue({ code: 'custom', path: [index, 'mutant'], message: 'is waived twice; keep one of them' });
      }
    })
    .default([]),
});
export type Suite = z.infer<typeof Suite>;

/** Whether an origin is one that no public site can have. */
export function isLocal(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1';
}
