import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { typedIn } from './touchstone-process.ts';
import { touchstone, touchstoneIn } from './touchstone.ts';

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

async function begun(...args: string[]): Promise<{ suite: string; exit: number; said: string; asked: string[] }> {
  const folder = path.join(await temporaryFolder(), 'shop/touchstone');
  return await begunIn(folder, ...args);
}

async function begunIn(folder: string, ...args: string[]): ReturnType<typeof begun> {
  const asked: string[] = [];
  let said = '';
  const say = (line: string): void => {
    said += `${line}\n`;
  };
  const ask = async (question: string): Promise<string> => {
    asked.push(question.split('\n')[0] ?? '');
    return '';
  };
  const exit = await main(['init', folder, ...args], { out: say, note: say, ask });
  const suite = await readFile(path.join(folder, 'suite.yaml'), 'utf8').catch(() => '');
  return { suite, exit, said, asked };
}

describe('next to an existing suite', () => {
  test('init in the same folder writes the workflow that its advice had deleted, but no second suite', async () => {
    const above = await temporaryFolder();
    const folder = path.join(above, 'sub');
    await mkdir(folder);
    const { out } = await touchstone('init', folder, '--yes');
    const workflow = path.relative('.', path.join(folder, '.github/workflows/touchstone.yml'));
    const advice = `delete ${workflow}, and type "touchstone init ${folder}" here again`;
    expect(inOneLine(out)).toContain(advice);
    await mkdir(path.join(above, '.git'));
    await rm(path.join(folder, '.github'), { recursive: true });
    const before = await readdir(folder, { recursive: true });
    const again = await touchstoneIn(folder, 'init');
    expect(again.out).toContain('wrote  ../.github/workflows/touchstone.yml\n');
    expect(again.out.match(/^wrote/gm)).toHaveLength(1);
    expect(again.out).toContain('The suite that was begun before stays as it is: .\n');
    expect(await readdir(folder, { recursive: true })).toEqual(before);
    expect(await readFile(path.join(above, '.github/workflows/touchstone.yml'), 'utf8')).toContain(
      "working-directory: 'sub'",
    );
  });

  test.each([
    ['below', 'app', '.', 'app/touchstone'],
    ['above', '.', 'src', '../touchstone'],
  ])('%s, init writes no second one, and names the first', async (_where, ofApp, here, named) => {
    const root = await temporaryFolder();
    await mkdir(path.join(root, '.git'));
    for (const each of [ofApp, here]) await mkdir(path.join(root, each), { recursive: true });
    await touchstone('init', path.join(root, ofApp, 'touchstone'), '--yes');
    const before = await readdir(root, { recursive: true });
    const second = await touchstoneIn(path.join(root, here), 'init', '--yes');
    expect(second).toMatchObject({ exit: 2, err: expect.stringContaining(`there is already a suite in ${named}, `) });
    expect(second.err).toContain(`init ${named}"`);
    expect(await readdir(root, { recursive: true })).toEqual(before);
    const asked = await touchstone('init', path.join(root, here, 'mine'), '--yes');
    expect(asked).toMatchObject({ exit: 0, out: expect.stringMatching(/^wrote {2}\S+mine\/suite\.yaml$/m) });
  });

  test('options for the app are refused, and an agent in another language is added', async () => {
    const folder = path.join(await temporaryFolder(), 'bench');
    await touchstone('init', folder, '--yes');
    const refused = await touchstone('init', folder, '--app', 'python3 app.py', '--ready', '/health');
    expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('so --app, --ready would change nothing') });
    const { out } = await touchstone('init', folder, '--language', 'python');
    expect(out).toMatch(/^wrote {2}\S+agents\/python-agent\/agent\.py$/m);
    expect(out).toMatch(/name it in \S+touchstone\.yaml: \.\/agents\/python-agent\/agent\.yaml$/m);
  });
});

test('outside a repository the workflow is for one that begins in the folder of the app', async () => {
  const app = await temporaryFolder();
  const folder = path.join(app, 'touchstone');
  const { out } = await touchstone('init', folder, '--yes');
  expect(inOneLine(out)).toContain(`works in one that begins in ${app}: run "git init" there.`);
  expect(out.indexOf('no git repository')).toBeGreaterThan(out.indexOf('touchstone run'));
  const workflow = await readFile(path.join(app, '.github/workflows/touchstone.yml'), 'utf8');
  expect(workflow).toContain("working-directory: 'touchstone'");
  await mkdir(path.join(app, '.git'));
  const again = await touchstone('init', folder, '--yes');
  expect(again.out).not.toContain('no git repository');
  // Names the folder that was begun, ours too, and does not take it for a command.
  expect(again.out).toMatch(/^The suite that was begun before stays as it is: \S+\/touchstone$/m);
});

test('git ignores the bundles of runs that start next to the suite or in it, and each line is added once', async () => {
  const app = await temporaryFolder();
  await writeFile(path.join(app, '.gitignore'), 'dist/');
  const { out } = await typedIn(app, 'init', '--yes');
  expect(out).toContain('wrote  touchstone/.gitignore\nadded  /bundles/ to .gitignore\n');
  expect(await readFile(path.join(app, '.gitignore'), 'utf8')).toBe('dist/\n/bundles/\n');
  expect(await readFile(path.join(app, 'touchstone/.gitignore'), 'utf8')).toBe('/bundles/\nnode_modules/\n');
  await writeFile(path.join(app, '.gitignore'), 'bundles\r\ndist/\r\n');
  const again = await touchstoneIn(app, 'init', '--yes');
  expect(again.out).toContain('kept   touchstone/.gitignore\nkept   .gitignore\n');
  expect(await readFile(path.join(app, '.gitignore'), 'utf8')).toBe('bundles\r\ndist/\r\n');
});

test('a suite far from where init is typed adds nothing to a folder that is not its app', async () => {
  const above = await temporaryFolder();
  await touchstone('init', path.join(above, 'bench'), '--yes');
  expect(await readdir(above)).toEqual(['bench']);
});

describe('an option that answers a question', () => {
  test('keeps it from being asked, and is written as its answer would be', async () => {
    const given = [
      '--app',
      'python3 app.py "a b"',
      '--ready',
      '/health',
      '--state',
      '/__state',
      '--heading',
      'Shop',
      '--language',
      'python',
    ];
    const { suite, asked, said } = await begun(...given);
    expect(asked).toEqual([]);
    expect(suite).toContain('command: ["python3","app.py","a b"]');
    expect(suite).toMatch(/ready: "\/health"\n[^]*TOUCHSTONE_SECRET[^]*^ {8}state: "\/__state"\n/m);
    expect(said).toContain('agents/python-agent/agent.py');
    expect((await begun('--app', 'python3 app.py', '--state', '/__state', '--heading', 'Shop')).asked).toEqual([
      expect.stringContaining('once the app is ready?'),
      expect.stringContaining('node or python?'),
    ]);
  });

  test('leaves documents and tests of the repository out of the app', async () => {
    const shop = path.join(await temporaryFolder(), 'shop');
    await mkdir(path.join(shop, 'docs'), { recursive: true });
    await writeFile(path.join(shop, 'README.md'), '');
    const given = ['--yes', '--app', 'npm start', '--heading', 'Shop'];
    const { suite } = await begunIn(path.join(shop, 'touchstone'), ...given);
    expect(suite).toMatch(/^ {8}leave_out: \["README.md", "docs"\]$/m);
    expect((await begun(...given)).suite).not.toMatch(/^ *leave_out/m);
  });

  test('leaves questions that it does not answer to --yes', async () => {
    const { suite, asked, exit } = await begun('--yes', '--app', 'npm start', '--heading', 'Shop');
    expect([exit, asked]).toEqual([0, []]);
    expect(suite).toMatch(/command: \["npm","start"\]\n[^]*ready: "\/"\n/);
  });

  test('is refused for an app that does not need it, and nothing is written', async () => {
    const { suite, exit, said } = await begun('--app', 'http://localhost:3000', '--state', '/__state');
    expect([exit, suite]).toEqual([2, '']);
    expect(said).toContain('your app is a server that is running already, which does not use --state');
    const odd = await begun('--yes', '--app', 'npm start', '--state', '/%5f_state');
    expect(odd).toMatchObject({
      exit: 2,
      suite: '',
      said: expect.stringContaining('--state must be a path other than /'),
    });
    for (const needless of ['--reset', '--heading'])
      expect(await begun('--yes', needless, 'true')).toMatchObject({ exit: 2, suite: '' });
    expect(await begun('--app', 'http://')).toMatchObject({
      exit: 2,
      said: expect.stringContaining('is not an address'),
    });
  });

  test.each([
    ['--ready', 'health', 'must begin with a slash'],
    ['--language', 'ruby', 'node'],
  ])('is refused if invalid: %s %s', async (flag, value, why) => {
    const { exit, said } = await begun('--app', 'npm start', flag, value);
    expect([exit, said]).toEqual([2, expect.stringContaining(why)]);
  });
});
