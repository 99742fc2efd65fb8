import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { canBubblewrap } from '../../../src/process/sandbox/bubblewrap.ts';
import { loadCommand, type ExecCommand } from '../../../src/agent/exec/command.ts';
import { execAgent, contractsNear } from '../../../src/agent/exec/exec-agent.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { NEVER, seatWith } from '../../agent/seat.ts';

const SCRIPT = fileURLToPath(new URL('../../agent/exec/fixtures/agent.mjs', import.meta.url));
const SANDBOXES = canBubblewrap() ? ['in a sandbox'] : [];

async function folderWith(...files: string[]): Promise<string> {
  const folder = realpathSync(await temporaryFolder());
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), '');
  }
  return folder;
}

const CLONE = `
  README.md agent.mjs src/index.ts suites/basics/suite.yaml earlier/campaign.json .git/HEAD
  node_modules/library/index.js examples/mine/agent.mjs examples/mine/words.txt examples/mine/bundle/campaign.json
`
  .trim()
  .split(/\s+/);

function commandIn(folder: string, parts: Partial<ExecCommand> = {}): ExecCommand {
  const own = { id: 'small', program: process.execPath, args: [], folder, files: [path.join(folder, 'agent.mjs')] };
  return { ...own, readable: [], env: [], secrets: [], network: 'gateway', ...parts };
}

/** What a command finds in each of these places, when all that we know of is hidden. */
async function listing(command: ExecCommand, clone: string, ...places: string[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  const contracts = [path.join(clone, 'suites'), ...contractsNear(command)];
  const args = [SCRIPT, 'lists places', 'word', ...places];
  // The script that looks is one of its own files.
  const agent = execAgent(
    { ...command, args, files: [...command.files, SCRIPT] },
    { hidden: { contracts, around: [clone] } },
  );
  const seat = { brief: seatWith().brief, cdpUrl: 'http://127.0.0.1:4909', redact: (text: string) => text };
  const hear = (report: { kind: string; args?: object }): void => {
    if (report.kind === 'step')
      seen.push(...places.map((place) => new Map(Object.entries(report.args ?? {})).get(place)));
  };
  await agent.drive(seat, hear, NEVER);
  return seen;
}

describe.each(SANDBOXES)('%s a command', () => {
  test('in the root of our package sees its own file and its modules, and nothing else there', async () => {
    const clone = await folderWith(...CLONE);
    const places = ['.', 'earlier', '.git', 'suites', 'src', 'node_modules'].map((name) => path.join(clone, name));
    const [root, ...others] = await listing(commandIn(clone), clone, ...places);
    expect(root).toEqual(expect.arrayContaining(['agent.mjs', 'node_modules']));
    expect(root).not.toContain('README.md');
    expect(others).toEqual(['ENOENT', 'ENOENT', 'ENOENT', 'ENOENT', ['library']]);
  });

  test('in a folder above it sees nothing of it', async () => {
    const above = await folderWith('agent.mjs', 'words.txt', ...CLONE.map((file) => `clone/${file}`));
    const clone = path.join(above, 'clone');
    const [own, theirs] = await listing(commandIn(above), clone, above, clone);
    expect(own).toEqual(['agent.mjs', 'clone', 'words.txt']);
    expect(theirs).toEqual([]);
  });

  test('in a folder inside sees that folder, without the bundle in it', async () => {
    const clone = await folderWith(...CLONE);
    const folder = path.join(clone, 'examples/mine');
    const [own, bundle, root] = await listing(commandIn(folder), clone, folder, path.join(folder, 'bundle'), clone);
    expect(own).toEqual(['agent.mjs', 'bundle', 'words.txt']);
    expect(bundle).toEqual([]);
    expect(root).toEqual(['examples', 'node_modules']);
  });

  test('does not follow links, and cannot read part of a suite or bundle', async () => {
    const clone = await folderWith(...CLONE);
    const folder = await folderWith('agent.mjs');
    const link = path.join(folder, 'link');
    symlinkSync(path.join(clone, 'suites'), link);
    const blobs = path.join(await folderWith('campaign.json', 'blobs/one'), 'blobs');
    const readable = [link, blobs];
    const seen = await listing(commandIn(folder, { readable }), clone, link, path.join(clone, 'suites'), blobs);
    expect(seen).toEqual([[], [], []]);
  });
});

test('suites, bundles and histories are found both below and above what a command may read', async () => {
  const folder = await folderWith('a/b/suite.yml', 'a/b/c/campaign.json', 'd/.git/HEAD', 'node_modules/e/suite.yaml');
  const bundle = await folderWith('campaign.json', 'blobs/one');
  const found = contractsNear(commandIn(folder, { readable: [path.join(bundle, 'blobs'), '/usr/lib'] }));
  expect(found.toSorted()).toEqual([path.join(folder, 'a/b'), path.join(folder, 'd/.git'), bundle].toSorted());
});

test('an agent whose folder is too large to search is refused', async () => {
  const folder = await folderWith('a/x', 'b/x', 'c/x');
  expect(contractsNear(commandIn(folder), 4)).toEqual([]);
  expect(() => contractsNear(commandIn(folder), 3)).toThrow(`the agent small may read ${folder}: too many folders`);
});

test('an agent that asks for the whole machine is refused', async () => {
  const folder = await folderWith();
  const file = path.join(folder, 'agent.yaml');
  symlinkSync('/', path.join(folder, 'everything'));
  for (const place of ['/', './everything', '../../../../../../..']) {
    writeFileSync(file, JSON.stringify({ command: 'node', readable: [place] }));
    expect(() => loadCommand(file)).toThrow('may not read all of /');
  }
});

test('a module next to the file is allowed and hashed; one elsewhere is refused by name', async () => {
  const folder = await folderWith('agent.py', 'helpers.py');
  const file = path.join(folder, 'agent.json');
  writeFileSync(file, JSON.stringify({ id: 'mine', command: 'node', args: ['agent.py'], files: ['helpers.py'] }));
  const { command, hashes } = loadCommand(file);
  expect(command.files).toContain(path.join(folder, 'helpers.py'));
  expect(Object.keys(hashes)).toEqual(['agent.json', 'agent.py', 'helpers.py']);
  for (const place of ['missing.py', '../other.py', '.']) {
    writeFileSync(file, JSON.stringify({ command: 'node', files: [place] }));
    const params = { file, name: JSON.stringify(place) };
    expect(() => loadCommand(file)).toThrow(expect.objectContaining({ code: 'agent_file_outside_folder', params }));
  }
});

test.each(canBubblewrap() && process.getuid?.() === 0 ? ['umount', 'remount'] : [])(
  'a command in the sandbox of root cannot remove the cover of a folder, by %s',
  async (how) => {
    const clone = await folderWith(...CLONE);
    const suites = path.join(clone, 'suites');
    const folder = await folderWith('agent.mjs');
    const undo = { umount: `umount ${clone}`, remount: `mount -o remount,rw,bind ${folder}` }[how];
    writeFileSync(
      path.join(folder, 'agent.mjs'),
      `import { execSync } from 'node:child_process';
       let text = 'nothing happened';
       try { execSync(${JSON.stringify(undo)}, { stdio: 'pipe' }); } catch (error) { text = String(error.stderr); }
       console.log(JSON.stringify({ type: 'step', tool: 'undo', text }));`,
    );
    const command = commandIn(folder, { args: [path.join(folder, 'agent.mjs')], readable: [clone] });
    const agent = execAgent(command, { hidden: { contracts: [suites], around: [clone] } });
    const said: string[] = [];
    await agent.drive(
      { brief: seatWith().brief, cdpUrl: 'http://127.0.0.1:4909', redact: (text: string) => text },
      (report) => {
        if (report.kind === 'step') said.push(report.text);
      },
      NEVER,
    );
    expect(said).toEqual([expect.stringMatching(/superuser|permission|not permitted|denied/i)]);
  },
);
