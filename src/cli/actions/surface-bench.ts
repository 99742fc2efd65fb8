import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serverIn } from '../../plan/entrants.ts';
import { packageRoot } from '../../plan/package-root.ts';
import { bullets, quote, type Section, section, strong, text } from '../../report/document.ts';
import { markdownSections } from '../../report/markdown.ts';
import {
  type SituationCount,
  situationCount,
  Situations,
  situationsOf,
  situationsSection,
} from '../../report/situations.ts';
import { RUN } from '../commands/run.ts';
import type { SurfaceOptions } from '../commands/write.ts';
import { writeNamedFile } from '../drawn-files.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { newFolder } from '../planned-run.ts';
import { forReader } from '../terminal-sections.ts';
import { printResult, type Terminal } from '../terminal.ts';
import { comparisonOf } from './compare.ts';

/** The results of the surfaces that were measured for docs/tool-servers.md. */
export const MEASURED = path.join(packageRoot(), 'suites', 'web', 'measured.json');

const LEGEND =
  '1/2: one of two situations passed. –: not measured. An empty cell: no such situation. With --task, the costs of other surfaces are left out, since they were measured in all situations.';

/** Runs suite `web` through a tool server, and lists what it can do next to the surfaces that were measured before. */
export async function benchSurface(
  file: string,
  { json, workers, task, out, to, atLeast }: SurfaceOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { server, file: found } = await serverIn(file);
  const { id } = server;
  const isOurs = path.dirname(found) === path.join(packageRoot(), 'surfaces');
  // Named here, so that a run that ends meanwhile is not taken for this one.
  const bundle = out ?? newFolder([{ id: 'web' }, { id }]);
  const chosen = { surface: isOurs ? id : file, workers: String(workers), out: bundle };
  const given = task === undefined ? chosen : { ...chosen, task: task.join() };
  const ended = await RUN.run(['web'], given, { ...terminal, out: terminal.note });
  if (ended !== EXIT.done && ended !== EXIT.gateNotMet) return ended;
  const own = await situationsIn(bundle);
  const [result] = own.surfaces;
  const tasks = own.groups.flatMap((each) => each.tasks);
  const count = result === undefined ? { passed: 0, of: 0 } : situationCount(result, tasks);
  const all = measuredBefore().surfaces.filter(({ surface }) => surface !== id);
  // Their costs are those of every situation.
  const others =
    task === undefined ? all : all.map((each) => ({ ...each, reply_tokens: null, call_ms: null, episode_ms: null }));
  const compared = situationsSection({ ...own, surfaces: [...own.surfaces, ...others] });
  const sections = [cannotSection(id, count, own), { ...compared, blocks: [...compared.blocks, text(LEGEND)] }];
  const place = path.join(to, id);
  await writeNamedFile(`${place}.json`, `${JSON.stringify(own, null, 2)}\n`);
  await writeNamedFile(`${place}.md`, markdownSections(sections, 1));
  await writeNamedFile(`${place}.svg`, badgeOf(count));
  printResult(terminal, json, own, () => [
    ...forReader(sections, terminal),
    ...['md', 'json', 'svg'].map((ending) => `${place}.${ending}`),
  ]);
  return count.passed < atLeast ? EXIT.gateNotMet : EXIT.done;
}

/** @throws UsageError when the bundle does not verify */
export async function situationsIn(bundle: string): Promise<Situations> {
  const { campaign, rows, axes } = await comparisonOf(bundle);
  return situationsOf(campaign, rows, axes);
}

export function measuredBefore(): Situations {
  return Situations.parse(JSON.parse(readFileSync(MEASURED, 'utf8')));
}

function cannotSection(id: string, { passed, of }: SituationCount, { groups, surfaces }: Situations): Section {
  const titles = new Map(groups.flatMap(({ tasks }) => tasks).map(({ id: task, title }) => [task, title]));
  const missed = Object.entries(surfaces[0]?.cells ?? {}).flatMap(([task, { why }]) =>
    why === null ? [] : [[`${titles.get(task) ?? task} (${task}): `, quote(why)]],
  );
  return section(
    'result',
    `${id} in the situations of the suite web`,
    text(strong(`${passed} of ${of} passed.`)),
    bullets(missed),
  );
}

/** An image that states what was measured, and no more. */
function badgeOf({ passed, of }: SituationCount): string {
  const [label, value] = ['Touchstone web', `${passed} of ${of}`];
  const [left, right] = [100, 64];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${value}">
<rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="#0a5d8f"/>
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${value}</text></g>
</svg>
`;
}
