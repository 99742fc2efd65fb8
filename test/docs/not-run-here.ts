/** Commands that the walk through the documents does not run, and why. */
export interface NotRun {
  why: string;
  /** The test that runs the same in another way, and words that it contains. */
  instead?: readonly [test: string, ...words: string[]];
  lines: readonly string[];
}

export const NOT_RUN: readonly NotRun[] = [
  {
    why: 'is the gate, of which this test is a part',
    lines: [
      'npm test',
      'npx vitest run test/cli/list.test.ts',
      'npm run test:ci',
      'npm run test:full',
      'npm run test:full -- test/cli/record.browser.test.ts',
    ],
  },
  {
    why: 'changes the machine or the packages that the test itself runs on',
    lines: ['npm ci', 'apt-get install bubblewrap'],
  },
  {
    why: 'needs Docker; the test compares Dockerfile with the repository (paths, scripts, commands, the mount), and builds and starts nothing',
    instead: ['test/docs/containers.test.ts', 'ENTRYPOINT'],
    lines: [
      'docker build -t touchstone .',
      'mkdir -p bundles && docker run --rm -v "$PWD/bundles:/touchstone-work/bundles" touchstone run basics',
      'docker run --rm --security-opt systempaths=unconfined --security-opt seccomp=unconfined touchstone doctor',
    ],
  },
  {
    why: 'needs Docker or a cluster; the test holds the files to their schemas, and their commands to ours, and starts nothing',
    instead: ['test/docs/containers.test.ts', 'compose.yaml'],
    lines: ['docker compose -f deploy/compose.yaml up --scale worker=4', 'kubectl apply -f deploy/kubernetes.yaml'],
  },
  {
    why: 'needs a checkout of the data set; the test has rows of its own',
    instead: ['test/cli/judge.test.ts', "'judge'"],
    lines: [
      'touchstone judge webarena-verified ../webarena-verified/examples/agent_logs/demo/108 --dataset ../webarena-verified',
      'touchstone judge webarena-verified runs --dataset ../webarena-verified --sites config.json',
      'touchstone judge webarena-verified bundles/mine --dataset ../webarena-verified --sites config.json',
      'npm run bench:webarena-verified -- ../webarena-verified',
    ],
  },
  {
    why: 'needs a checkout of the data set; the test has rows of its own',
    instead: ['test/cli/import.test.ts', "'import'"],
    lines: ['touchstone import webarena ../webarena --out /tmp/webarena'],
  },
  {
    why: 'needs a checkout of the data set; the test has rows of its own',
    instead: ['test/cli/import-overlay.browser.test.ts', "'--overlay'"],
    lines: [
      'touchstone import webvoyager ../WebVoyager --out /tmp/webvoyager --overlay recipes.yaml',
      'touchstone qualify /tmp/webvoyager/recipes',
    ],
  },
  {
    why: 'needs a checkout of the data set; the test has an app of its own',
    instead: ['test/cli/import-infinity.browser.test.ts', "'import', 'webarena-infinity'"],
    lines: [
      'touchstone import webarena-infinity ../webarena-infinity --out /tmp/infinity',
      'touchstone qualify /tmp/infinity/xero-invoicing --task task_e1,task_e18,task_e5,task_e6,task_e7,task_e8',
      'npm run bench:webarena-infinity -- ../webarena-infinity',
    ],
  },
  {
    why: 'needs a checkout of the data set, built; the test has games of its own',
    instead: ['test/cli/import-webgames.browser.test.ts', "'import', 'webgames'"],
    lines: ['touchstone import webgames ../webgames --out /tmp/webgames'],
  },
  {
    why: 'needs a checkout of the data set; the test has pages of its own',
    instead: ['test/cli/import-miniwob.browser.test.ts', "'import', 'miniwob'"],
    lines: [
      'touchstone import miniwob ../miniwob-plusplus --out /tmp/miniwob --seeds 3',
      'touchstone import miniwob ../miniwob-plusplus --out /tmp/miniwob',
      'touchstone run /tmp/miniwob --agent keyword --workers 2',
      'npm run bench:miniwob -- ../miniwob-plusplus',
    ],
  },
  {
    why: 'needs a checkout of the data set; the test has evals of its own',
    instead: ['test/cli/import-webmcp-evals.browser.test.ts', "'import', 'webmcp-evals'"],
    lines: [
      'touchstone import webmcp-evals ../webmcp-tools --out /tmp/webmcp-evals',
      'touchstone run /tmp/webmcp-evals --agent claude-haiku-4-5 --surface webmcp',
    ],
  },
  {
    why: 'needs the real web; the test has a web of its own',
    instead: ['test/cli/record.browser.test.ts', "'record'"],
    lines: [
      'touchstone record ./my-suite',
      'touchstone record ./my-suite --connect-to docs.example.com:443:127.0.0.1:8443',
      'touchstone record webvoyager',
      'touchstone record webvoyager --accept',
      'touchstone run webvoyager --agent reference --surface playwright-mcp --live-web',
    ],
  },
  {
    why: 'needs the real web',
    instead: ['test/cli/webvoyager-real.browser.test.ts', 'webvoyager-real'],
    lines: [
      'TOUCHSTONE_BENCH_REAL=1 npm run bench:webvoyager:real',
      'TOUCHSTONE_BENCH_REAL=1 npm run bench:webvoyager:real -- --task task-01-example-com-title',
    ],
  },
  {
    why: 'needs somebody who does the task in a browser with a window',
    instead: ['test/cli/record-task.browser.test.ts', "'record-task'"],
    lines: [
      'touchstone record-task http://basics.localhost/contact ./my-suite --id send-form',
      'touchstone record-task http://library.localhost/ ./my-suite',
      'touchstone record-task http://localhost:3000/',
      'touchstone record-task /loans ./my-suite',
      'touchstone record-task / .',
    ],
  },
  {
    why: 'is walked with its fakes, and a campaign of one task, by a test of its own',
    instead: ['test/docs/publish-a-result.browser.test.ts', "commands.filter((each) => !each.startsWith('doctor'))"],
    lines: [
      'npm run touchstone -- plan --campaign campaigns/first-claim.yaml',
      'npm run touchstone -- run --campaign campaigns/first-claim.yaml --claim --out bundles/first-claim',
      'npm run touchstone -- verify bundles/first-claim',
      'npm run touchstone -- rejudge bundles/first-claim',
      'npm run touchstone -- show bundles/first-claim',
      'npm run touchstone -- publish bundles/first-claim --to reports',
      'npm run touchstone -- sign bundles/first-claim --key key.pem',
      'npm run touchstone -- pack bundles/first-claim first-claim.zip',
      'npm run touchstone -- verify first-claim.zip',
      'npm run touchstone -- rejudge first-claim.zip',
      'npm run touchstone -- show first-claim.zip',
    ],
  },
  {
    why: 'goes on with a campaign that needs a key',
    instead: ['test/docs/publish-a-result.browser.test.ts', "'--resume'"],
    lines: ['npm run touchstone -- run --resume bundles/first-claim'],
  },
  {
    why: 'needs keys and takes an hour; the test runs the matrix of one task with fakes',
    instead: ['test/suites/protocol-matrix.browser.long.test.ts', 'startFakeModels'],
    lines: [
      'npm run bench:600',
      'touchstone run --campaign campaigns/protocol-600.yaml',
      'npm run bench:600:mock',
      'npm run bench:600:mock -- --kill-after 300',
    ],
  },
  {
    why: 'needs a key and takes an hour; the test runs the campaign of one task with fakes',
    instead: ['test/docs/publish-a-result.browser.test.ts', 'first-claim.yaml'],
    lines: [
      'npm run bench:claim',
      'npm run bench:claim:mock -- --out bundles/first-claim',
      'touchstone run --campaign campaigns/first-claim.yaml --claim',
    ],
  },
  {
    why: 'needs a key and a recording of the real sites, and takes an hour; the test runs two of its fifteen tasks on stand-ins, with a fake. What it could claim, test/cli/campaign-claims.test.ts checks',
    instead: ['test/bench/smoke.long.test.ts', 'campaigns/webvoyager.yaml'],
    lines: ['npm run bench:webvoyager:claim', 'touchstone run --campaign campaigns/webvoyager.yaml'],
  },
  {
    why: 'runs every task of a suite through every surface, or of every suite; the test does so in parts',
    instead: ['test/suites/protocols.browser.long.test.ts', "builtIn('protocols')"],
    lines: ['npm run bench:protocols'],
  },
  {
    why: 'runs the suite web through all tool servers for most of an hour; a test runs each of its tasks, and the walk one through a server',
    instead: ['test/suites/web-tasks.browser.long.test.ts', "builtIn('web')"],
    lines: ['npm run bench:tool-servers', 'npm run bench:tool-servers -- --faults'],
  },
  {
    why: 'runs real applications for minutes',
    instead: ['test/suites/realapps.browser.test.ts', "builtIn('realapps')"],
    lines: ['npm run bench:realapps', 'touchstone run realapps --agent reference,null,parrot'],
  },
  {
    why: 'measures for minutes; the walk runs it without the number, and then it attaches twice',
    lines: ['npm run bench:attach -- 20'],
  },
  {
    why: 'measures for minutes; the test measures less',
    instead: [
      'test/bench/smoke.long.test.ts',
      "'overhead.ts'",
      "'playwright-test.ts'",
      "'campaigns.ts'",
      "'model-workers.ts'",
      "'verify.ts'",
      "'rejudge.ts'",
      "'archive.ts'",
      "'memory.ts'",
    ],
    lines: [
      'npm run bench:overhead -- 20',
      'npm run bench:playwright-test -- --rounds 1',
      'npm run bench:workers -- --rounds 2',
      'npm run bench:browser -- --rounds 2',
      'npm run bench:model-workers -- --iterations 12',
      'npm run bench:verify -- --megabytes 1024 --rounds 3',
      'npm run bench:rejudge -- --rounds 1',
      'npm run bench:archive',
      'npm run bench:memory -- --episodes 400',
    ],
  },
  {
    why: 'runs random faults for an hour; the test draws them, and finds what an episode leaves behind',
    instead: ['test/bench/random-faults.long.test.ts', 'randomProfile'],
    lines: ['npm run bench:random-faults -- --episodes 500 --seed 1'],
  },
  {
    why: 'runs two thousand episodes twice and kills processes, for hours; the test runs twelve, and kills a worker, the coordinator and Redis once each',
    instead: ['test/bench/smoke.long.test.ts', "'queue.ts'"],
    lines: ['npm run bench:queue'],
  },
  {
    why: 'runs every fault through four surfaces for minutes; the test runs two of them through one, so the table of the other kinds and surfaces is not covered',
    instead: ['test/bench/smoke.long.test.ts', "'faults.ts'"],
    lines: ['npm run bench:faults'],
  },
  {
    why: 'needs a certificate and a bucket of somebody; the test has both on this machine',
    instead: ['test/cli/queue.browser.test.ts', 's3://'],
    lines: ['touchstone worker ./my-suite --queue rediss://queue.example:6380 --store s3://evidence/touchstone'],
  },
  {
    why: 'needs OpenChrome, which is in no registry',
    lines: [
      'export TOUCHSTONE_OPENCHROME=/path/to/openchrome/dist/index.js',
      'touchstone run basics --agent reference --surface openchrome',
      'touchstone surface try surfaces/openchrome.yaml',
    ],
  },
  {
    why: 'needs browser-use and the key of a model',
    lines: ['touchstone run basics --agent ./examples/exec/browser-use.yaml'],
  },
  {
    why: 'runs campaigns for many minutes, to replace what is committed',
    lines: ['npm run draw:bundles', 'npm run draw:bundles -- stress', 'npm run draw:bundles -- webvoyager'],
  },
  {
    why: 'draws pictures of a report, a film and a terminal for two minutes, to replace what is committed; the test looks at what is committed alone',
    instead: ['test/docs/files.test.ts', 'TERMINAL_PICTURE'],
    lines: ['npm run draw:pictures'],
  },
  {
    why: 'begins with an app in Python that is in no document, where a suite was begun before',
    instead: ['test/cli/init.test.ts', "'--app'"],
    lines: ['touchstone init --yes --app "python3 app.py {{port}}" --ready /health --state /__state --language python'],
  },
  {
    why: 'opens a window on a screen; the test shows what happens without one',
    instead: ['test/cli/watched-run.test.ts', '--headed'],
    lines: [
      'touchstone run ./my-suite --task renew-dune --headed --slow 1000',
      'touchstone run basics --task example-h1 --headed --slow 1000',
    ],
  },
  {
    why: 'installs the packed package, which the test does',
    instead: ['test/cli/package.long.test.ts', "'pack'"],
    lines: ['npm pack --silent', 'npm install ../touchstone/touchstone-0.1.0.tgz'],
  },
  {
    why: 'packs the package and fetches two programs that look at it, for a minute; it runs before each release',
    instead: ['test/cli/package.long.test.ts', "'pack'"],
    lines: ['npm run check:package'],
  },
  {
    why: 'builds the site, which the test does',
    instead: ['test/docs/built-site.browser.long.test.ts', 'site'],
    lines: ['npm run docs:site'],
  },
  {
    why: 'needs a model that answers from memory; the test has a fake of one',
    instead: ['test/cli/qualify.browser.test.ts', 'closed-book'],
    lines: ['touchstone qualify ./my-suite --closed-book claude-haiku-4-5'],
  },
  {
    why: 'needs a model that writes plans, which the fakes do not; the test has one that does',
    instead: ['test/cli/providers.browser.test.ts', 'one-shot'],
    lines: [
      'touchstone run basics --task example-h1 --agent gpt-4o-mini --surface aria,aria:one-shot --out /tmp/plan',
      'touchstone run basics --task example-h1 --agent gpt-4o-mini --surface aria,aria:one-shot --prompt brief',
    ],
  },
  {
    why: 'asks the npm registry for new prices, and writes them into a file of the repository; the test has packages of its own',
    instead: ['test/scripts/refresh-models.test.ts', 'newPrices'],
    lines: ['npm run models:refresh'],
  },
  {
    why: 'replays every transcript of the suite for minutes, which the test does',
    instead: ['test/suites/webvoyager-tasks.browser.long.test.ts', "'baseline.json'"],
    lines: ['npm run bench:webvoyager:mock', 'npm run bench:webvoyager:mock -- --out /tmp/wv-one'],
  },
];
