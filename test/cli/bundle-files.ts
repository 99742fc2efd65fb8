import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LedgerRecord } from '../../src/bundle/ledger-record.ts';
import type { Row } from '../../src/bundle/row.ts';

async function linesOf<T>(bundle: string, name: string): Promise<T[]> {
  const text = (await readFile(path.join(bundle, name), 'utf8')).trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
}

export const rowsOf = async (bundle: string): Promise<Row[]> => linesOf(bundle, 'rows.jsonl');

export const ledgerOf = async (bundle: string): Promise<LedgerRecord[]> => linesOf(bundle, 'ledger.jsonl');

export async function reportOf(bundle: string) {
  return JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'));
}

export const outcomeHash = async (bundle: string): Promise<string> => (await reportOf(bundle)).outcome_hash;
