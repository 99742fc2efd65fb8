import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BLOB_NAMES, BLOBS, bundleOf, type Got, started } from './started-viewer.ts';
import { firstOf } from '../contract/dom/find.ts';
import { PASSED, SENT, START, TASK } from '../verify/sample-attempt.ts';
import { stagedBundle } from '../verify/staged-bundle.ts';
import { present } from '../../src/contract/evidence.ts';
import { readSealedRows } from '../../src/bundle/sealed-rows.ts';
import { readCampaignFile } from '../../src/plan/campaign-file.ts';
import { addressOf, ViewedBundle } from '../../src/viewer/viewed-bundle.ts';
import { CALL as CLICK, RESULT as REPLY } from '../episode/sample-events.ts';

const CALL = { ...CLICK, args: { ref: 'e7' } };
const RESULT = { ...REPLY, text: 'one\n\u001b[2Jtwo\u202e' };

/** The headers of every answer. */
function expectGuarded({ headers }: Got): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
}

describe('a served bundle', () => {
  test('begins with its report, which links to each episode and states that it is not verified', async () => {
    const { layout } = await bundleOf([CALL, RESULT]);
    await using viewer = await started(layout.root);
    const report = await viewer.get('/');
    expect(report.status).toBe(200);
    expect(report.body.toString()).toContain(`"page":"${viewer.pages[0]}"`);
    expect(report.body.toString()).toContain('this view does not verify the bundle');
    expect(report.body.toString()).toContain(`touchstone show ${layout.root} `);
    expect(report.body.toString()).not.toContain('show path/to/bundle');
    expectGuarded(report);
    const page = await viewer.get(viewer.pages[0] ?? '');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expectGuarded(page);
  });

  test('lists no episode before the first has begun', async () => {
    const { layout } = await bundleOf([CALL]);
    await rm(layout.ledger);
    await using viewer = await started(layout.root);
    expect(viewer.pages).toEqual([]);
    expect(await viewer.get('/')).toMatchObject({ status: 200 });
  });

  test('marks steps that an agent reports as its own claims', async () => {
    const said = {
      type: 'reported_step',
      step: 1,
      tool: 'fill',
      args: { text: '<b>Ada</b>' },
      ok: true,
      text: '',
      url: 'http://shop.localhost/',
    };
    const pageOf = async (event: object): Promise<string> => {
      const { layout } = await bundleOf([event]);
      await using viewer = await started(layout.root);
      return (await viewer.get(viewer.pages[0] ?? '')).body.toString();
    };
    const page = await pageOf(said);
    expect(page).toContain('which were not measured');
    expect(page).toMatch(/<ul class="reported"><li>reported step 1: fill [^<]*&lt;b&gt;Ada/);
    expect(await pageOf(CALL)).not.toContain('which were not measured');
  });

  test('names an element as the last reply listed it, as text, and leaves unlisted ones alone', async () => {
    const text = '- textbox "<b>Name</b>\u202e" [ref=e7]';
    const fill = { ...CALL, step: 2, tool: 'fill', args: { ref: 'e7', text: 'Ada' } };
    const pageOf = async (reply: string): Promise<string> => {
      const { layout } = await bundleOf([CALL, { ...RESULT, text: reply }, fill]);
      await using viewer = await started(layout.root);
      return (await viewer.get(viewer.pages[0] ?? '')).body.toString();
    };
    const page = await pageOf(text);
    const name = 'textbox &quot;&lt;b&gt;Name&lt;/b&gt;';
    expect(page).toMatch(new RegExp(`<span class="args">${name}[^<]*&quot; Ada <span class="ref">e7</span>`));
    expect(page).toMatch(
      new RegExp(`<p class="named">${name}[^]*<code>e7</code>, as the reply of <a href="#step-1">step 1`),
    );
    expect(page).not.toMatch(/<b>Name|\u202e/u);
    expect(page).toContain('<code>click</code> <span class="args">e7</span>');
    const unknown = await pageOf('the page is empty');
    expect(unknown).toContain('<span class="args">e7 Ada</span>');
    expect(unknown).not.toContain('class="named"');
  });

  test('shows an event in full, without control characters', async () => {
    const { layout } = await bundleOf([CALL, RESULT, { type: 'of a later version', much: [1, 2] }]);
    await using viewer = await started(layout.root);
    const texts = [1, 2, 3].map(async (line) => await viewer.get(`${viewer.pages[0]}/events/${line}`));
    const [call, result, unknown] = await Promise.all(texts);
    expect(call?.body.toString()).toBe('{\n  "ref": "e7"\n}');
    expect(result?.body.toString()).toBe('one\n␛[2Jtwo\\u202e');
    expect(JSON.parse(unknown?.body.toString() ?? '')).toEqual({ type: 'of a later version', much: [1, 2] });
    expect(result?.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(await viewer.get(`${viewer.pages[0]}/events/4`)).toMatchObject({ status: 404 });
  });

  test('shows two episodes side by side, step by step', async () => {
    const { layout } = await bundleOf([CALL, RESULT]);
    await using viewer = await started(layout.root);
    const both = await viewer.get(`/compare${viewer.pages[0]}${viewer.pages[0]}`);
    expect(both.status).toBe(200);
    expect(both.body.toString().match(/<tr><th scope="row">1<\/th>(<td><code>click<\/code> e7[^]*){2}/)).not.toBeNull();
    expectGuarded(both);
  });

  test('lists the files that were downloaded, as text', async () => {
    const file = { url: 'http://shop.localhost/a.csv', sha256: '0'.repeat(64), bytes: 12, text_truncated: false };
    const named = { ...file, name: '<b>a.csv', state: 'completed', text: '<script>Lamp' } as const;
    const end = { ...SENT, downloads: present([named]) };
    const pageOf = async (staged: Parameters<typeof stagedBundle>[0]): Promise<string> => {
      const { layout } = await stagedBundle(staged, { events: () => [] });
      await using viewer = await started(layout.root);
      return (await viewer.get(viewer.pages[0] ?? '')).body.toString();
    };
    const sent = { task: TASK, start: START, end, row: PASSED };
    expect(await pageOf(sent)).toMatch(/id="downloads"[^]*&lt;b&gt;a\.csv<[^]*>12<[^]*&lt;script&gt;Lamp</);
    expect(await pageOf({ ...sent, end: SENT })).not.toContain('id="downloads"');
  });

  test('marks the failure of an entrant side by side, but not that of a control', async () => {
    const compared = async (row: Parameters<typeof bundleOf>[1]): Promise<string> => {
      const { layout } = await bundleOf([CALL, RESULT], row);
      await using viewer = await started(layout.root);
      return (await viewer.get(`/compare${viewer.pages[0]}${viewer.pages[0]}`)).body.toString();
    };
    expect(await compared({})).toContain('<p class="because">');
    const control = await compared({ agent: 'null', decider: 'control', mode: 'control' });
    expect(control).toContain('<p class="because expected">');
    expect(control).not.toContain('<p class="because">');
  });

  test('gives a HEAD the same without the body', async () => {
    const { layout } = await bundleOf([]);
    await using viewer = await started(layout.root);
    const [head, get] = [await viewer.get('/', { method: 'HEAD' }), await viewer.get('/')];
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(head.body).toHaveLength(0);
  });

  test('is marked as altered if it is not as it was sealed', async () => {
    const { layout } = await bundleOf([CALL, RESULT]);
    await using viewer = await started(layout.root);
    const [page = ''] = viewer.pages;
    expect((await viewer.get(page)).body.toString()).toContain('files as they were sealed');
    const file = join(layout.root, page, 'events.jsonl');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"e7"', '"e8"'));
    expect((await viewer.get(page)).body.toString()).toContain('not as it was sealed: events.jsonl');
  });
});

test('the next failure is one of an agent that competes', async () => {
  const { layout } = await bundleOf([]);
  const { row, sealHash } = firstOf(await readSealedRows(layout));
  const lost = { status: 'failed' } as const;
  const rows = [lost, { status: 'passed' } as const, { ...lost, decider: 'control' } as const, lost];
  const sealed = rows.map((own, at) => ({ sealHash, row: { ...row, ...own, plan_index: at, episode_id: `${at}` } }));
  const bundle = new ViewedBundle(layout, await readCampaignFile(layout), sealed);
  const nextOf = (at: number): string | undefined =>
    bundle.attempt(addressOf({ episode_id: `${at}`, attempt: row.attempt }))?.nextFailed?.episode_id;
  expect([0, 1, 2, 3].map(nextOf)).toEqual(['3', '3', '3', undefined]);
});

describe('two bundles side by side', () => {
  const pairOf = async (second: object[], row: Parameters<typeof bundleOf>[1] = {}) => {
    const [before, after] = [await bundleOf([CALL, RESULT]), await bundleOf(second, row)];
    return await started(before.layout.root, 0, after.layout.root);
  };

  test('list the tasks of both, with a link to the steps of each pair', async () => {
    await using viewer = await pairOf([CALL, RESULT]);
    const grid = await viewer.get('/');
    expectGuarded(grid);
    expect(grid.body.toString()).toContain(`href="/compare${viewer.pages[0]}`);
    expect(grid.body.toString()).not.toMatch(/>(worse|better)</);
  });

  test('begin with what passed, and passed before', async () => {
    await using viewer = await pairOf([CALL, RESULT]);
    expect((await viewer.get('/')).body.toString()).toMatch(
      /<p class="result">\d of \d passed[^<]*\. Before: \d of \d/,
    );
  });

  const stepsIn = async (before: object[], after: object[]): Promise<string[][]> => {
    const [one, other] = [await bundleOf(before), await bundleOf(after)];
    return await rowsIn(one.layout.root, other.layout.root);
  };

  const rowsIn = async (before: string, after: string): Promise<string[][]> => {
    await using viewer = await started(before, 0, after);
    const [, address = ''] = /href="(\/compare[^"]*)"/.exec((await viewer.get('/')).body.toString()) ?? [];
    const page = (await viewer.get(address)).body.toString();
    return [...page.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)]
      .map(([, head = '', cells = '']) => [head, ...cells.split('</td>').slice(0, 2)])
      .map((cells) => cells.map((cell) => cell.replaceAll(/<[^>]*>/g, '').trim()))
      .filter(([head]) => head !== 'start' && head !== 'end');
  };

  test('align the steps that agents report by their sequence, with a mark where they part', async () => {
    const said = (tool: string, ok = true) => ({
      type: 'reported_step',
      step: 1,
      tool,
      args: {},
      ok,
      text: '',
      url: '',
    });
    expect(await stepsIn([said('open'), said('fill')], [said('open'), said('look'), said('fill', false)])).toEqual([
      ['1', 'open {} ok', 'open {} ok'],
      ['– / 2 differs', '–', 'look {} ok'],
      ['2 / 3', 'fill {} ok', 'fill {} error'],
    ]);
    expect(await stepsIn([said('open')], [said('open')])).toEqual([['1', 'open {} ok', 'open {} ok']]);
  });

  test('show the requests of agents that report no steps', async () => {
    const entry = { method: 'POST', status: 200, request_body: 'a=1', request_body_truncated: false };
    const url = 'http://shop.localhost/orders';
    const entries = [1, 2].map((seq) => ({ ...entry, seq, url: `${url}/${seq}` }));
    const network = present({ entries, since: { contract_enter: 2, last_tool_call: 2 } });
    const sent = { task: TASK, start: START, end: { ...SENT, network }, row: PASSED };
    const request = `POST ${url}/2 a=1 200`;
    const [one, other] = [await stagedBundle(sent, { events: () => [] }), await bundleOf([])];
    expect(await rowsIn(one.layout.root, one.layout.root)).toEqual([['1', request, request]]);
    expect(await rowsIn(one.layout.root, other.layout.root)).toEqual([['1 / – differs', request, '–']]);
  });

  test('mark the step at which two films part, though both episodes have one address', async () => {
    await using viewer = await pairOf([{ ...CALL, tool: 'press' }, RESULT]);
    const [, address = ''] = /href="(\/compare[^"]*)"/.exec((await viewer.get('/')).body.toString()) ?? [];
    const page = (await viewer.get(address)).body.toString();
    expect(page).toMatch(
      /href="#differs"[^]*>1 <span class="word inconclusive" id="differs">differs<[^]*<code>click<[^]*<code>press</,
    );
    await using same = await pairOf([CALL, RESULT]);
    const [, equal = ''] = /href="(\/compare[^"]*)"/.exec((await same.get('/')).body.toString()) ?? [];
    expect((await same.get(equal)).body.toString()).not.toContain('differs');
  });

  test('serve the pictures that either names, but no page of an episode, which has its own viewer', async () => {
    await using viewer = await pairOf([]);
    expect(await viewer.get(`/blobs/${BLOB_NAMES.picture_1}`)).toMatchObject({ status: 200 });
    for (const path of [viewer.pages[0] ?? '', `/blobs/${'0'.repeat(64)}`, '/campaign.json']) {
      expect([path, (await viewer.get(path)).status]).toEqual([path, 404]);
    }
    expect(await viewer.get('/', { headers: { host: 'evil.example' } })).toMatchObject({ status: 421 });
  });
});

describe('a viewer', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1.evil.example', 'localhost:1'])(
    'refuses a request for %s, a name that leads here but is not ours',
    async (host) => {
      const { layout } = await bundleOf([]);
      await using viewer = await started(layout.root);
      const answer = await viewer.get('/', { headers: { host } });
      expect(answer.status).toBe(421);
      expect(answer.body.toString()).not.toContain('<');
      expectGuarded(answer);
    },
  );

  test('accepts 127.0.0.1 and localhost at its port', async () => {
    const { layout } = await bundleOf([]);
    await using viewer = await started(layout.root);
    const { port } = new URL(viewer.origin);
    for (const name of ['127.0.0.1', 'localhost']) {
      expect(await viewer.get('/', { headers: { host: `${name}:${port}` } })).toMatchObject({ status: 200 });
    }
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('refuses %s: a bundle can only be read', async (method) => {
    const { layout } = await bundleOf([]);
    await using viewer = await started(layout.root);
    expect(await viewer.get('/', { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test('refuses every path that leads into the folder and not to a record', async () => {
    const { layout, unnamed } = await bundleOf([CALL]);
    await using viewer = await started(layout.root);
    const [page = ''] = viewer.pages;
    const paths = [
      '/campaign.json',
      '/../campaign.json',
      '/%2e%2e/campaign.json',
      '/blobs/../campaign.json',
      `/blobs/..%2fcampaign.json`,
      '/blobs/',
      `/blobs/${unnamed}`,
      `/blobs/${unnamed}.br`,
      `${page}/row.json`,
      `${page}/`,
      `${page}/../1`,
      `${page}/events/0`,
      page.replace(/1$/, '2'),
      page.toUpperCase(),
      '/episodes/__proto__/1',
      `/compare${page}`,
      `/compare${page}${page.replace(/1$/, '2')}`,
      `/compare${page}${page}/events/1`,
    ];
    for (const path of paths) expect([path, (await viewer.get(path)).status]).toEqual([path, 404]);
  });

  test('refuses a port in use, with the remedy', async () => {
    const { layout } = await bundleOf([]);
    await using viewer = await started(layout.root);
    const again = started(layout.root, Number(new URL(viewer.origin).port));
    await expect(again).rejects.toMatchObject({ code: 'cannot_listen', remedy: expect.stringContaining('--port') });
  });
});

describe('a blob chosen by a stranger', () => {
  test.each([
    ['picture_1', 'image/png', undefined],
    ['page', 'text/plain; charset=utf-8', undefined],
    ['archive', 'application/octet-stream', 'attachment'],
  ] as const)('%s has the type of its bytes: %s', async (name, type, disposition) => {
    const { layout } = await bundleOf([]);
    await using viewer = await started(layout.root);
    const answer = await viewer.get(`/blobs/${BLOB_NAMES[name]}`);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['content-disposition']).toBe(disposition);
    expect(answer.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(answer.body).toEqual(BLOBS[name]);
    expectGuarded(answer);
  });

  test('is not served if its bytes do not match its name', async () => {
    const { layout } = await bundleOf([]);
    await writeFile(join(layout.blobs, BLOB_NAMES.picture_1), 'forged');
    await using viewer = await started(layout.root);
    const answer = await viewer.get(`/blobs/${BLOB_NAMES.picture_1}`);
    expect(answer.status).toBe(500);
    expect(answer.body.toString()).not.toContain('forged');
  });
});
