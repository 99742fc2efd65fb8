import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { PNG } from 'pngjs';
import { openBlobs } from '../../src/bundle/blobs.ts';
import { type BundleLayout, bundleLayout } from '../../src/bundle/layout.ts';
import type { Row } from '../../src/bundle/row.ts';
import { countedRowsIn, type SealedRow } from '../../src/bundle/sealed-rows.ts';
import { readCampaignFile } from '../../src/plan/campaign-file.ts';
import { drawReport } from '../../src/cli/drawn-files.ts';
import { sha256Hex } from '../../src/contract/canonical.ts';
import { CountedRows } from '../../src/report/counted-rows.ts';
import { Task } from '../../src/task/schema.ts';
import { FollowedBundle } from '../../src/viewer/followed-bundle.ts';
import { addressOf } from '../../src/viewer/viewed-bundle.ts';
import { startPairViewer, startViewer } from '../../src/viewer/viewer.ts';
import { stagedBundle } from '../verify/staged-bundle.ts';
import { evidence } from '../contract/evidence-sample.ts';

export interface Got {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export interface Started extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  pages: string[];
  get(path: string, how?: { method?: string; headers?: Record<string, string> }): Promise<Got>;
}

async function followedIn(root: string): Promise<FollowedBundle> {
  const layout = bundleLayout(root);
  const campaign = await readCampaignFile(layout);
  const draw = (sealed: readonly SealedRow[]) => drawReport(campaign, CountedRows.of(countedRowsIn(sealed)), null);
  return await FollowedBundle.open({ layout, campaign, draw });
}

/** @param after a second bundle, side by side with the first */
export async function started(root: string, port = 0, after: string | null = null): Promise<Started> {
  const followed = await followedIn(root);
  const viewer =
    after === null ? await startViewer(followed, port) : await startPairViewer(followed, await followedIn(after), port);
  const { origin } = new URL(viewer.address);
  return {
    origin,
    pages: followed.sealed.map(({ row }) => addressOf(row)),
    get: (path, how = {}) => got(origin, path, how),
    [Symbol.asyncDispose]: () => viewer.close(),
  };
}

/** Asks for a path as it is written: nothing makes it plain before it is sent. */
async function got(
  origin: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> },
): Promise<Got> {
  const { port, hostname } = new URL(origin);
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.request({ port, hostname, path, method, headers }, resolve).on('error', reject).end();
  });
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(Buffer.from(piece));
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) };
}

const TASK = Task.parse({
  id: 'send',
  title: 'Send a message',
  startUrl: 'http://shop.localhost/',
  goal: 'Send it,\nand <b>only</b> it',
  success: { kind: 'no_dialog' },
});

const picture = PNG.sync.write(new PNG({ width: 3, height: 2 }));

/** Blobs that a stranger may have made, by the name that a row gives them. */
export const BLOBS = {
  picture_1: picture,
  page: Buffer.from('<!doctype html><script>alert(1)</script>'),
  archive: randomBytes(64),
};

export const BLOB_NAMES = {
  picture_1: sha256Hex(BLOBS.picture_1),
  page: sha256Hex(BLOBS.page),
  archive: sha256Hex(BLOBS.archive),
};

/** A bundle of one episode with these events, and with {@link BLOBS} and a blob that no row names. */
export async function bundleOf(
  events: readonly object[],
  row: Partial<Row> = {},
): Promise<{ layout: BundleLayout; unnamed: string }> {
  const bytes = Buffer.from('no row names this');
  const { layout } = await stagedBundle(
    { task: TASK, start: evidence(), row: { artifacts: BLOB_NAMES, ...row } },
    { events: () => [...events] },
  );
  const blobs = openBlobs(layout.blobs);
  for (const each of [...Object.values(BLOBS), bytes]) await blobs.put(each);
  return { layout, unnamed: sha256Hex(bytes) };
}
