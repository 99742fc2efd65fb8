import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { isUnknown, ran } from '../claim/honesty.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { instanceName, nameOfInstance } from '../task/instance.ts';

/** A verified bundle that is written in another format. */
export interface ExportedBundle {
  layout: BundleLayout;
  campaign: CampaignFile;
  /** The counted rows, in plan order. */
  rows: readonly Row[];
  source: ExportSource;
}

/** The bundle that an export is from, as every file of the export names it. */
export interface ExportSource {
  campaign_id: string;
  plan_hash: string;
  /** SHA-256 of `seal.json`; null if the bundle is not finished. */
  seal_hash: string | null;
  touchstone: string;
}

/** A format of other tools. */
export interface ExportFormat {
  /** Writes its files into an empty folder and returns their names. */
  write(bundle: ExportedBundle, folder: string): Promise<string[]>;
}

/** Whether an episode passed; null if nothing is known of its entrant: not judged, not run, or not by its fault. */
export function passedOf({ status }: Pick<Row, 'status'>): boolean | null {
  if (!ran({ status }) || isUnknown({ status }) || status === 'invalid_task') return null;
  return status === 'passed';
}

/** The name of a task as a sample of a data set, the same in each repetition. */
export function sampleName({
  suite,
  task,
  instance,
  faults,
}: Pick<Row, 'suite' | 'task' | 'instance' | 'faults'>): string {
  return [`${suite}.${nameOfInstance(task, instance)}`, ...faults.map(({ id }) => id)].join('+');
}

/** The goals of the tasks, by suite, task and instance. */
export function goalIn({ plan }: CampaignFile): (row: Pick<Row, 'suite' | 'task' | 'instance'>) => string {
  const goals = new Map(
    plan.tasks.map(({ suite, task }) => [`${suite}/${nameOfInstance(task.id, instanceName(task))}`, task.goal]),
  );
  return ({ suite, task, instance }) => goals.get(`${suite}/${nameOfInstance(task, instance)}`) ?? '';
}
