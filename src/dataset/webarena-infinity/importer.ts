import { z } from 'zod';
import { defineImporter } from '../importer.ts';

/** The folder of an app in `apps/<app>/real-tasks.json`. */
const APP = /([^/]+)\/real-tasks\.json$/;

export const WEBARENA_INFINITY = defineImporter({
  name: 'webarena-infinity',
  repository: 'https://github.com/web-arena-x/webarena-infinity',
  licence: 'MIT',
  version: 2,
  files: ['apps/*/real-tasks.json'],
  schema: z.object({
    id: z.string().min(1),
    instruction: z.string().min(1),
    difficulty: z.string(),
    verify: z.string(),
  }),
  task: ({ id, instruction, ...upstream }, file) => {
    const app = APP.exec(file)?.[1] ?? file;
    return {
      id: `${app}/${id}`,
      goal: instruction,
      start_urls: [`http://${app}.localhost/`],
      standing: 'draft',
      upstream: { app, ...upstream },
    };
  },
});
