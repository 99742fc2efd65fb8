import { expect, test } from 'vitest';
import { firstScreen } from '../../src/cli/first-screen.ts';
import { claimSections, forReader } from '../../src/cli/terminal-sections.ts';
import { reportPage } from '../../src/report/html/page.ts';
import { junitReport } from '../../src/report/junit.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { reportSections } from '../../src/report/report-sections.ts';
import { readablePage } from './readable-page.ts';
import { richReport, richRows } from './rich-report.ts';

/** What one report looks like in each form. After a change: `npx vitest run test/report/golden.test.ts -u`, and read the difference. */
const FORMS: [file: string, draw: () => string][] = [
  ['report.md', () => markdownReport(richReport())],
  ['report.html', () => readablePage(reportPage(richReport()))],
  ['report-80.txt', () => forReader(reportSections(richReport()), { columns: 80 }).join('\n')],
  ['report-44.txt', () => forReader(reportSections(richReport()), { columns: 44 }).join('\n')],
  ['claims.txt', () => forReader(claimSections(richReport()), { columns: 80, command: 'npx touchstone' }).join('\n')],
  ['first-screen.txt', () => firstScreen(richReport(), 80).join('\n')],
  ['junit.xml', () => junitReport('campaign', richRows())],
];

test.each(FORMS)('%s is as committed', async (file, draw) => {
  await expect(draw()).toMatchFileSnapshot(`golden/${file}`);
});

test.each(FORMS)('%s has no markup and no control character that a page or an agent wrote', (_file, draw) => {
  const text = draw();
  expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  expect(text).not.toMatch(/^# heading/m);
});

test.each(['report-80.txt', 'report-44.txt'])('no line of %s is wider than its terminal', (file) => {
  const text = FORMS.find(([name]) => name === file)?.[1]() ?? '';
  const columns = Number(/\d+/.exec(file)?.[0]);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
});
