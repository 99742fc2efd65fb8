import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CellAgents } from '../../src/run/cell-agents.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { episodesOf } from '../../src/plan/plan.ts';
import { planCampaign, type PlanRequest } from '../../src/plan/plan-campaign.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { NO_SECRETS } from '../bundle/no-secrets.ts';
import { builtIn } from '../suite-files.ts';

const suite = await builtIn('basics');

const PROMPT = readFileSync('prompts/default.md', 'utf8');

function request(agents: readonly string[], surfaces: readonly string[] | null): PlanRequest {
  const only = ['example-h1'];
  const settings = { iterations: 1, seed: 1, isolation: 'context', browserKind: 'full' } as const;
  return { suites: [suite], agents, surfaces, only, ...settings, live: false };
}

async function file(name: string, text: string): Promise<string> {
  const place = path.join(await temporaryFolder(), name);
  await writeFile(place, text);
  return place;
}

test('an agent from a file goes by the name of its file, through its own surface, and others through aria', async () => {
  const script = await file('my agent.v2.mjs', '');
  const entrants = await Entrants.load({ agents: [script] });
  expect(entrants.files).toEqual({ agents: [script], surfaces: [] });
  expect(entrants.agent(script)).toMatchObject({ id: 'my-agent-v2', decider: 'process' });
  const plan = await planCampaign(request(['null', script], null), entrants);
  expect(plan.entrants).toEqual([
    { agent: 'null', surface: 'aria' },
    { agent: 'my-agent-v2', surface: 'own' },
  ]);
});

test('every requested pair is planned, and an impossible one has a reason', async () => {
  const script = await file('mine.mjs', '');
  const entrants = await Entrants.load({ agents: [script] });
  const plan = await planCampaign(request(['null', 'keyword', script], ['aria', 'dom', 'own']), entrants);
  const cells = episodesOf(plan);
  const agents = await CellAgents.make(cells, {
    suites: [suite],
    entrants,
    bundle: 'bundle',
    redactor: NO_SECRETS,
    credentials: new Map(),
  });
  const found = cells.map((cell) => {
    const made = agents.of(cell);
    return [cell.agent, cell.surface, 'agent' in made ? 'can' : made.notApplicable];
  });
  expect(found.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
    ['keyword', 'aria', 'can'],
    ['keyword', 'dom', 'keyword reads the accessibility trees that aria shows, and no other surface'],
    ['keyword', 'own', 'keyword reads the accessibility trees that aria shows, and no other surface'],
    ['mine', 'aria', 'mine drives the browser itself, so its surface is own'],
    ['mine', 'dom', 'mine drives the browser itself, so its surface is own'],
    ['mine', 'own', 'can'],
    ['null', 'aria', 'can'],
    ['null', 'dom', 'can'],
    ['null', 'own', 'null acts by the tools of a surface, and own has none'],
  ]);
});

test('a change in an agent’s files changes its hash', async () => {
  const folder = await temporaryFolder();
  const yaml = path.join(folder, 'mine.yaml');
  await writeFile(yaml, 'command: node\nargs: [run.mjs, --fast]\n');
  await writeFile(path.join(folder, 'run.mjs'), '1');
  const hashNow = async () => (await Entrants.load({ agents: [yaml] })).fileHashes['mine'];
  const before = await hashNow();
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(await hashNow()).toBe(before);
  await writeFile(path.join(folder, 'run.mjs'), '2');
  expect(await hashNow()).not.toBe(before);
});

test('the secrets of agents and tool servers are known, and plain values stay readable', async () => {
  const agent = await file('mine.yaml', 'command: node\nenv: [MODEL]\nsecrets: [MODEL_ACCESS]\n');
  const server = await file('theirs.yaml', 'id: theirs\ncommand: node\nsecrets: [SERVICE_ACCESS]\n');
  const { secrets } = await Entrants.load({ agents: [agent], surfaces: [server] });
  expect(secrets.toSorted()).toEqual(['MODEL_ACCESS', 'SERVICE_ACCESS']);
});

test.each([
  ['reference.mjs', 'the id "reference" is taken'],
  ['aria.mjs', 'the id "aria" is taken'],
])('%s would be taken for one of ours', async (name, message) => {
  await expect(Entrants.load({ agents: [await file(name, '')] })).rejects.toThrow(message);
});

test.each<[string, string, string, string]>([
  ['mine.yaml', 'command: [node]', 'agent_file_has_problems', 'mine.yaml:1:1 command: must be text'],
  ['mine.yaml', 'comand: node\nnetwork: all', 'agent_file_has_problems', 'unknown field; did you mean "command"?\n'],
  ['mine.yaml', 'command: node\nenv: ["KEY=secret"]', 'agent_file_has_problems', 'env[0]: is not the name'],
  ['mine.yaml', 'command: node\nnetwork: all', 'agent_file_has_problems', 'network: must be one of'],
  ['mine.yaml', 'command: node\nid: "a b"', 'agent_file_has_problems', 'id: is not an id'],
  ['mine.yaml', 'command: nodee', 'agent_program_not_found', '"nodee" is not on the PATH; did you mean "node"?'],
  ['mine.yaml', 'command: no-such-program-here', 'agent_program_not_found', '"no-such-program-here"'],
  ['mine.yaml', 'command: ./nothing', 'agent_program_not_executable', '"./nothing"'],
  ['---.mjs', '', 'agent_file_without_id', '---.mjs'],
  ['mine.rb', '', 'agent_file_of_unknown_kind', 'mine.rb'],
])('a file %s with %j is refused, with its place', async (name, text, code, message) => {
  const loading = Entrants.load({ agents: [await file(name, text)] });
  await expect(loading).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

test('a file that is not there, and a folder, are refused', async () => {
  const folder = path.join(await temporaryFolder(), 'folder.mjs');
  await mkdir(folder);
  const params = { file: folder, error: 'EISDIR' };
  await expect(Entrants.load({ agents: [folder] })).rejects.toMatchObject({ code: 'agent_file_unreadable', params });
  await expect(Entrants.load({ agents: ['./nowhere.mjs'] })).rejects.toMatchObject({ code: 'agent_file_missing' });
});

test('a model whose API takes no pictures cannot act on pictures, and any other can', async () => {
  const models = {
    environment: { DEEPSEEK_API_KEY: 'a'.repeat(20), OPENAI_API_KEY: 'b'.repeat(20) },
    prompt: PROMPT,
    cassettes: null,
    others: [],
  };
  const entrants = await Entrants.load({}, models);
  const plan = await planCampaign(
    request(['deepseek-chat', 'gpt-4o-mini'], ['pixels', 'pixels:one-shot', 'aria']),
    entrants,
  );
  const cells = episodesOf(plan);
  const agents = await CellAgents.make(cells, {
    suites: [suite],
    entrants,
    bundle: 'bundle',
    redactor: NO_SECRETS,
    credentials: new Map(),
  });
  const impossible = cells.flatMap((cell) => {
    const made = agents.of(cell);
    return 'agent' in made ? [] : [[cell.agent, cell.surface, made.notApplicable]];
  });
  const why = (surface: string) =>
    `deepseek-chat takes no pictures by the API of its provider, and ${surface} shows nothing else`;
  expect(impossible).toHaveLength(2);
  expect(impossible).toContainEqual(['deepseek-chat', 'pixels', why('pixels')]);
  expect(impossible).toContainEqual(['deepseek-chat', 'pixels-one-shot', why('pixels-one-shot')]);
});

test.each([
  ['broken JSON', '{', 'JSON'],
  ['JSON of another kind', '{"elements":[]}', 'it has no plugin_slug'],
])('refuses nac3:<file> with %s', async (_, text, why) => {
  const made = await file('made.json', text);
  await expect(Entrants.load({ surfaces: [`nac3:${made}`] })).rejects.toMatchObject({
    fact: { code: 'bad_manifest', params: { file: made, why: expect.stringContaining(why) } },
  });
});

test.each([
  ['made (2).v1.json', 'nac3-made-2-v1'],
  [`${'long_'.repeat(30)}.json`, `nac3-${'long-'.repeat(16).slice(0, -1)}`],
])('a surface nac3:<file> for %s has an id that rows can hold', async (name, id) => {
  const made = `nac3:${await file(name, '{"plugin_slug":"ours"}')}`;
  expect((await Entrants.load({ surfaces: [made] })).surface(made).id).toBe(id);
});

test.each([
  ['---.json', 'its name has no letters or digits'],
  ['one-shot.json', 'the id "nac3-one-shot" is taken'],
])('a surface nac3:<file> for %s is refused', async (name, message) => {
  const made = `nac3:${await file(name, '{"plugin_slug":"ours"}')}`;
  await expect(Entrants.load({ surfaces: [made] })).rejects.toThrow(message);
});
