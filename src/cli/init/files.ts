import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot, packageVersion } from '../../plan/package-root.ts';
import type { Answers, InitApp } from './answers.ts';
import { usuallyNeedless } from '../../world/outside-app/outside-app.ts';
import { OWN_CAMPAIGN, OWN_FOLDER, packageAbove, rootFor } from './places.ts';

export const FIRST_TASK = 'tasks/read-heading.yaml';

/** The place of the workflow in a repository. */
export const WORKFLOW = '.github/workflows/touchstone.yml';

/** A file by its whole path; `copyOf` names a folder. */
export type InitFile = { file: string } & ({ text: string } | { copyOf: string });

/**
 * Returns everything that is written for these answers.
 * @param heading the heading of the start page; null before it is known
 */
export function filesFor(folder: string, { app, start, agent }: Answers, heading: string | null): InitFile[] {
  const id = idOf(folder, app);
  const at = (name: string, source: string, schema: string, values: Record<string, string> = {}): InitFile => {
    const below = path.dirname(name);
    const all = { '# yaml-language-server: $schema=SCHEMA\n': hint(folder, below, schema), 'my-app': id, ...values };
    return { file: path.join(folder, name), text: template(source, all) };
  };
  return [
    at(OWN_CAMPAIGN, 'touchstone.yaml', 'campaign', { AGENT: agentFile(agent) }),
    at('suite.yaml', suiteTemplate(app), 'suite', programValues(folder, app)),
    at(FIRST_TASK, 'read-heading.yaml', 'task', { ...taskValues(app, heading), '{{start}}': start }),
    ...worldFiles(folder, app),
    ...agentFiles(folder, agent),
    ...filesBeside(folder, agent),
  ];
}

/**
 * Returns the files of a folder that holds a suite already, without those that depend on its app.
 * @param agent the template that is wanted; null if the suite has its agents already
 */
export function filesForBegun(folder: string, agent: Answers['agent'] | null): InitFile[] {
  if (agent !== null) return [...agentFiles(folder, agent), ...filesBeside(folder, agent)];
  return filesBeside(folder, existsSync(path.join(folder, agentFile('node'))) ? 'node' : null);
}

function filesBeside(folder: string, agent: Answers['agent'] | null): InitFile[] {
  const manifest = { private: true, devDependencies: { touchstone: `^${packageVersion()}` } };
  return [
    workflowFile(folder, agent),
    ...(packageAbove(folder) === null
      ? [{ file: path.join(folder, 'package.json'), text: `${JSON.stringify(manifest, null, 2)}\n` }]
      : []),
  ];
}

/** Returns the agent's file, relative to the folder of the suite. */
export function agentFile(agent: Answers['agent']): string {
  return agent === 'node' ? 'agents/node-agent/agent.mjs' : 'agents/python-agent/agent.yaml';
}

/** Reads a template and replaces its placeholders. */
function template(name: string, values: Record<string, string> = {}): string {
  const text = readFileSync(path.join(packageRoot(), 'templates', name), 'utf8');
  return Object.entries(values).reduce(
    (filled, [placeholder, value]) => filled.replaceAll(placeholder, () => value),
    text,
  );
}

/** Returns the line that names the schema of a file to editors. */
export function hint(folder: string, below: string, schema: string): string {
  const place = path.relative(path.join(folder, below), path.join(packageRoot(), 'schemas', `${schema}.json`));
  return `# yaml-language-server: $schema=${place.split(path.sep).join('/')}\n`;
}

/** Makes a name for suite and host out of that of the app's folder. */
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

function suiteTemplate({ kind }: InitApp): string {
  return kind === 'address' || kind === 'command' ? `suite-${kind}.yaml` : 'suite-static.yaml';
}

function programValues(folder: string, app: InitApp): Record<string, string> {
  if (app.kind !== 'command') return {};
  const above = path.dirname(folder);
  const needless = existsSync(above) ? usuallyNeedless(above) : [];
  return {
    ...(needless.length === 0
      ? {}
      : {
          '# leave_out: [README.md, docs]': `leave_out: [${needless.map((name) => JSON.stringify(name)).join(', ')}]`,
        }),
    "['COMMAND']": JSON.stringify(app.words),
    "'READY'": JSON.stringify(app.ready),
    '        # PORT\n':
      app.port === null
        ? ''
        : `        # The port that it always takes; its episodes run one at a time.\n        port: ${app.port}\n`,
    "state: 'STATE'": app.state === null ? '# state: /__state' : `state: ${JSON.stringify(app.state)}`,
  };
}

export const SMALL_PAGE = 'Hello from a small page';

function taskValues(app: InitApp, heading: string | null): Record<string, string> {
  const hasState = app.kind === 'command' && app.state !== null;
  return {
    '# GUARDS\n': hasState ? '# Reading changes nothing.\nguards: { kind: unchanged }\n' : '',
    ...(heading === null ? {} : { 'the heading of your page': quoted(heading) }),
  };
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

function agentFiles(folder: string, agent: Answers['agent']): InitFile[] {
  const own = path.dirname(path.join(folder, agentFile(agent)));
  const at = (name: string): InitFile => ({ file: path.join(own, name), text: template(`${agent}-agent/${name}`) });
  if (agent === 'node') return ['agent.mjs', 'package.json'].map(at);
  const client = readFileSync(path.join(packageRoot(), 'clients/python/touchstone_agent.py'), 'utf8');
  return [at('agent.yaml'), at('agent.py'), { file: path.join(own, 'touchstone_agent.py'), text: client }];
}

function workflowFile(folder: string, agent: Answers['agent'] | null): InitFile {
  const root = rootFor(folder);
  const place = path.relative(root, folder).split(path.sep).join('/') || '.';
  const install = `      - run: npm install --prefix ${path.posix.dirname(agentFile('node'))}\n        working-directory: '${quoted(place)}'\n`;
  const values = {
    '      # {{prepare}}\n': agent === 'node' ? install : '',
    '{{folder}}': quoted(place),
    '{{action}}': quoted(actionFrom(root, folder)),
  };
  return { file: path.join(root, WORKFLOW), text: template('workflow.yml', values) };
}

/** Escapes text for single quotes in YAML. */
function quoted(text: string): string {
  return text.replaceAll("'", "''");
}

/** Returns the place of the package's action, where npm installs it in the repository. */
function actionFrom(root: string, folder: string): string {
  const installed = path.join(path.dirname(packageAbove(folder) ?? path.join(folder, 'package.json')), 'node_modules');
  return `./${path.relative(root, path.join(installed, 'touchstone')).split(path.sep).join('/')}`;
}
