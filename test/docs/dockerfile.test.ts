import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { packageRoot } from '../../src/plan/package-root.ts';
import { allCommandsIn, commandProblem } from './command-line.ts';
import { SHOWN } from './shown-commands.ts';

const read = (name: string): string => readFileSync(path.join(packageRoot(), name), 'utf8');
const { bin, engines, files } = z
  .object({
    bin: z.object({ touchstone: z.string() }),
    engines: z.object({ node: z.string() }),
    files: z.array(z.string()),
  })
  .parse(JSON.parse(read('package.json')));

const DOCKERFILE = read('Dockerfile');
const IGNORED = read('.dockerignore').trim().split('\n');
const DOCUMENTED = SHOWN.map(({ line }) => line).filter((line) => line.includes('docker run'));

/** The instructions of a Dockerfile, each with its words as one text. */
function instructionsOf(dockerfile: string): [name: string, words: string][] {
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n');
  return lines.flatMap((line): [string, string][] => {
    const [, name, words] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return name === undefined || words === undefined ? [] : [[name, words]];
  });
}

function wordsOf(dockerfile: string, wanted: string): string[] {
  return instructionsOf(dockerfile).flatMap(([name, words]) => (name === wanted ? [words] : []));
}

/** Lists the sources of COPY that the repository has not, or that its .dockerignore keeps from the builder. */
function missingSources(dockerfile: string): string[] {
  const sources = wordsOf(dockerfile, 'COPY').flatMap((words) => words.split(' ').slice(0, -1));
  return sources.filter((source) => IGNORED.includes(source) || !existsSync(path.join(packageRoot(), source)));
}

/** Says which commands of ours, run in the image while it is built, are wrong. */
function problemsOf(dockerfile: string): string[] {
  const commands = wordsOf(dockerfile, 'RUN').flatMap(allCommandsIn);
  const ours = commands.map((command) => command.replace(`node ${bin.touchstone}`, 'touchstone'));
  return ours
    .filter((command) => /^(?:touchstone|npm run) /.test(command))
    .flatMap((command) => commandProblem(command) ?? []);
}

test('an image gets files that are there, and every file of the package', () => {
  expect(missingSources(DOCKERFILE)).toEqual([]);
  expect(files.filter((name) => IGNORED.includes(name))).toEqual(['dist']);
  expect(missingSources('COPY package.json yarn.lock site ./\n')).toEqual(['yarn.lock', 'site']);
});

test('an image is built by scripts and commands of ours', () => {
  expect(problemsOf(DOCKERFILE)).toEqual([]);
  expect(problemsOf('RUN npm run bild \\\n  && node dist/cli/main.js aps install\n')).toEqual([
    'there is no npm script "bild"',
    expect.stringContaining("unknown command 'aps'"),
  ]);
});

/** Says why the command that a container starts with is wrong. */
function startProblems(dockerfile: string): string[] {
  const [sources] = wordsOf(dockerfile, 'WORKDIR');
  const [image = ''] = wordsOf(dockerfile, 'FROM');
  const major = Number(/^node:(\d+)-/.exec(image)?.[1]);
  const started: unknown = JSON.parse(wordsOf(dockerfile, 'ENTRYPOINT')[0] ?? 'null');
  const program = JSON.stringify(['node', `${sources}/${bin.touchstone}`]);
  return [
    ...(major >= Number(/\d+/.exec(engines.node)?.[0]) ? [] : [`${image} has not the Node that the package takes`]),
    ...(JSON.stringify(started) === program ? [] : [`the image has the program as ${program}`]),
  ];
}

test('a container starts the program where the image has it, in a Node that the package takes', () => {
  expect(startProblems(DOCKERFILE)).toEqual([]);
  const moved = DOCKERFILE.replace('WORKDIR /touchstone', 'WORKDIR /app').replace('node:22', 'node:18');
  expect(startProblems(moved)).toHaveLength(2);
});

test('documented containers run commands of ours, and the bundles of a run outlive them', () => {
  expect(DOCUMENTED).toHaveLength(2);
  for (const line of DOCUMENTED) {
    const [, words] = /docker run .* (touchstone .*)$/.exec(line) ?? [];
    expect(commandProblem(words ?? '')).toBeNull();
  }
  const [, workplace] = wordsOf(DOCKERFILE, 'WORKDIR');
  expect(DOCUMENTED.find((line) => line.endsWith('run basics'))).toContain(`:${workplace}/bundles"`);
});
