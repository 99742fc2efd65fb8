import { readFile, stat } from 'node:fs/promises';

/** Largest task or suite file, in bytes. */
const MAX_FILE_BYTES = 1_048_576;

/** The text of a small UTF-8 file, or what keeps it from being read. */
export async function readText(file: string): Promise<{ ok: true; value: string } | { ok: false; message: string }> {
  try {
    const message = await sizeProblem(file);
    if (message !== null) return { ok: false, message };
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)) };
  } catch (error) {
    return { ok: false, message: readingProblem(error) };
  }
}

/** Says why a path is no file that we would read, or null. Asked before reading, so that a huge file costs nothing. */
export async function sizeProblem(file: string): Promise<string | null> {
  const { size, isFile } = await stat(file).then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
  if (!isFile) return 'is not a file; name a task or suite file';
  if (size <= MAX_FILE_BYTES) return null;
  return `is larger than ${MAX_FILE_BYTES} bytes (it has ${size}); split it`;
}

/** What a failed read means for whoever named the file. */
export function readingProblem(error: unknown): string {
  if (error instanceof TypeError) return 'is not UTF-8 text; save it as UTF-8';
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code === 'ENOENT' ? 'does not exist; check the path' : `cannot be read (${code}); check its permissions`;
}
