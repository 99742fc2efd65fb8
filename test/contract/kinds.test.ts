import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { KINDS } from '../../src/contract/kinds.ts';
import { asksForFresh, kindOf, type Leaf } from '../../src/contract/schema.ts';
import { validateContract } from '../../src/contract/validation/validate.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** One node of each kind; a kind that is missing here does not pass the type check. */
const NODES: { [K in Leaf['kind']]: Extract<Leaf, { kind: K }> } = {
  url: { kind: 'url', pattern: '/paid$' },
  dom_text: { kind: 'dom_text', contains: 'Paid' },
  dom_count: { kind: 'dom_count', selector: 'li', op: 'eq', value: 2 },
  network: { kind: 'network', url_pattern: '/pay$', status_in: [200], since: 'contract_enter' },
  screenshot_class: { kind: 'screenshot_class', class_id: 'paid', distance_max: 8 },
  no_dialog: { kind: 'no_dialog' },
  answer: { kind: 'answer', one_of: ['Ada'] },
  app_state: { kind: 'app_state', pointer: '/paid', equals: true },
  unchanged: { kind: 'unchanged', except: ['/notes'] },
  download: { kind: 'download', name_pattern: '^report', count: { op: 'eq', value: 1 } },
  field_value: { kind: 'field_value', selector: '#name', equals: 'Ada' },
};

const names = KINDS.map(({ schema }) => schema.shape.kind.value);

describe.each(KINDS.map((kind) => ({ name: kind.schema.shape.kind.value, kind })))('$name', ({ name, kind }) => {
  it('has a version, a test of its own and a section in docs/contracts.md', () => {
    expect(kind.version).toBeGreaterThan(0);
    expect(Number.isInteger(kind.version)).toBe(true);
    expect(existsSync(path.join(ROOT, 'test/contract', `${name.replaceAll('_', '-')}.test.ts`))).toBe(true);
    const docs = readFileSync(path.join(ROOT, 'docs/contracts.md'), 'utf8');
    expect(docs.split('\n').filter((line) => line.startsWith(`### \`${name}\``))).toHaveLength(1);
  });

  it('requests a reloaded page exactly when its node requires it', () => {
    const node = NODES[name];
    const fresh: unknown = { ...node, fresh: true };
    const validated = validateContract(fresh);
    const hasField = 'fresh' in kind.schema.shape;
    expect(validated.ok).toBe(hasField);
    expect(validated.ok && asksForFresh(validated.contract)).toBe(hasField);
    expect(asksForFresh(node)).toBe(false);
    expect(asksForFresh({ kind: 'not', child: { kind: 'or', children: [node] } })).toBe(false);
  });

  it('has its seed fields among its fields, its own name first', () => {
    const { seedFields } = kind;
    if (seedFields === null) return;
    expect(seedFields[0]).toBe('kind');
    expect(Object.keys(kind.schema.shape)).toEqual(expect.arrayContaining([...seedFields]));
  });

  it('makes valid nodes when it is loosened', () => {
    const node = NODES[name];
    for (const looser of Object.values(kindOf(node).loosened(node))) {
      expect(validateContract(looser)).toMatchObject({ ok: true });
    }
  });
});

test('every file of an assertion is registered under the name of its file, and no kind twice', () => {
  const files = readdirSync(path.join(ROOT, 'src/contract/assertions')).map((file) => path.basename(file, '.ts'));
  expect(names.map((name) => name.replaceAll('_', '-')).toSorted()).toEqual(files.toSorted());
});
