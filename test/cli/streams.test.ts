import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { allWritten, endQuietlyWithReader } from '../../src/cli/streams.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { PROGRAM } from './touchstone-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

async function ended(
  args: string[],
  readerLeaves: boolean,
  env: NodeJS.ProcessEnv = {},
): Promise<{ exit: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
  let [out, err] = ['', ''];
  if (readerLeaves) child.stdout.destroy();
  else child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exit, out, err };
}

test('a reader that leaves, as head does, is not an error', async () => {
  expect(await ended(['list'], true)).toEqual({ exit: 0, out: '', err: '' });
});

test('the program ends, with all of its output, though code of a suite holds a timer', async () => {
  const suite = await temporaryFolder();
  await writeFile(
    path.join(suite, 'task.mts'),
    `setInterval(() => {}, 1000);
export default { id: 'a', title: 'A', startUrl: 'about:blank', goal: 'A', success: { kind: 'no_dialog' } };
`,
  );
  const { exit, out } = await ended(['validate', path.join(suite, 'task.mts')], false);
  expect(exit).toBe(0);
  expect(out).toContain('1 task, no problem');
});

test('code of a suite that ends the program is an error', async () => {
  const suite = await temporaryFolder();
  await writeFile(path.join(suite, 'task.mts'), 'process.exit(0);');
  const { exit, out, err } = await ended(['validate', path.join(suite, 'task.mts')], false);
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain('error: loaded code ended Touchstone before it was done');
});

test('a pipe gets no colour, even in CI', async () => {
  const { err } = await ended(['show', './nowhere'], false, { CI: 'true', FORCE_COLOR: '' });
  expect(err).not.toContain('\u001b[');
});

test('colour can be requested, and text from outside gets none, even with codes of ours', async () => {
  const imitated = '\u001b[31;1000;1000;1000;1000mred\u001b[31mred\u001b[39m\nerror: by us';
  const { err } = await ended(['show', imitated], false, { CI: '', FORCE_COLOR: '1', NO_COLOR: '' });
  expect(err).toContain('␛[31;1000;1000;1000;1000mred␛[31mred␛[39m');
  const codes = err
    .split('\u001b[')
    .slice(1)
    .map((part) => part.slice(0, part.indexOf('m')));
  expect(codes).toEqual(['31', '39', '2', '22']);
});

test('only the loss of the reader is overlooked', () => {
  const stream = new Writable();
  endQuietlyWithReader(stream);
  const failure = (code: string) => Object.assign(new Error(code), { code });
  expect(() => stream.emit('error', failure('EPIPE'))).not.toThrow();
  expect(() => stream.emit('error', failure('ENOSPC'))).toThrow('ENOSPC');
});

test('output is awaited, unless it never can be written', async () => {
  const written: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      setImmediate(() => {
        written.push(String(chunk));
        done();
      });
    },
  });
  stream.write('last line');
  await allWritten(stream);
  expect(written).toContain('last line');
  stream.destroy();
  await expect(allWritten(stream)).resolves.toBeUndefined();
});
