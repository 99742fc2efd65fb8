/** Tells how the commands of documents are run where that takes more than to type them. */

const BENCH_OF_SURFACE = 'touchstone surface bench ./my-server.yaml --at-least 1 --task frame-srcdoc';

/** Benchmarks that a walk runs with lower numbers. */
const SMALLER: Readonly<Record<string, string>> = {
  'touchstone surface bench ./my-server.yaml': BENCH_OF_SURFACE,
  'touchstone surface bench ./my-server.yaml --at-least 80': BENCH_OF_SURFACE,
  'npm run bench:attach': 'npm run bench:attach -- 2',
  'npm run bench:dx': 'npm run bench:dx -- aria',
  'npm run bench:report -- --rows 1000000 --bundle-rows 0': 'npm run bench:report -- --rows 1000 --bundle-rows 0',
  'npm run bench:episode:mock': 'npm run bench:episode:mock -- --task example-h1',
  'touchstone run ./my-suite --agent reference,null':
    'touchstone run ./my-suite --agent reference,null --task task-01-example-com-title',
};

/** The part of a suite that a walk runs where a document runs all of it. */
const PARTS: Readonly<Record<string, string>> = {
  basics: '--task example-h1',
  stress: '--task sign-in --only-fault page-modal',
  webvoyager: '--task task-07-rust-string-trim-method',
};

const typed = new Map<string, string>();

/** A document's command as a walk types it: with one task, one repetition and few perturbations, where all would take minutes. */
export function typedOf(line: string): string {
  const known = typed.get(line) ?? smallerOf(line);
  typed.set(line, known);
  return known;
}

function smallerOf(line: string): string {
  const known = SMALLER[line];
  if (known !== undefined) return known;
  if (/ qualify (?:\.|\.\/my-suite)(?: |$)/.test(line)) {
    const [start = ''] = line.split(' --perturbations');
    const task = line.includes('./my-suite') && !line.includes('--task') ? ' --task renew-dune' : '';
    return `${start}${task} --repetitions 1 --perturbations 4`;
  }
  if (line.endsWith(' qualify webvoyager')) return `${line} ${PARTS['webvoyager']}`;
  if (/ worker .*--idle/.test(line)) return line.replace(/--idle \d+/, '--idle 1');
  const named = /(?:touchstone (?:-- )?run |--tasks suites\/)(\w+)(?: |$)/.exec(line)?.[1];
  const suite = named ?? (line.includes('bench:episode:mock') ? 'basics' : '');
  const fault = line.includes('--fault ') ? ' --only-fault net-503,page-covered' : '';
  const isWhole = !/ --(?:task|baseline|kill-after|resume) /.test(line);
  const part = isWhole && suite in PARTS ? `${PARTS[suite]}${fault}` : '';
  const fewer = line.replace(/ -n \d+/, line.includes('--shard') ? ' -n 3' : ' -n 1');
  return part === '' ? fewer : `${fewer} ${part}`;
}

/** Exit codes of commands that do not end with 0, as their documents say. */
export const EXITS: Readonly<Record<string, number>> = {
  'touchstone validate test/task/fixtures/malformed/task/caps-out-of-range.yaml': 2,
  'npm run bench:episode:mock -- --task local-recovery-stall --max-steps 2': 1,
  // The agent deletes another note.
  'npm run bench:episode -- basics --task dialog-delete --agent ./examples/exec/hasty.mjs': 1,
  // A task of each suite does not qualify, as the documents say.
  'touchstone qualify basics': 1,
  'touchstone qualify webvoyager': 1,
  // No folder of the walk has such a script.
  'touchstone init --app "npm run dev -- --port {{port}} --host 127.0.0.1"': 2,
  // Something would change.
  'touchstone transcripts /tmp/recorded ./my-suite': 1,
  // The folder that it is to read is not there.
  'npm run touchstone -- validate examples/nac3-vendor': 2,
  'npm run touchstone -- run examples/nac3-vendor --agent reference --surface nac3': 2,
  'npm run touchstone -- qualify examples/nac3-vendor --surface nac3': 2,
};

/** The output by which a command that runs until Ctrl-C shows that it is up. */
export const UNTIL: Readonly<Record<string, string>> = {
  'redis-server --port 6379': 'Ready to accept connections',
  'touchstone worker --queue redis://127.0.0.1:6379': 'waits for campaigns',
  'touchstone worker --queue redis://127.0.0.1:6379 --workers 4': 'waits for campaigns',
  'touchstone worker --queue redis://127.0.0.1:6379 --browser-endpoint http://127.0.0.1:9222': 'waits for campaigns',
  'touchstone worker ./my-suite --agent ./my-agent.mjs --queue redis://127.0.0.1:6379': 'waits for campaigns',
  'touchstone show bundles/20260101T120000-basics --serve': 'http://127.0.0.1:',
  'touchstone show -2 --serve': 'http://127.0.0.1:',
  'touchstone show -2 latest --serve': 'http://127.0.0.1:',
  'touchstone show /tmp/first --serve': 'http://127.0.0.1:',
  'touchstone show bundles/<name> --serve': 'http://127.0.0.1:',
  'touchstone run ./my-suite --watch': 'Ctrl-C ends',
  'npm run bench:claim:mock -- --serve': 'the fakes answer until Ctrl-C',
  '"$TOUCHSTONE_BROWSER" --headless=new --no-sandbox --remote-debugging-port=9222 --user-data-dir=/tmp/profile about:blank':
    'DevTools listening on',
};
const BROWSER = Object.keys(UNTIL).find((line) => line.includes('--remote-debugging-port')) ?? '';

/** Folders, other than the clone, that a command is typed in: `own` is a folder outside of it. */
export const WHERE: Readonly<Record<string, string>> = {
  'npm install playwright-core': 'own',
  'npm install @playwright/mcp': 'own',
  'npm install bullmq ioredis': 'own',
  'touchstone run basics --agent ./my-agent.mjs': 'own',
  'touchstone init': 'own',
  'touchstone doctor .': 'own',
  'npm install --prefix agents/node-agent': 'own',
  'touchstone validate .': 'own',
  'touchstone run': 'own',
  'touchstone show bundles/<name> read-heading': 'own',
  'touchstone show bundles/<name> --serve': 'own',
  'touchstone qualify .': 'own',
  'touchstone run . --agent ./agents/node-agent/agent.mjs,null -n 10': 'own',
  'touchstone run . --agent ./agents/node-agent/agent.mjs -n 5 --out bundles/before': 'own',
  'touchstone run . --agent ./agents/node-agent/agent.mjs -n 5 --out bundles/after': 'own',
  'touchstone compare bundles/before bundles/after': 'own',
  'touchstone pack bundles/after': 'own',
  'sha256sum episodes/*/*/row.json': 'bundles/mine',
  'sha256sum manifest.json | head -c 12': 'apps/invoice',
  'LC_ALL=C; sha256sum *.js | sha256sum': 'apps/nac3',
};

const FIRST = 'touchstone run basics --task example-h1 --agent reference,null --out /tmp/first';
const BASICS =
  'touchstone run basics --task dialog-delete --surface aria,playwright-mcp --out bundles/20260101T120000-basics';
const MINE = 'touchstone run ./my-suite --task renew-dune --out bundles/mine';
const TWO_DAYS =
  'for day in monday tuesday; do touchstone run basics --task dialog-delete --seed ${#day} --out bundles/$day; done';
const FORM = "sed 's/^id: renew-dune/id: send-form/' my-suite/tasks/renew-dune.yaml > my-suite/tasks/send-form.yaml";
const FILES = [
  'cp surfaces/playwright-mcp.yaml my-server.yaml && sed -i "s/^id: .*/id: my-server/" my-server.yaml',
  'cp examples/exec/agent.mjs my-agent.mjs',
  'cp prompts/brief.md my-prompt.md',
  'cp my-suite/tasks/renew-dune.yaml draft-task.yaml',
];
const OWN_ENDPOINT = "echo 'OPENAI_COMPATIBLE_BASE_URL=http://127.0.0.1:11434/v1' >> .env";
const REDIS = 'redis-server --port 6379';
const WORKER = 'touchstone worker --queue redis://127.0.0.1:6379 --workers 4';

/** Lines that a reader has typed before a page or a command: in their own project, or from another document. */
export const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'docs/worlds.md': ['rm -r my-suite && cp -r suites/webvoyager my-suite'],
  'docs/bundle.md': [FIRST, BASICS, MINE, TWO_DAYS],
  'docs/cli.md': [
    BASICS,
    MINE,
    TWO_DAYS,
    FORM,
    ...FILES,
    OWN_ENDPOINT,
    REDIS,
    BROWSER,
    'mkdir -p ~/.zfunc ~/.config/fish/conf.d',
    'mkdir parts && for n in 1 2 3; do touchstone run basics --task example-h1 -n 3 --shard $n/3 --out parts/$n; done',
    'python3 -m zipfile -e docs/bundles/webvoyager.zip bundles/20260101T120000-webvoyager',
  ],
  'docs/qualify.md': [FORM],
  'docs/scale.md': FILES,
  'docs/surfaces.md': [...FILES, BROWSER],
  'docs/tool-servers.md': FILES.slice(0, 1),
  'docs/verify.md': [BASICS, MINE],
  'touchstone doctor realapps': ['touchstone apps install'],
  // The latest bundle is the one whose ledger was written last.
  'touchstone show dialog-delete': ['touch bundles/20260101T120000-basics/ledger.jsonl'],
  'touchstone run basics --agent ./my-agent.mjs': [
    'cp examples/exec/agent.mjs ../own/my-agent.mjs',
    'npm install playwright-core',
  ],
  'touchstone run basics -n 100 --queue redis://127.0.0.1:6379': [WORKER],
  'touchstone run basics --agent reference,null -n 100 --queue redis://127.0.0.1:6379': [WORKER],
  'touchstone run --resume /tmp/first ./my-suite': [
    'rm -r /tmp/first && touchstone run ./my-suite --task renew-dune --out /tmp/first',
  ],
  'touchstone run --resume /tmp/bundle ./my-suite': [
    'rm -rf /tmp/bundle && touchstone run ./my-suite --task renew-dune --out /tmp/bundle',
  ],
  "git commit --all --message 'Record the pages of webvoyager'": ['date >> CHANGELOG.md'],
  'touchstone record ./my-suite --facsimile ./my-suite/pages --accept': [
    'mv my-suite library && cp -r suites/webvoyager my-suite',
  ],
  'touchstone transcripts bundles/20260101T120000-basics': ['rm -r my-suite && mv library my-suite'],
  'npx tsx bundles/press.mts': ['mkdir -p bundles && cp /tmp/press.mts bundles/press.mts'],
};
