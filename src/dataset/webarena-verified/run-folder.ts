import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../contract/message-of.ts';
import { parsePlainly, problemText } from '../../contract/validation/problem.ts';
import { fact } from '../../messages/messages.ts';
import { DatasetError } from '../dataset-error.ts';
import type { Sites } from './address.ts';
import { exchangesIn } from './har.ts';
import type { RunRecord } from './judge-row.ts';

const RESPONSE = 'agent_response.json';
const REQUESTS = 'network.har';

/** Lists the folders of tasks: the one that is named, or those in it. @throws DatasetError without one */
export async function taskFolders(folder: string): Promise<{ id: string; place: string }[]> {
  const place = path.resolve(folder);
  if (existsSync(path.join(place, RESPONSE))) return [{ id: path.basename(place), place }];
  const entries = existsSync(place) ? await readdir(place, { withFileTypes: true }) : [];
  const found = entries
    .filter((entry) => entry.isDirectory() && /^\d+$/.test(entry.name))
    .map(({ name }) => ({ id: name, place: path.join(place, name) }));
  if (found.length === 0) throw new DatasetError(fact('no_task_folders', { folder, file: RESPONSE }));
  return found.toSorted((a, b) => Number(a.id) - Number(b.id));
}

/** Reads what a run left in the folder of a task. */
export async function readRunRecord(folder: string): Promise<RunRecord> {
  const [response, requests] = await Promise.all(
    [RESPONSE, REQUESTS].map(async (name) => textOf(path.join(folder, name))),
  );
  return { response: response ?? null, ...exchangesOf(requests ?? null) };
}

async function textOf(file: string): Promise<string | null> {
  return existsSync(file) ? readFile(file, 'utf8') : null;
}

function exchangesOf(text: string | null): Omit<RunRecord, 'response'> {
  if (text === null) return { exchanges: null };
  try {
    return requestsIn(JSON.parse(text));
  } catch (error) {
    return { exchanges: null, unreadable: `${REQUESTS}: ${messageOf(error)}` };
  }
}

export function requestsIn(har: unknown): Omit<RunRecord, 'response'> {
  const read = exchangesIn(har);
  if (read.ok) return { exchanges: read.value };
  return { exchanges: null, unreadable: `${REQUESTS} ${read.problems.slice(0, 3).map(problemText).join('; ')}` };
}

const Config = z.looseObject({ environments: z.record(z.string(), z.looseObject({ urls: z.array(z.url()) })) });

/** Reads the addresses of sites from a configuration of WebArena-Verified. @throws DatasetError */
export async function readSites(file: string): Promise<Sites> {
  const refuse = (problems: string): never => {
    throw new DatasetError(fact('sites_unreadable', { file, problems }));
  };
  const text = (await textOf(file)) ?? refuse('does not exist');
  const parsed = parsePlainly(Config, jsonOr(text, refuse));
  if (!parsed.ok) return refuse(parsed.problems.map(problemText).join('; '));
  return new Map(Object.entries(parsed.value.environments).map(([name, { urls }]) => [name, urls]));
}

function jsonOr(text: string, refuse: (why: string) => never): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse(messageOf(error));
  }
}
