import { z } from 'zod';
import { fact } from '../../messages/messages.ts';
import { defineImporter } from '../importer.ts';

export const GAMES_ORIGIN = 'http://webgames.localhost';

/** Games that ask a service outside of the checkout for a verdict. */
const ASKS_OUTSIDE = /^robo-check(-|$)/;

export const WEBGAMES = defineImporter({
  name: 'webgames',
  repository: 'https://github.com/convergence-ai/webgames',
  licence: 'Apache-2.0',
  version: 1,
  files: ['evals/browseruse_webgames/webgames_tasks.jsonl'],
  schema: z.object({
    path: z.string().regex(/^[a-z\d]+(-[a-z\d]+)*(\/\*)?$/),
    description: z.string().regex(/\S/),
    tags: z.array(z.string()),
    password: z.string().min(1),
    difficulty: z.string().optional(),
  }),
  task: ({ path, description, difficulty, ...upstream }) => {
    const id = path.replace('/*', '');
    const address = `${GAMES_ORIGIN}/${id}`;
    const sentence = /[.!?]$/.test(description) ? description : `${description}.`;
    return {
      id,
      goal: `${sentence} The game at ${address} shows a password to those who win it. Answer with that password alone.`,
      start_urls: [address],
      ...(ASKS_OUTSIDE.test(id)
        ? { standing: 'needs a contract', why: fact('webgames_asks_outside') }
        : { standing: 'draft' }),
      upstream: { ...upstream, ...(difficulty === undefined ? {} : { difficulty }) },
    };
  },
});
