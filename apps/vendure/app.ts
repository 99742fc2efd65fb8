import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppPlace, defineRealApp } from 'touchstone';

/** What we use of sql.js. */
interface Sqlite {
  Database: new (bytes?: Uint8Array) => {
    run(sql: string): void;
    exec(sql: string): { columns: string[]; values: (string | number | null)[][] }[];
    export(): Uint8Array;
    close(): void;
  };
}

/** Vendure, a web shop, with its admin UI, over SQLite: the shop of a garden centre with a few orders. */
export default defineRealApp({
  file: import.meta.url,
  package: '@vendure/core',
  prepare: async (place) => {
    const { Database } = await sqliteIn(place);
    const store = new Database();
    // In one go: a transaction for every row takes several times as long.
    store.run(`BEGIN; ${readFileSync(path.join(place.data, 'store.sql'), 'utf8')} COMMIT;`);
    writeFileSync(storeIn(place), store.export());
    store.close();
  },
  command: ({ adapter, installed, data }, port) => ({
    script: path.join(adapter, 'server.mjs'),
    args: [installed, data, String(port)],
    env: { VENDURE_DISABLE_TELEMETRY: 'true' },
  }),
  ready: '/health',
  state: async (place) => {
    const { Database } = await sqliteIn(place);
    const store = new Database(await wholeStore(place));
    const [tables] = store.exec("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    const names = (tables?.values ?? []).map(([name]) => String(name)).filter((name) => !VOLATILE_TABLES.test(name));
    const state = Object.fromEntries(names.map((name) => [name, rowsOf(store, name)]));
    store.close();
    return state;
  },
});

/** What Vendure writes whenever somebody logs in or a page is opened. */
const VOLATILE_TABLES = /^(session|typeorm_metadata|job_record.*|sqlite_.*)$/;
/** When something was done, and what nobody may read. */
const LEFT_OUT = /^(createdAt|updatedAt|lastLogin|passwordHash|.*Token|.*Password)$/;
/** A SQLite file says in its head how long a page is and how many it has. */
const [PAGE_BYTES_AT, PAGES_AT] = [16, 28];

async function sqliteIn({ installed }: AppPlace): Promise<Sqlite> {
  const start: () => Promise<Sqlite> = createRequire(path.join(installed, 'package.json'))('sql.js');
  return await start();
}

function storeIn({ data }: AppPlace): string {
  return path.join(data, 'store.sqlite');
}

/** The store's file: it is written over as a whole, so that it may be met half written. */
async function wholeStore(place: AppPlace): Promise<Uint8Array> {
  for (let attempt = 1; attempt <= 100; attempt += 1) {
    const bytes = readFileSync(storeIn(place));
    if (bytes.length >= 100 && bytes.length === bytes.readUInt16BE(PAGE_BYTES_AT) * bytes.readUInt32BE(PAGES_AT)) {
      return bytes;
    }
    await sleep(20);
  }
  throw new Error('the store is never found whole');
}

type Row = Record<string, string | number | boolean | null>;

/** The rows of a table by their id, or by all that they hold where a table has none. */
function rowsOf(store: InstanceType<Sqlite['Database']>, table: string): Record<string, Row> {
  const [found] = store.exec(`SELECT * FROM "${table}"`);
  const { columns = [], values = [] } = found ?? {};
  const rows = values.map((row): Row => {
    const cells = columns.map((column, index): [string, Row[string]] => {
      const value = row[index] ?? null;
      return [column, column === 'deletedAt' ? value !== null : value];
    });
    return Object.fromEntries(cells.filter(([column]) => !LEFT_OUT.test(column)));
  });
  return Object.fromEntries(rows.map((row) => [String(row['id'] ?? Object.values(row).join('-')), row]));
}
