import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot, packageVersion } from '../../plan/package-root.ts';
import { SUITE_FILES } from '../../task/suite-file.ts';
import type { Answers, InitApp } from './answers.ts';

/** The name of the campaign that `touchstone run` finds in the folder where it is started. */
export const OWN_CAMPAIGN = 'touchstone.yaml';

/** The folder in which a suite is begun in a folder that holds something else already. */
export const OWN_FOLDER = 'touchstone';

/** The task that is written to begin with. */
export const FIRST_TASK = 'tasks/read-heading.yaml';

/** The place of the workflow in a repository. */
export const WORKFLOW = '.github/workflows/touchstone.yml';

/** A file by its whole path; of a folder, a copy is made. */
export type InitFile = { file: string } & ({ text: string } | { copyOf: string });

/** Everything that is written for these answers. */
export function filesFor(folder: string, { app, agent }: Answers): InitFile[] {
  const id = idOf(folder, app);
  const at = (name: string, text: string): InitFile => ({ file: path.join(folder, name), text });
  return [
    at(OWN_CAMPAIGN, `${hint(folder, '', 'campaign')}title: ${id}\nsuites: [.]\nagents: [./${agentFile(agent)}]\n`),
    at('suite.yaml', `${hint(folder, '', 'suite')}${suiteText(id, app)}`),
    at(FIRST_TASK, `${hint(folder, 'tasks', 'task')}${taskText(id, app)}`),
    ...worldFiles(folder, app),
    ...agentFiles(folder, agent),
    ...filesBeside(folder, agent),
  ];
}

/**
 * Everything that is written where a suite was begun before. Its app is known to itself alone.
 * @param agent a template that is asked for; null where the suite has its agents already
 */
export function filesForBegun(folder: string, agent: Answers['agent'] | null): InitFile[] {
  if (agent !== null) return [...agentFiles(folder, agent), ...filesBeside(folder, agent)];
  return filesBeside(folder, existsSync(path.join(folder, agentFile('node'))) ? 'node' : null);
}

/** Whether a suite was begun in a folder, with the campaign of it. */
export function isBegun(folder: string): boolean {
  return [[OWN_CAMPAIGN], SUITE_FILES].every((names) => names.some((name) => existsSync(path.join(folder, name))));
}

/** Files that know nothing of the app. */
function filesBeside(folder: string, agent: Answers['agent'] | null): InitFile[] {
  return [
    ...workflowFiles(folder, agent),
    { file: path.join(folder, '.gitignore'), text: 'bundles/\nnode_modules/\n' },
    ...(packageAbove(folder) === null ? [{ file: path.join(folder, 'package.json'), text: packageText() }] : []),
  ];
}

/** The agent's file, seen from the folder. Each lies in a folder of its own, by which it is called. */
export function agentFile(agent: Answers['agent']): string {
  return agent === 'node' ? 'agents/node-agent/agent.mjs' : 'agents/python-agent/agent.yaml';
}

/** The nearest package.json in a folder or above; null where there is none. */
export function packageAbove(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, 'package.json');
    if (existsSync(file)) return file;
    if (at === path.dirname(at)) return null;
  }
}

function template(name: string, values: Record<string, string> = {}): string {
  const text = readFileSync(path.join(packageRoot(), 'templates', name), 'utf8');
  return Object.entries(values).reduce(
    (filled, [placeholder, value]) => filled.replaceAll(placeholder, () => value),
    text,
  );
}

/** The line by which editors find the schema of a file. */
export function hint(folder: string, below: string, schema: string): string {
  const place = path.relative(path.join(folder, below), path.join(packageRoot(), 'schemas', `${schema}.json`));
  return `# yaml-language-server: $schema=${place.split(path.sep).join('/')}\n`;
}

/** A name for suite and host: that of the app's folder. */
function idOf(folder: string, { kind }: InitApp): string {
  const isBeside = kind === 'command' || path.basename(folder) === OWN_FOLDER;
  const named = path.basename(isBeside ? path.dirname(folder) : folder);
  const id = named
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return /^[a-z]/.test(id) ? id : 'my-app';
}

function suiteText(id: string, app: InitApp): string {
  return `id: ${id}
title: ${id}
tasks:
  - tasks/*.yaml
world:
  kind: local
  sites:
    - origin: http://${id}.localhost
${siteText(app)}`;
}

function siteText(app: InitApp): string {
  switch (app.kind) {
    case 'page':
    case 'files':
      return '      static: site\n';
    case 'address':
      return '      app: app/app.ts\n      # One server answers all episodes, so they run one at a time.\n      shared: true\n';
    case 'command':
      return `      program:
        # Each episode starts it in a copy of the folder; what is installed (node_modules, .venv) is linked to.
        folder: ..
        # Files and folders that the app does not need. They are not copied, and when they change, proofs stay current.
        # leave_out: [README.md, docs]
        command: ${JSON.stringify(app.words)}
        # It must listen on this port of 127.0.0.1.
        env: { PORT: '{{port}}' }
        ready: ${JSON.stringify(app.ready)}
        # A path that returns its state as JSON; with one, contracts can use app_state and unchanged. Let the app answer there only
        # if the request's header touchstone-secret equals the variable TOUCHSTONE_SECRET: nobody but the judge sends that.
        ${app.state === null ? '# state: /__state' : `state: ${JSON.stringify(app.state)}`}
`;
  }
}

const HEADING = 'Hello from a small page';
const UNKNOWN = 'the heading of your page';

function taskText(id: string, app: InitApp): string {
  const { kind } = app;
  const hasState = app.kind === 'command' && app.state !== null;
  const heading = kind === 'page' ? HEADING : UNKNOWN;
  const todo =
    kind === 'page'
      ? ''
      : '# Replace these words with the heading of your page; until then the agent fails, and its row says what it saw.\n';
  return `id: read-heading
title: Read the heading
startUrl: http://${id}.localhost/
goal: Answer with the heading of the page, word for word.
maxSteps: 10
maxDurationMs: 60000
category: info_retrieval
${todo}success:
  kind: answer
  one_of: [${JSON.stringify(heading)}]
${hasState ? '# Reading changes nothing.\nguards: { kind: unchanged }\n' : ''}solutions:
  - steps:
      - { do: answer, value: ${JSON.stringify(heading)} }
nearMisses:
  - why: it is another heading
    steps:
      - { do: answer, value: Another heading }
`;
}

function worldFiles(folder: string, app: InitApp): InitFile[] {
  switch (app.kind) {
    case 'page':
      return [{ file: path.join(folder, 'site/index.html'), text: template('site/index.html') }];
    case 'files':
      return [{ file: path.join(folder, 'site'), copyOf: app.folder }];
    case 'address': {
      const values = { '{{address}}': app.address, "['{{reset}}']": JSON.stringify(app.reset) };
      return [{ file: path.join(folder, 'app/app.ts'), text: template('running-app.ts', values) }];
    }
    case 'command':
      return [];
  }
}

/** The agent, and beside it what it needs. */
function agentFiles(folder: string, agent: Answers['agent']): InitFile[] {
  const own = path.dirname(path.join(folder, agentFile(agent)));
  if (agent === 'node') {
    return ['agent.mjs', 'package.json'].map((name) => ({
      file: path.join(own, name),
      text: template(`node-agent/${name}`),
    }));
  }
  const client = readFileSync(path.join(packageRoot(), 'clients/python/touchstone_agent.py'), 'utf8');
  return [
    { file: path.join(own, 'agent.yaml'), text: template('python-agent/agent.yaml') },
    { file: path.join(own, 'agent.py'), text: template('python-agent/agent.py') },
    { file: path.join(own, 'touchstone_agent.py'), text: client },
  ];
}

/** A workflow counts at the root of a repository only. */
function workflowFiles(folder: string, agent: Answers['agent'] | null): InitFile[] {
  const root = rootFor(folder);
  const place = path.relative(root, folder).split(path.sep).join('/') || '.';
  const install = `      - run: npm install --prefix ${path.posix.dirname(agentFile('node'))}\n        working-directory: '${quoted(place)}'\n`;
  const values = {
    '      # {{prepare}}\n': agent === 'node' ? install : '',
    '{{folder}}': quoted(place),
    '{{action}}': quoted(actionFrom(root, folder)),
  };
  return [{ file: path.join(root, WORKFLOW), text: template('workflow.yml', values) }];
}

/** Text as YAML has it between single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", "''");
}

/** The action that comes with the package, as a workflow names what npm has put into the repository. */
function actionFrom(root: string, folder: string): string {
  const installed = path.join(path.dirname(packageAbove(folder) ?? path.join(folder, 'package.json')), 'node_modules');
  return `./${path.relative(root, path.join(installed, 'touchstone')).split(path.sep).join('/')}`;
}

/** The root of the repository that a folder is in; null where it is in none. */
export function repositoryOf(folder: string): string | null {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at))
    if (existsSync(path.join(at, '.git'))) return at;
  return null;
}

/** The root for which the workflow is written: without a repository, the folder of the app, in which npm installs or ours lies. */
export function rootFor(folder: string): string {
  const above = packageAbove(folder);
  const isOfApp =
    path.basename(folder) === OWN_FOLDER || (above !== null && path.dirname(above) === path.dirname(folder));
  return repositoryOf(folder) ?? (isOfApp ? path.dirname(folder) : folder);
}

function packageText(): string {
  const manifest = { private: true, devDependencies: { touchstone: `^${packageVersion()}` } };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
