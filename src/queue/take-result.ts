import { mkdir, writeFile } from 'node:fs/promises';
import type { BlobStore } from '../bundle/blobs.ts';
import { BundleError } from '../bundle/errors.ts';
import { messageOf } from '../contract/message-of.ts';
import { parsePlainly } from '../contract/validation/problem.ts';
import { messageFor } from '../messages/messages.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import { planProblems, readRecord } from '../row/against-record.ts';
import { isRecordedInTime } from '../row/attempt.ts';
import { type Recorded, recordedEvents } from '../row/recorded.ts';
import type { Running } from '../run/campaign.ts';
import type { Lost, Started } from '../run/episode-runner.ts';
import { type AttemptJob, AttemptResult, jobIdOf } from './messages.ts';
import { patiently } from './stores.ts';

/** The attempt that a result must be of. */
export interface Taken {
  job: AttemptJob;
  episode: PlannedEpisode;
  started: Started;
}

/** Writes the record of an untrusted result to the place of a local attempt, if it is a valid record of this attempt. */
export async function takeResult(
  result: unknown,
  { job, episode, started }: Taken,
  { layout, campaign, listener, blobs, store }: Running & { store: BlobStore },
): Promise<Recorded | Lost> {
  const parsed = parsePlainly(AttemptResult, result);
  if (!parsed.ok) return { lost: 'its worker sent an invalid result' };
  const { events, transcript, ...of } = parsed.value;
  if (of.campaign !== job.campaign || jobIdOf(of) !== jobIdOf(job)) {
    return { lost: 'its worker sent the result of another attempt' };
  }
  const fetched = (hash: string) => patiently(() => store.get(hash));
  try {
    const place = layout.attempt(job.episode_id, job.attempt);
    await mkdir(place.folder, { recursive: true });
    await writeFile(place.events, await fetched(events));
    await writeFile(place.transcript, await fetched(transcript));
    const { recorded, isWhole, problems } = await readRecord(layout, job);
    const [problem] = [...problems, ...planProblems(recorded, episode, campaign)];
    if (!isWhole || problem !== undefined) {
      return { lost: `its record cannot be used: ${problem === undefined ? 'it is torn' : messageFor(problem)}` };
    }
    for (const hash of new Set(Object.values(recorded.artifacts)))
      if (!(await blobs.has(hash))) await blobs.put(await fetched(hash));
    const since = Date.now() - (started.startedAt.getTime() + recorded.atMs);
    if (!isRecordedInTime(0, since)) return { lost: `its result came ${Math.round(since / 1_000)} s after its end` };
    for await (const { event } of recordedEvents(layout, job)) listener.event?.(episode, event);
    return recorded;
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return { lost: messageOf(error) };
  }
}
