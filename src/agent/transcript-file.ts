import path from 'node:path';

/** Where a suite keeps what agent `transcript` repeats of a task through a surface. */
export function transcriptFile(suiteFolder: string, task: string, surface: string): string {
  return path.join(suiteFolder, 'transcripts', `${task}.${surface}.jsonl`);
}

/** The same as pins name it, wherever the suite lies. */
export function transcriptPin(suiteFolder: string, task: string, surface: string): string {
  return path.join(
    path.basename(suiteFolder),
    'transcripts',
    path.basename(transcriptFile(suiteFolder, task, surface)),
  );
}
