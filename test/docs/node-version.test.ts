import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';

const read = (file: string): string => readFileSync(path.join(packageRoot(), file), 'utf8');

test.each(['templates/workflow.yml', 'docs/ci.md'])('the workflow in %s runs on the Node that README names', (file) => {
  const tried = /tried on [^:]* Node (?<version>\d+)/.exec(read('README.md'))?.groups?.['version'];
  expect(tried).toBeDefined();
  expect(/node-version: (?<version>\S+)/.exec(read(file))?.groups?.['version']).toBe(tried);
});
