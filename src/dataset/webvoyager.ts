import { z } from 'zod';
import { defineImporter } from './importer.ts';

export const WEBVOYAGER = defineImporter({
  name: 'webvoyager',
  repository: 'https://github.com/MinorJerry/WebVoyager',
  licence: 'Apache-2.0',
  version: 1,
  files: ['data/WebVoyager_data.jsonl'],
  schema: z.object({ id: z.string().min(1), ques: z.string().min(1), web: z.url() }),
  task: ({ id, ques, web }) => ({
    id,
    goal: ques,
    start_urls: [web],
    standing: 'judged by a model upstream',
    upstream: null,
  }),
});
