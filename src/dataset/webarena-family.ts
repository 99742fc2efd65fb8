import { z } from 'zod';
import { JsonObject } from '../contract/json.ts';
import { defineImporter, type Importer } from './importer.ts';

/** The form that WebArena's rows have, and those of the sets that were made after it. */
const Row = z.object({
  task_id: z.union([z.int(), z.string().min(1)]),
  intent: z.string().min(1),
  start_url: z.string(),
  eval: JsonObject,
});

/** Keys of an evaluation that ask a model: whether an answer means the same, or what a picture shows. */
const ASKS_A_MODEL = /"(?:fuzzy_match|eval_vqa)":/;

/** The site in `test_<site>.raw.json`. */
const SITE = /test_(\w+)\.raw\.json$/;

interface Member extends Pick<Importer, 'name' | 'repository' | 'licence' | 'files'> {
  /** Its ids are unique only within a file. */
  idsPerFile?: boolean;
}

function member({ idsPerFile = false, ...about }: Member): Importer {
  return defineImporter({
    ...about,
    version: 1,
    schema: Row,
    task: ({ task_id: id, intent, start_url: start, eval: evaluation }, file) => ({
      id: idsPerFile ? `${SITE.exec(file)?.[1] ?? file}-${id}` : String(id),
      goal: intent,
      start_urls: start.split(' |AND| ').filter((url) => url !== ''),
      standing: ASKS_A_MODEL.test(JSON.stringify(evaluation)) ? 'judged by a model upstream' : 'needs a contract',
      upstream: evaluation,
    }),
  });
}

export const WEBARENA_FAMILY: readonly Importer[] = [
  member({
    name: 'webarena',
    repository: 'https://github.com/web-arena-x/webarena',
    licence: 'Apache-2.0',
    files: ['config_files/test.raw.json'],
  }),
  member({
    name: 'visualwebarena',
    repository: 'https://github.com/web-arena-x/visualwebarena',
    licence: 'MIT',
    files: ['config_files/vwa/test_*.raw.json'],
    idsPerFile: true,
  }),
  member({
    name: 'webchorearena',
    repository: 'https://github.com/WebChoreArena/WebChoreArena',
    licence: 'Apache-2.0',
    files: ['BrowserGym/config_files/test_webchore.raw.json'],
  }),
];
